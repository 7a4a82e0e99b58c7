"""A command with slots, run once for each target; slots are filled as arguments, never as shell text."""

from collections.abc import Iterable, Mapping

from attrs import Factory, field, frozen

from .command import Command, CommandError, check_launcher, check_module, check_words, launcher, spelled, words_of
from .quoting import ShellError, Slot, is_slot, quote, split_template


def _words(value: Iterable[str | Slot]) -> tuple[str | Slot, ...]:
    if isinstance(value, str):
        raise TypeError(f"words must be a list of strings and Slots; got the string {value!r:.60}")
    return tuple(word if isinstance(word, Slot) else spelled(word) for word in value)


def _check_words(instance: object, attribute: object, value: tuple[str | Slot, ...]) -> None:
    check_words(instance, attribute, tuple(word.name if isinstance(word, Slot) else word for word in value))
    for word in value:
        if isinstance(word, Slot) and not is_slot(word.name):
            raise CommandError(f"{word.name!r:.60} is not a slot name; use letters, digits and '_'")


@frozen
class CommandTemplate:
    """A command in which some words are slots. An unquoted `$NAME` is a slot; a quoted `'$NAME'` is literal text."""

    module: str = field(validator=check_module)
    words: tuple[str | Slot, ...] = field(converter=_words, validator=_check_words)
    launcher: tuple[str, ...] = field(
        default=Factory(lambda self: launcher(self.module), takes_self=True),
        converter=words_of,
        validator=[check_words, check_launcher],
    )

    def __str__(self) -> str:
        words = (*self.launcher, "-m", self.module, *self.words)
        return " ".join([f"${word.name}" if isinstance(word, Slot) else quote(word) for word in words])

    @property
    def slots(self) -> tuple[str, ...]:
        """Return the names of the slots, in order."""
        return tuple(word.name for word in self.words if isinstance(word, Slot))

    def fill(self, values: Mapping[str, str]) -> Command:
        """Return the command for one target.

        Each value becomes one word; a value that begins with `-` stays with its flag.
        """
        words: list[str] = []
        before: str | Slot = ""
        for word in self.words:
            filled = values[word.name] if isinstance(word, Slot) else word
            belongs = isinstance(before, str) and before.startswith("--") and "=" not in before
            if isinstance(word, Slot) and belongs and filled.startswith("-"):
                filled = f"{words.pop()}={filled}"
            words.append(filled)
            before = word
        return Command(self.module, words, self.launcher)

    @classmethod
    def read(cls, text: str) -> "CommandTemplate":
        """Read a template from its printed text. Raises CommandError if the text is not a template."""
        try:
            words = split_template(text)
            at = words.index("-m")
            module, before = words[at + 1], [word for word in words[:at] if isinstance(word, str)]
        except ShellError as error:
            raise CommandError(str(error)) from None
        except (ValueError, IndexError):
            raise CommandError(f"{text!r:.200} is not a command of the form PYTHON -m MODULE …") from None
        if isinstance(module, Slot) or len(before) < at:
            raise CommandError(f"{text!r:.200}: only arguments can be slots, not the program or the module")
        return cls(module, words[at + 2 :], tuple(before))
