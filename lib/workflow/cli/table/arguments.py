"""Arguments of a command, read from the signature of its handler: flags on a command line, keys in a batch."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final, TypeAlias, TypeVar

from attrs import evolve, frozen

from ...arguments.parameter import URL_SCHEMES, Arg, Parameter
from ...codec.scalars import Shape, wrong
from ...command import flag_of
from ...util.characters import canonical
from ...util.suggest import nearest
from .edits import Replacement

T = TypeVar("T")
Values: TypeAlias = Mapping[str, object]
"""Values of a request by parameter name; parameters that were not given are absent."""
FILE: Final = "FILE"
"""Placeholder for the name of a file."""
REFERENCE: Final = "$"
"""Prefix of a batch's local name in place of an id."""


class Unset(Enum):
    """The type of UNSET."""

    UNSET = "not given"


UNSET: Final = Unset.UNSET
"""Default of a parameter that an update may leave unchanged, if None or () would clear it."""


def kept(given: T | Unset, before: T) -> T:
    """Return the given value, or else the value before."""
    return before if isinstance(given, Unset) else given


def needed(given: T | Unset) -> T:
    """Return the value of a parameter that the table requires (`needs`)."""
    assert not isinstance(given, Unset)
    return given


class How(Enum):
    """The form in which a value was given."""

    VALUE = "the value itself"
    FILE = "the name of a file with the value"
    YES = "a switch"
    NO = "a switch for no"
    AWAY = "a switch that removes the value"
    ADD = "an item to add to the list"
    REMOVE = "an item to remove from the list"


@frozen(kw_only=True)
class Flag(Arg):
    """An `Arg` for commands, which take more types than steps do.

    A parameter is a str, int, bool or StrEnum, or a tuple of them; or a frozen class, or a tuple of those, given as a
    JSON document; or a tuple of `Replacement`. `| None` makes it optional. `| Unset` lets an update leave it
    unchanged. Both together, or `| Unset` on a tuple, let an update clear it. `| Edit` lets an update add items to a
    list and remove them.
    """

    positional: bool = False
    """True if it is given by position after the command, not by a flag. A JSON document is then a file name,
    or comes from standard input if no file is named.
    """
    long: bool = False
    """True for a text of any number of lines; it can also come from a file or standard input, by `--NAME-file`."""
    each: str = ""
    """For a list: the name of its repeated flag, such as `file` for `files`."""
    rule: Callable[[str], object] | None = None
    """A further check of a text, which raises ValueError. It refuses a malformed id before any file is read."""
    ref: bool = False
    """True if the text is, or ends with, the id of an entity: in a batch `$name` refers to one that the batch makes."""


@frozen(kw_only=True, eq=False, repr=False)
class Argument:
    """One parameter of a command; reads and checks a value from a command line or a batch."""

    name: str
    """Name of the handler's parameter."""
    flag: Flag
    item: Parameter | None = None
    """Parameter that reads one value; None for a JSON document and for replacements."""
    document: Shape | None = None
    """Shape that reads a JSON document."""
    replaces: bool = False
    """True if its values are pairs of texts, OLD and NEW."""
    listed: bool = False
    editable: bool = False
    """True if an update can add items and remove them."""
    clearable: bool = False
    """True if it can be cleared: by `--no-NAME`, by null or [] in a batch."""
    nullable: bool = False
    """True if None is a legal value."""
    required: bool = False

    @property
    def key(self) -> str:
        """Return its name in a batch; a trailing `_` in the handler only avoids a builtin's name."""
        return self.name.rstrip("_")

    @property
    def keys(self) -> Iterator[tuple[str, How]]:
        """Yield its names in a batch, each with the form of its value."""
        yield self.key, How.VALUE
        if self.editable:
            yield f"add_{self.key}", How.ADD
            yield f"remove_{self.key}", How.REMOVE

    @property
    def spelled(self) -> str:
        """Return its name on a command line."""
        if self.flag.positional:
            return FILE if self.document else self.key.upper()
        if self.document:
            return flag_of(f"{self.key}_file")
        return flag_of(self.flag.each or self.key)

    def filled(self, value: str) -> "Argument":
        """Return the argument with a default, for help."""
        flag = evolve(self.flag, description=f"{self.flag.description} (default: {value})")
        return evolve(self, required=False, flag=flag)

    @property
    def without(self) -> str:
        """Return the flag that clears the value."""
        return f"--no-{self.spelled[2:]}"

    @property
    def switch(self) -> bool:
        """Return True if it is a boolean."""
        return self.item is not None and self.item.type is bool

    @property
    def free(self) -> bool:
        """Return True if it is a free text, not one of a few choices."""
        return self.item is not None and self.item.type is str and not self.item.choices

    @property
    def legal(self) -> str:
        """Return the legal values in words."""
        if self.item is None:
            return "a JSON document"
        if self.free:
            longest = "" if self.flag.longest is None else f" of at most {self.flag.longest:,} characters"
            return f"{'a path' if self.flag.path else 'a text' if self.flag.long else 'a line of text'}{longest}"
        return self.item.legal

    def check(self, value: object) -> object:
        """Return a batch's value as the handler takes it.

        Raises:
            ValueError: If the value is not legal; the message names the legal ones as in JSON.
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
        """Return the items of a batch's list. Raises ValueError as `check` does."""
        if not isinstance(value, list):
            raise ValueError(f"a list is needed; each item is {self.legal}")
        return tuple([self._check_one(item) for item in value])

    def _pairs(self, value: object) -> tuple[Replacement, ...]:
        pairs = value if isinstance(value, list) else []
        if not pairs or not all(isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in pairs):
            raise ValueError('a list of pairs is needed: [["old text", "new text"]]')
        return tuple(self.pair(old, new) for old, new in pairs)

    def pair(self, old: str, new: str) -> Replacement:
        """Return a replacement. Raises ValueError for an empty old text, and for illegal characters."""
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
        """Read one value of a command line or a file. Raises ValueError, with the legal values."""
        assert self.item is not None
        return self._checked(text, self.without) if self.free else self.item.read(text)

    def _checked(self, text: str, without: str) -> object:
        """Check a free text. Its line ends stay: those of a diff are those of its file."""
        assert self.item is not None
        if self.flag.longest is not None and len(text) > self.flag.longest:
            raise ValueError(f"it has {len(text):,} characters, but must be {self.legal}; shorten it")
        if not text.strip():
            away = f"; {without} removes it" if self.clearable and not self.listed else ""
            raise ValueError(f"it must not be blank{away}")
        if self.flag.long:
            canonical(text, "the text")
            value: object = text
        else:
            value = self.item.check(text)
        if self.flag.path and text.startswith(URL_SCHEMES):
            from ...state.database.addresses import folder_of  # few runs have their state in a database

            value = folder_of(text)
        if self.flag.rule and not (self.flag.ref and REFERENCE in text):
            self.flag.rule(text)
        return value
