"""What a command can be told, read from the signature of its handler: by flag on a command line, by key in a batch."""

import inspect
from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from functools import cache, reduce
from operator import or_
from typing import Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from attrs import frozen, has

from ..characters import canonical
from ..command import flag_of
from ..errors import WorkflowError
from ..leaves import Shape
from ..parameters import Arg, Parameter, check_declared, unwrapped
from ..shapes import shape_of

T = TypeVar("T")
Values: TypeAlias = Mapping[str, object]
"""What a request says, by the parameter's name; what is not said is not there."""


TAKEN: Final = frozenset({"command", "help", "role", "format"})
"""Keys that every command has already."""


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


@frozen(kw_only=True, eq=False, repr=False)
class Flag(Arg):
    """An `Arg` for commands, which can be told more than steps can.

    A parameter is a str, int, bool or StrEnum, or a tuple of them; or a frozen class, or a tuple of those, which comes
    as a JSON document. `| None` lets it be absent, `| Unset` lets an update leave it as it is, and both together let it
    be taken away; so does `| Unset` of a tuple.
    """

    positional: bool = False
    """Given by its place behind the command, not by a flag."""
    long: bool = False
    """A text of any number of lines; it can also come from a file or standard input, by `--NAME-file`."""
    each: str = ""
    """Of a list: the name of the flag that is repeated, such as `file` for `files`."""
    rule: Callable[[str], object] | None = None
    """What else must hold of a text; raises ValueError. So a malformed id is told before any file is looked at."""


@frozen(kw_only=True, eq=False, repr=False)
class Argument:
    """One parameter of a command, ready to read and check a value from either surface."""

    name: str
    """As the handler has it."""
    flag: Flag
    item: Parameter | None = None
    """How one value is read; None for a JSON document."""
    document: Shape | None = None
    """How a JSON document is read."""
    listed: bool = False
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
    def spelled(self) -> str:
        """Its name on a command line."""
        if self.flag.positional:
            return self.key.upper()
        if self.document:
            return flag_of(f"{self.key}_file")
        return flag_of(self.flag.each or self.key)

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
        """The value of a batch, as the handler takes it. Raises ValueError, with the legal values, for any other."""
        if value is None and self.nullable:
            return None
        if self.document:
            return self.document.decode(value)
        if not self.listed:
            return self._check_one(value)
        if not isinstance(value, list):
            raise ValueError(f"a list is needed; each item is {self.legal}")
        if not value and not self.clearable:
            raise ValueError("the list must not be empty")
        return tuple([self._check_one(item) for item in value])

    def _check_one(self, value: object) -> object:
        assert self.item is not None
        if value is None or not isinstance(value, (str, int)):
            raise ValueError(f"{'null' if value is None else 'this'} is not {self.legal}")
        return self._ruled(
            self._text(value) if self.free and isinstance(value, str) else self.item.check(value), "null"
        )

    def read(self, text: str) -> object:
        """One value that stands on a command line or in a file. Raises ValueError, with the legal values."""
        assert self.item is not None
        return self._ruled(self._text(text) if self.free else self.item.read(text), self.without)

    def _text(self, text: str) -> object:
        """The text, with the line ends that it has: a diff's are those of its file."""
        assert self.item is not None
        if self.flag.longest is not None and len(text) > self.flag.longest:
            raise ValueError(f"it has {len(text):,} characters, and is not {self.legal}; shorten it")
        if not self.flag.long:
            return self.item.check(text)
        canonical(text, "the text")
        return text

    def _ruled(self, value: object, without: str) -> object:
        if isinstance(value, str):
            if not value.strip():
                away = f"; {without} takes it away" if self.clearable and not self.listed else ""
                raise ValueError(f"it must not be blank{away}")
            if self.flag.rule:
                self.flag.rule(value)
        return value

    @property
    def without(self) -> str:
        """The flag that takes the value away."""
        return f"--no-{self.spelled[2:]}"


@cache
def arguments_of(handler: Callable[..., object], skip: int) -> Mapping[str, Argument]:
    """The annotated parameters after the first few, by key. Raises WorkflowError for one that no request can carry."""
    try:
        hints = get_type_hints(handler, include_extras=True)
        parameters = list(inspect.signature(handler).parameters.values())[skip:]
    except (NameError, TypeError, ValueError) as error:
        raise WorkflowError(f"its handler is no function that can be read: {error}") from None
    found = [_argument(item, hints.get(item.name)) for item in parameters]
    return {argument.key: argument for argument in found}


def _argument(item: inspect.Parameter, hint: object) -> Argument:
    inner, unset = _without_unset(hint)
    kind, arg, optional = unwrapped(inner)
    listed = get_origin(kind) is tuple and get_args(kind)[1:] == (...,)
    one, own, _ = unwrapped(get_args(kind)[0]) if listed else (kind, None, False)
    flag = _flag(arg or own or Flag())
    where = f"parameter {item.name}"
    if item.name.rstrip("_") in TAKEN or item.name.startswith("_"):
        raise WorkflowError(f"{where}: the name is taken by the command line itself; choose another")
    if not isinstance(one, type) or not (has(one) or one in (str, int, bool) or issubclass(one, StrEnum)):
        raise WorkflowError(f"{where}: {hint!r} is nothing that a request can carry; see `Flag` for what is")
    parameter = Parameter(name=item.name, type=one, arg=flag, default=None, required=True)
    _check_flag(parameter, flag, where, listed)
    if arg and own:
        raise WorkflowError(f"{where}: the list and its items are both annotated; say all of it in one place")
    document = shape_of(kind) if has(one) else None
    return Argument(
        name=item.name,
        flag=flag,
        item=None if document else parameter,
        document=document,
        listed=listed and document is None,
        clearable=unset and (optional or listed),
        nullable=optional,
        required=item.default is item.empty,
    )


def _flag(arg: Arg) -> Flag:
    if isinstance(arg, Flag):
        return arg
    return Flag(
        description=arg.description,
        min=arg.min,
        max=arg.max,
        choices=arg.choices,
        samples=arg.samples,
        longest=arg.longest,
        path=arg.path,
    )


def _check_flag(parameter: Parameter, flag: Flag, where: str, listed: bool) -> None:
    """Raises WorkflowError for what would be taken and ignored."""
    check_declared(parameter, where)
    if flag.samples:
        raise WorkflowError(f"{where}: `samples` are for steps; a command's examples stand in its table")
    if (flag.long or flag.rule) and (parameter.type is not str or flag.choices or (flag.path and flag.long)):
        raise WorkflowError(f"{where}: `long` and `rule` are for a str without choices; a path is one line")
    if flag.each and not listed:
        raise WorkflowError(f"{where}: `each` is for a tuple, whose items are given one by one")


def _without_unset(hint: object) -> tuple[object, bool]:
    """The hint without `| Unset`, and whether it had that."""
    options = get_args(hint)
    if Unset not in options:
        return hint, False
    rest = tuple(option for option in options if option is not Unset)
    return reduce(or_, rest), True
