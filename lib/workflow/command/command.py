"""Commands as data. Only this module quotes them, names the interpreter, and reads them back."""

import os
import site
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from attrs import field, fields, frozen

from ..errors import UsageError
from ..util.characters import check_line
from ..util.structs import Struct
from .quoting import ShellError, join, plain, split

LAUNCHER_VARIABLE: Final = "WORKFLOW_PYTHON"
"""The environment variable that replaces the interpreter in printed commands, such as `uv run --no-sync python -I`."""

ISOLATED: Final = ("-I",)
"""Python's option to ignore the working directory, PYTHONPATH and the user's site directory."""
_ROOT: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_carried: Final[dict[str, tuple[str, ...]]] = {}
_spelled: Final[dict[str, str]] = {}
MAX_WORD: Final = 100_000
"""Maximum characters of a word; systems refuse longer arguments."""


class CommandError(ValueError):
    """Raised for a command or launcher that cannot be printed or read back."""


def launcher(module: str = __name__) -> tuple[str, ...]:
    """Return the words before `-m` in the command of a module: what the user set, else this interpreter.

    By default the interpreter ignores the working directory and PYTHONPATH, which may hold packages with our names.

    Raises:
        UsageError: The user's setting names no program.
    """
    package = module.partition(".")[0]
    return (*_interpreter(package), *_carried.get(package, ()))


_default_launcher: Final = launcher


def carry(package: str, words: tuple[str, ...]) -> None:
    """Set the words that follow the interpreter in the commands of a package that no interpreter finds by itself."""
    _carried[package] = words


def spell(word: str, as_word: str) -> None:
    """Write a word as another one in all commands of this process: a run's folder as the URL that other hosts know."""
    _spelled[word] = as_word


def spelled(word: str) -> str:
    """Return the word as commands write it."""
    return _spelled.get(word, word)


def _interpreter(package: str) -> tuple[str, ...]:
    chosen = os.environ.get(LAUNCHER_VARIABLE, "")
    if not chosen.strip():
        return (sys.executable, *_options(package, os.environ.get("PYTHONPATH", "")))
    try:
        words = split(chosen)
        check_words(None, None, words)
        check_launcher(None, None, words)
    except (ShellError, CommandError) as error:
        raise UsageError(f"{LAUNCHER_VARIABLE}: {error}") from None
    return words


@lru_cache(64)
def _options(package: str, pythonpath: str) -> tuple[str, ...]:
    """Return the interpreter's options for a package; PYTHONPATH counts only if nothing else leads to the package."""
    if pythonpath:
        from .origins import needs_pythonpath  # few users set the variable; others need not import this

        if needs_pythonpath(package, pythonpath):
            return ("-P",)
    if site.ENABLE_USER_SITE and _ROOT not in site.getsitepackages():
        return ("-E", "-P")  # like `-I`, but with the user's site directory, where this package may be installed
    return ISOLATED


def words_of(value: Iterable[str]) -> tuple[str, ...]:
    """Convert words to a tuple, each as commands write it (attrs converter).

    Raises TypeError for a single string, which is not a list of words.
    """
    if isinstance(value, str):
        raise TypeError(f"words must be a list of strings; got the string {value!r:.60}")
    return tuple(map(spelled, value)) if _spelled else tuple(value)


def check_words(_: object, __: object, value: tuple[str, ...]) -> None:
    """Check that each word is one line of text (attrs validator).

    Raises CommandError, or TypeError if it is not a str.
    """
    for word in value:
        if type(word) is str and len(word) <= MAX_WORD and word.isprintable():
            continue
        if not isinstance(word, str):
            raise TypeError(f"a word of a command: {word!r:.60} is not a str")
        if len(word) > MAX_WORD:
            raise CommandError(f"a word of a command has {len(word):,} characters; pass long text in a file")
        try:
            check_line(word, "a word of a command")
        except ValueError as error:
            raise CommandError(f"{error}; pass long text in a file or on standard input") from None


def check_launcher(_: object, __: object, value: tuple[str, ...]) -> None:
    """Check the words before `-m` (attrs validator). Raises CommandError."""
    if not value or "-m" in value or not value[0] or "=" in value[0]:
        raise CommandError(f"launcher: {join(value)!r:.60} must start with a program and must not contain `-m`")


