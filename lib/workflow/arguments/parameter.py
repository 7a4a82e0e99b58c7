"""Parameters of a step's command line, read from the signature of its handler."""

import os
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType, UnionType
from typing import Annotated, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from attrs import frozen

from ..command import flag_of
from ..errors import WorkflowError
from ..util.characters import MAX_DIGITS, MAX_NUMBER, check_line
from ..util.structs import Struct
from ..util.suggest import nearest
from .signatures import Declared, declared

Value: TypeAlias = str | int | bool | None
"""The value of a flag; None if the flag was not given. Members of an enum are strings."""

RESERVED: Final = frozenset({"step", "total_steps", "form", "format", "help"})
"""Names of a step script's own arguments."""
URL_SCHEMES: Final = ("postgresql://", "postgres://")
"""Beginnings of a path that is the URL of a run, whose state is in a database."""


@frozen(kw_only=True)
class Arg(Struct):
    """The meaning of a handler's parameter, for those who write the command: `Annotated[int, Arg(min=1, max=5)]`.

    A parameter is required if it has neither a default in the signature nor `| None` in its type.

    Attributes:
        min: Lowest legal int.
        max: Highest legal int.
        choices: Legal values of a str; an enum brings its own.
        samples: Values of a str or int that represent all others when a workflow is proved.
        longest: Maximum number of characters of a str; longer texts travel by file.
        path: True if the str is the path of a file or folder. A relative path, such as a default of ".", starts at the
            working directory, and every printed command carries it whole. The URL of a run means that run's folder on
            this host. A proof uses a path of its own, so `samples` are only examples.
    """

    description: str = ""
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] | None = None
    samples: tuple[str, ...] | tuple[int, ...] = ()
    longest: int | None = None
    path: bool = False


