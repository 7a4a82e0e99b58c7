"""Single values in JSON: texts, numbers, booleans, members of a closed set; and the errors for other values."""

import json
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import NamedTuple, TypeAlias

from ..arguments.parameter import Parameter
from ..util.characters import MAX_NUMBER, canonical
from ..util.suggest import nearest


class CodecError(ValueError):
    """Raised for a value that the class does not declare. `path` locates it, such as `milestones[2].files[0]`."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem = problem
        self.path = path

    def within(self, place: str | int) -> "CodecError":
        """Return the same error with the path of the object or list around it."""
        inner = self.path if not self.path or self.path.startswith("[") else f".{self.path}"
        return CodecError(self.problem, f"[{place}]{inner}" if isinstance(place, int) else f"{place}{inner}")


Decode: TypeAlias = Callable[[object], object]
Encode: TypeAlias = Callable[[object, str], str]
"""Function of the value, and of the line break with the indentation of the value's first line."""


class Shape(NamedTuple):
    """The reader and writer of a type's values. Both raise CodecError for values of other types."""

    decode: Decode
    encode: Encode


class Doubled(dict[str, object]):
    """A JSON object with a duplicate key. It is of a subclass of dict, so checks for dict itself refuse it."""

    key = ""
    """The duplicate key."""


def wrong(value: object, legal: str) -> CodecError:
    """Return the error for a value of the wrong type."""
    if isinstance(value, Doubled):
        return CodecError(f"duplicate key {value.key!r:.60}")
    if isinstance(value, int) and not abs(value) < MAX_NUMBER:
        return CodecError(f"a number of over 18 digits is not {legal}")
    if value is None or isinstance(value, (bool, int, float)):
        return CodecError(f"{json.dumps(value)} is not {legal}")
    if isinstance(value, str):
        return CodecError(f"{json.dumps(value[:60])} is not {legal}")
    shown = "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else type(value).__name__
    return CodecError(f"must be {legal}, not {shown}")


def leaf(parameter: Parameter) -> Shape:
    """Return the shape of a single value. Raises TypeError if JSON cannot express the type."""
    if parameter.choices:
        return _member(parameter)
    if parameter.type is int:
        return _number(parameter)
    if parameter.type is bool:
        return Shape(_truth, lambda value, pad: "true" if _truth(value) else "false")
    if parameter.type is str:
        return Shape(_text, _write_text)
    raise TypeError(
        f"{parameter.type.__name__} cannot be stored as JSON; use str, int, bool, a StrEnum or a frozen class of attrs"
    )


def _member(parameter: Parameter) -> Shape:
    members = {str(choice): parameter.check(choice) for choice in parameter.choices}
    written = {choice: encode_basestring(choice) for choice in members}

    def member(value: object) -> object:
        if isinstance(value, str) and value in members:
            return members[value]
        near = nearest(value, members) if isinstance(value, str) else None
        raise wrong(value, parameter.legal + (f"; did you mean {near!r}?" if near else ""))

    return Shape(member, lambda value, pad: written[str(member(value))])


def _number(parameter: Parameter) -> Shape:
    low = 0 if parameter.arg.min is None else parameter.arg.min
    high = MAX_NUMBER - 1 if parameter.arg.max is None else parameter.arg.max
    legal = "a whole number " + (f"of at least {low}" if parameter.arg.max is None else f"from {low} to {high}")

    def number(value: object) -> int:
        if type(value) is int and low <= value <= high:
            return value
        raise wrong(value, legal)

    return Shape(number, lambda value, pad: str(number(value)))


def _truth(value: object) -> bool:
    if value is True or value is False:
        return value
    raise wrong(value, "true or false")


def _text(value: object) -> str:
    if type(value) is not str:
        raise wrong(value, "a text")
    if value.isprintable():
        return value
    try:
        canonical(value, "the text")
    except ValueError as error:
        raise CodecError(str(error)) from None
    return value  # keeps its line ends: those of a diff are those of its file


def _write_text(value: object, pad: str) -> str:
    if type(value) is str and value.isprintable():  # `_text`, without the call
        return encode_basestring(value)
    return encode_basestring(_text(value))