def is_module(name: str) -> bool:
    """Return True if the name can be that of a module."""
    return name.isascii() and all(part.isidentifier() for part in name.split("."))


def check_module(_: object, __: object, value: str) -> None:
    """Check that the value is a dotted name (attrs validator). Raises CommandError."""
    if not is_module(value):
        raise CommandError(f"module: {value!r:.60} is not a dotted module name")


@frozen(init=False)
class Command(Struct):
    """`LAUNCHER -m MODULE WORD…`: a command that an agent copies and runs from any folder without changes.

    Words are data, not shell text: a blank, a quote or a `$` in a word is printed quoted.

    Args:
        module: Dotted name of the script.
        words: Its arguments.
        launcher: Words before `-m`; by default the interpreter of this process, or `WORKFLOW_PYTHON`.

    Raises:
        CommandError: If the module is not a dotted name, or a word has a line break or control character.
    """

    module: str
    words: tuple[str, ...]
    launcher: tuple[str, ...]
    _text: str = field(init=False, eq=False, repr=False)

    def __init__(self, module: str, words: Iterable[str] = (), launcher: Iterable[str] | None = None) -> None:
        before = words_of(_default_launcher(module) if launcher is None else launcher)
        given, opening = words_of(words), _opening(before, module)
        self._keep(module, given, before, f"{opening} {_checked(given)}" if given else opening)

    def _keep(self, module: str, words: tuple[str, ...], launcher: tuple[str, ...], text: str) -> None:
        _set_module(self, module)
        _set_words(self, words)
        _set_launcher(self, launcher)
        _set_text(self, text)

    def __str__(self) -> str:
        return self._text

    @classmethod
    def read(cls, text: str) -> "Command":
        """Read a command from one line, with any quoting. Raises CommandError if the text is not a command."""
        try:
            words = split(text)
            at = words.index("-m")
            launcher, module, given = words[:at], words[at + 1], words[at + 2 :]
            if _spelled or len(text) > MAX_WORD or not text.isascii() or " ".join(words) != text:
                return cls(module, given, launcher)
            _opening(launcher, module)  # raises for illegal ones
            read = cls.__new__(cls)
            read._keep(module, given, launcher, text)  # written as we write it: no word needs quotes
            return read
        except ShellError as error:
            raise CommandError(str(error)) from None
        except (ValueError, IndexError) as error:
            if isinstance(error, CommandError):
                raise
            raise CommandError(f"{text!r:.200} is not a command of the form PYTHON -m MODULE …") from None


_set_module, _set_words, _set_launcher, _set_text = (vars(Command)[item.name].__set__ for item in fields(Command))
"""Each twice as fast as `object.__setattr__`, which attrs calls: a dispatch can have a thousand commands."""


@lru_cache(256)
def _opening(launcher: tuple[str, ...], module: str) -> str:
    """Return the command without its words. Raises CommandError for an illegal launcher or module."""
    check_module(None, None, module)
    check_words(None, None, launcher)
    check_launcher(None, None, launcher)
    return join((*launcher, "-m", module))


def _checked(words: tuple[str, ...]) -> str:
    """Return the words as one line. Raises as `check_words`; words that need no quotes are legal."""
    line = plain(words)
    if line and len(line) <= MAX_WORD:
        return line
    check_words(None, None, words)
    return line or join(words)


def flag_of(name: str) -> str:
    """Return the flag of a parameter: `--state-dir` for `state_dir`."""
    return "--" + name.replace("_", "-")


def flags(values: Mapping[str, str | int | bool | None]) -> tuple[str, ...]:
    """Return words for values by parameter name. True is `--flag`, False `--no-flag`; None is left out."""
    words: list[str] = []
    for name, value in values.items():
        flag = flag_of(name)
        if isinstance(value, bool):
            words.append(flag if value else f"--no-{flag[2:]}")
        elif value is not None:
            text = str(value)
            words += [f"{flag}={text}"] if text.startswith("-") and text != "-" else [flag, text]
    return tuple(words)
