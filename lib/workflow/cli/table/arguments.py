"""The arguments of a command, read from the signature of its handler: flags on a command line, keys in a batch."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final, TypeAlias, TypeVar

from attrs import frozen

from ...arguments.parameter import Arg, Parameter
from ...codec.scalars import Shape, wrong
from ...command import flag_of
from ...util.characters import canonical
from ...util.suggest import nearest
from .edits import Replacement

T = TypeVar("T")
Values: TypeAlias = Mapping[str, object]
"""The values of a request by the parameter's name; a parameter that was not given is absent."""
FILE: Final = "FILE"
"""What stands for the name of a file."""
REFERENCE: Final = "$"
"""The mark before a local name of a batch where an id is taken."""


class Unset(Enum):
    """Type of UNSET."""

    UNSET = "not given"


UNSET: Final = Unset.UNSET
"""The default of a parameter that an update may leave as it is, where None or () would clear it."""


def kept(given: T | Unset, before: T) -> T:
    """The value that was given, else the one before."""
    return before if isinstance(given, Unset) else given


def needed(given: T | Unset) -> T:
    """The value of a parameter that the table made sure of (`needs`)."""
    assert not isinstance(given, Unset)
    return given


class How(Enum):
    """The form in which a value was given."""

    VALUE = "the value itself"
    FILE = "the name of a file that holds it"
    YES = "a switch"
    NO = "a switch that says no"
    AWAY = "a switch that takes the value away"
    ADD = "an item to add to the list"
    REMOVE = "an item to remove from the list"


@frozen(kw_only=True, eq=False, repr=False)
class Flag(Arg):
    """An `Arg` for commands, which take more than steps do.

    A parameter is a str, int, bool or StrEnum, or a tuple of them; or a frozen class, or a tuple of those, which comes
    as a JSON document; or a tuple of `Replacement`. `| None` lets it be absent, `| Unset` lets an update leave it as it
    is, and both together let it be taken away; so does `| Unset` of a tuple. `| Edit` lets an update add items to a
    list and remove them.
    """

    positional: bool = False
    """Given by its place behind the command, not by a flag. A JSON document is then the name of its file, or comes from
    standard input if no file is named."""
    long: bool = False
    """A text of any number of lines; it can also come from a file or standard input, by `--NAME-file`."""
    each: str = ""
    """Of a list: the name of the flag that is repeated, such as `file` for `files`."""
    rule: Callable[[str], object] | None = None
    """A further check of a text, which raises ValueError. So a malformed id is refused before any file is read."""
    ref: bool = False
    """The text is, or ends with, the id of an entity: in a batch `$name` stands for one that the batch makes."""


@frozen(kw_only=True, eq=False, repr=False)
class Argument:
    """One parameter of a command, ready to read and check a value from a command line or a batch."""

    name: str
    """The name that the handler has for it."""
    flag: Flag
    item: Parameter | None = None
    """How one value is read; None for a JSON document and for replacements."""
    document: Shape | None = None
    """How a JSON document is read."""
    replaces: bool = False
    """Whether its values are pairs of texts, OLD and NEW."""
    listed: bool = False
    editable: bool = False
    """Whether an update can add items and remove them."""
    clearable: bool = False
    """Whether it can be taken away: by `--no-NAME`, by null or [] in a batch."""
    nullable: bool = False
    """Whether None is a value."""
    required: bool = False

    @property
    def key(self) -> str:
        """Its name in a batch; a `_` behind the handler's only keeps it apart from a builtin."""
        return self.name.rstrip("_")

    @property
    def keys(self) -> Iterator[tuple[str, How]]:
        """Its names in a batch, and what each gives."""
        yield self.key, How.VALUE
        if self.editable:
            yield f"add_{self.key}", How.ADD
            yield f"remove_{self.key}", How.REMOVE

    @property
    def spelled(self) -> str:
        """Its name on a command line."""
        if self.flag.positional:
            return FILE if self.document else self.key.upper()
        if self.document:
            return flag_of(f"{self.key}_file")
        return flag_of(self.flag.each or self.key)

    @property
    def without(self) -> str:
        """The flag that takes the value away."""
        return f"--no-{self.spelled[2:]}"

    @property
    def switch(self) -> bool:
        """Whether it is yes or no."""
        return self.item is not None and self.item.type is bool

    @property
    def free(self) -> bool:
        """Whether it is a text, not one of a few."""
        return self.item is not None and self.item.type is str and not self.item.choices

    @property
    def legal(self) -> str:
        """The legal values in words."""
        if self.item is None:
            return "a JSON document"
        if self.free:
            longest = "" if self.flag.longest is None else f" of at most {self.flag.longest:,} characters"
            return f"{'a path' if self.flag.path else 'a text' if self.flag.long else 'a line of text'}{longest}"
        return self.item.legal

    def check(self, value: object) -> object:
        """The value of a batch, as the handler takes it.

        Raises:
            ValueError: The value is not legal; the message names the legal ones as JSON has them.
        """
        if value is None and self.nullable:
            return None
        if self.document:
            return self.document.decode(value)
        if self.replaces:
            return self._pairs(value)
        if not self.listed:
            return self._check_one(value)
        items = self.check_items(value)
        if not items and not self.clearable:
            raise ValueError("the list must not be empty")
        return items

    def check_items(self, value: object) -> tuple[object, ...]:
        """The items of a list of a batch. Raises ValueError as `check` does."""
        if not isinstance(value, list):
            raise ValueError(f"a list is needed; each item is {self.legal}")
        return tuple([self._check_one(item) for item in value])

    def _pairs(self, value: object) -> tuple[Replacement, ...]:
        pairs = value if isinstance(value, list) else []
        if not pairs or not all(isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in pairs):
            raise ValueError('a list of pairs is needed: [["old text", "new text"]]')
        return tuple(self.pair(old, new) for old, new in pairs)

    def pair(self, old: str, new: str) -> Replacement:
        """A replacement. Raises ValueError for an empty old text, and for characters that no text may hold."""
        if not old:
            raise ValueError("the old text must not be empty")
        return Replacement(canonical(old, "the old text"), canonical(new, "the new text"))

    def _check_one(self, value: object) -> object:
        assert self.item is not None
        if self.switch:
            if type(value) is not bool:
                raise wrong(value, "true or false")
            return value
        if type(value) is not (int if self.item.type is int else str):
            raise wrong(value, self.legal)
        if isinstance(value, str) and self.free:
            return self._checked(value, "null")
        try:
            return self.item.check(value)
        except ValueError:
            near = nearest(value, self.item.choices) if isinstance(value, str) else None
            raise wrong(value, self.legal + (f"; did you mean {near!r}?" if near else "")) from None

    def read(self, text: str) -> object:
        """One value that stands on a command line or in a file. Raises ValueError, with the legal values."""
        assert self.item is not None
        return self._checked(text, self.without) if self.free else self.item.read(text)

    def _checked(self, text: str, without: str) -> object:
        """A free text, with the line ends that it has: a diff's are those of its file."""
        assert self.item is not None
        if self.flag.longest is not None and len(text) > self.flag.longest:
            raise ValueError(f"it has {len(text):,} characters, and is not {self.legal}; shorten it")
        if not text.strip():
            away = f"; {without} takes it away" if self.clearable and not self.listed else ""
            raise ValueError(f"it must not be blank{away}")
        if self.flag.long:
            canonical(text, "the text")
            value: object = text
        else:
            value = self.item.check(text)
        if self.flag.rule and not (self.flag.ref and REFERENCE in text):
            self.flag.rule(text)
        return value
