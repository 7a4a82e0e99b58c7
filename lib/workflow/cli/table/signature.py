"""The arguments of a command, read from the signature of its handler."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, reduce
from operator import or_
from typing import Final, get_args, get_origin, get_type_hints

from attrs import has

from ...arguments.parameter import Arg, Parameter, check_declared, unwrapped
from ...arguments.signatures import Declared, declared
from ...codec.objects import shape_of
from ...errors import WorkflowError
from .arguments import Argument, Flag, Unset
from .edits import Edit, Replacement

TAKEN: Final = frozenset({"as", "command", "help", "role", "format"})
"""Keys that every command already has."""


@cache
def arguments_of(handler: Callable[..., object], skip: int) -> Mapping[str, Argument]:
    """Return the annotated parameters after the first `skip`, by key.

    Raises:
        WorkflowError: If no request can carry the type of a parameter.
    """
    try:
        hints = get_type_hints(handler, include_extras=True)
        parameters = declared(handler)[skip:]
    except (NameError, TypeError, ValueError) as error:
        raise WorkflowError(f"cannot read the signature of its handler: {error}") from None
    found = [_argument(item, hints.get(item.name)) for item in parameters]
    return {argument.key: argument for argument in found}


def _argument(item: Declared, hint: object) -> Argument:
    inner, marks = _without_marks(hint)
    kind, arg, optional = unwrapped(inner)
    listed = get_origin(kind) is tuple and get_args(kind)[1:] == (...,)
    one, own, _ = unwrapped(get_args(kind)[0]) if listed else (kind, None, False)
    flag = _flag(arg or own or Flag())
    where = f"parameter {item.name}"
    if item.name.rstrip("_") in TAKEN or item.name.startswith("_"):
        raise WorkflowError(f"{where}: the name is reserved for the command line; choose another")
    if one is Replacement and listed:
        return Argument(name=item.name, flag=flag, replaces=True, listed=True)
    if not isinstance(one, type) or not (has(one) or one in (str, int, bool) or issubclass(one, StrEnum)):
        raise WorkflowError(f"{where}: a request cannot carry {hint!r}; see `Flag` for the legal types")
    if Edit in marks and (one is not str or not listed):
        raise WorkflowError(f"{where}: `Edit` is for a tuple of str")
    parameter = Parameter(name=item.name, type=one, arg=flag, default=None, required=True)
    _check_flag(parameter, flag, where, listed)
    if arg and own:
        raise WorkflowError(f"{where}: annotate either the list or its items, not both")
    document = shape_of(kind) if has(one) else None
    return Argument(
        name=item.name,
        flag=flag,
        item=None if document else parameter,
        document=document,
        listed=listed and document is None,
        editable=Edit in marks,
        clearable=Unset in marks and (optional or listed),
        nullable=optional,
        required=item.required,
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
    """Raise WorkflowError for settings that would be ignored."""
    check_declared(parameter, where)
    if flag.samples:
        raise WorkflowError(f"{where}: `samples` are for steps; a command's examples are in its table")
    textual = flag.long or flag.rule or flag.ref
    if textual and (parameter.type is not str or flag.choices or (flag.path and flag.long)):
        raise WorkflowError(f"{where}: `long`, `rule` and `ref` are for a str without choices; a path is one line")
    if flag.each and not listed:
        raise WorkflowError(f"{where}: `each` is for a tuple, whose items are given one by one")


def _without_marks(hint: object) -> tuple[object, frozenset[object]]:
    """Return the hint without `| Unset` and `| Edit`, and those of the two that it had."""
    options = get_args(hint)
    marks = frozenset(options) & {Unset, Edit} if Unset in options or Edit in options else frozenset()
    rest = tuple(option for option in options if option not in marks)
    return (reduce(or_, rest) if marks else hint), marks