@frozen(kw_only=True)
class Parameter(Struct):
    """A handler's parameter; reads, checks and explains a value."""

    name: str
    type: type
    """str, int, bool or a StrEnum."""
    arg: Arg
    default: Value
    required: bool

    @property
    def flag(self) -> str:
        """Return the parameter's flag on the command line."""
        return flag_of(self.name)

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the legal values if they are listed by name; else an empty tuple."""
        if issubclass(self.type, StrEnum):
            return tuple(self.type)
        return self.arg.choices or ()

    @property
    def legal(self) -> str:
        """Return the legal values in words, for help and errors."""
        if self.choices:
            return "one of " + ", ".join(self.choices) if len(self.choices) > 1 else self.choices[0]
        if self.type is not int:
            longest = f" of at most {self.arg.longest} characters" if self.arg.longest else ""
            what = "a path" if self.arg.path else "a text"
            return "yes or no" if self.type is bool else f"{what}{longest}"
        low, high = self.arg.min, self.arg.max
        if low is None and high is None:
            return f"a whole number of at most {MAX_DIGITS} digits"
        if low is not None and high is not None:
            return f"a whole number from {low} to {high}"
        limit = f"at least {low}" if high is None else f"at most {high}"
        return f"a whole number of {limit}, with at most {MAX_DIGITS} digits"

    def read(self, text: str) -> Value:
        """Read a value from a command line. Raises ValueError, with the legal values, if the text is not one."""
        if self.type is not int:
            return self.check(text)
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text.lstrip("-")) <= MAX_DIGITS):
            raise ValueError(f"{text!r:.60} is not {self.legal}")
        return self.check(int(text))

    def check(self, value: Value) -> Value:
        """Return the value for the handler. Raises ValueError, with the legal values, if it is not legal."""
        if value is None and not self.required:
            return None
        if self.choices:
            if value not in self.choices:
                near = nearest(value, self.choices) if isinstance(value, str) else None
                raise ValueError(f"{value!r:.60} is not {self.legal}" + (f"; did you mean {near!r}?" if near else ""))
            return self.type(value) if issubclass(self.type, StrEnum) else value
        if type(value) is not self.type:
            raise ValueError(f"{value!r:.60} is not {self.legal}")
        if isinstance(value, str):
            if value == "--":
                raise ValueError("'--' cannot be passed on a command line; write another value")
            text = _whole_path(value) if self.arg.path else _line(value)
            if self.arg.longest is not None and len(text) > self.arg.longest:
                raise ValueError(
                    f"{value!r:.60}… is not {self.legal}: it has {len(value):,} characters; write it to a file"
                )
            return text
        if isinstance(value, int) and not self._holds(value):
            shown = repr(str(value)) if abs(value) < MAX_NUMBER else f"a number of over {MAX_DIGITS} digits"
            raise ValueError(f"{shown} is not {self.legal}")
        return value

    def _holds(self, number: int) -> bool:
        low, high = self.arg.min, self.arg.max
        if abs(number) >= MAX_NUMBER or (low is not None and number < low):
            return False
        return high is None or number <= high


def _line(text: str) -> str:
    check_line(text, "the text")
    return text


def _whole_path(text: str) -> str:
    """Return the absolute path. Its `..` stay, because their meaning depends on links in the file system."""
    if not text:
        raise ValueError("the path is empty; name a file or folder")
    if os.path.isabs(text) or text.startswith(URL_SCHEMES):
        return _line(text)
    if text != text.strip():
        raise ValueError(f"{text!r:.60} starts or ends with a space; remove the space")
    try:
        return _line(os.path.join(os.getcwd(), *(part for part in text.split(os.sep) if part not in ("", os.curdir))))
    except OSError as error:
        raise ValueError(f"the working directory cannot be read ({error}); give an absolute path") from None


@cache
def parameters_of(handler: Callable[..., object]) -> Mapping[str, Parameter]:
    """Return the annotated parameters after the context.

    Raises WorkflowError for a parameter that no flag can carry.
    """
    try:
        hints = get_type_hints(handler, include_extras=True)
        first, *parameters = declared(handler)
    except (NameError, TypeError, ValueError) as error:
        raise WorkflowError(f"cannot read the signature of its handler: {error}") from None
    if not first.by_position:
        raise WorkflowError(f"its handler takes no context; let `{first.name}` be an ordinary first parameter")
    return MappingProxyType({item.name: _parameter(item, hints.get(item.name)) for item in parameters})


def _parameter(item: Declared, hint: object) -> Parameter:
    kind, arg, optional = unwrapped(hint)
    where = f"parameter {item.name}"
    if item.name in RESERVED or item.name.startswith("_"):
        raise WorkflowError(f"{where}: the name is reserved for the command line; choose another")
    if not item.by_keyword:
        raise WorkflowError(f"{where}: must accept a keyword argument")
    if not isinstance(kind, type) or not (kind in (str, int, bool) or issubclass(kind, StrEnum)):
        raise WorkflowError(
            f"{where}: a flag cannot have the type {hint!r}; annotate it with str, int, bool or a StrEnum, "
            "such as `Annotated[int, Arg(min=1, max=5)]`"
        )
    given = not item.required
    parameter = Parameter(
        name=item.name,
        type=kind,
        arg=arg or Arg(),
        default=item.default,
        required=not given and not optional,
    )
    check_declared(parameter, where)
    if optional and parameter.default is not None:
        raise WorkflowError(
            f"{where}: allows None but has another default; no flag passes None, so remove one of the two"
        )
    if given and parameter.default is None and not optional:
        raise WorkflowError(f"{where}: has the default None; write `| None` in its type")
    return parameter


def check_declared(parameter: Parameter, where: str) -> None:
    """Check an `Arg` against its type. Raises WorkflowError, which begins with `where`."""
    arg, kind, default = parameter.arg, parameter.type, parameter.default
    of_str, of_int = arg.choices or arg.longest is not None, (arg.min, arg.max) != (None, None)
    if (of_str and kind is not str) or (of_int and kind is not int) or (arg.samples and kind not in (str, int)):
        raise WorkflowError(
            f"{where}: `choices` and `longest` are for str, `min` and `max` for int, `samples` for both; it is a "
            f"{kind.__name__}"
        )
    if arg.path and (kind is not str or arg.choices):
        raise WorkflowError(f"{where}: `path` is for a str without choices")
    if arg.min is not None and arg.max is not None and arg.min > arg.max:
        raise WorkflowError(f"{where}: min={arg.min} is above max={arg.max}; no value is legal")
    for what, values in (("default", () if default is None else (default,)), ("sample", arg.samples)):
        for value in values:
            if arg.path and isinstance(value, str) and value:
                value = os.path.join(os.sep, value)  # a declaration must not depend on the working directory
            try:
                parameter.check(value)
            except ValueError as error:
                raise WorkflowError(f"{where}: its {what} is not legal: {error}") from None


def unwrapped(hint: object) -> tuple[object, Arg | None, bool]:
    """Return the type inside `Annotated` and `| None`, in either order, its `Arg`, and True if None is legal."""
    if get_origin(hint) is Annotated:
        inner, *extras = get_args(hint)
        kind, arg, optional = unwrapped(inner)
        return kind, next((extra for extra in extras if isinstance(extra, Arg)), arg), optional
    if get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint):
        inner, *others = (option for option in get_args(hint) if option is not type(None))
        kind, arg, _ = unwrapped(inner)
        return (hint if others else kind), arg, True
    return hint, None, False
