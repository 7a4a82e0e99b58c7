"""JSON objects and lists, from the fields of frozen attrs classes; each class is compiled once, on first use."""

from collections.abc import Callable, Collection, Sequence
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Final, get_args, get_origin

from attrs import NOTHING, fields, has

from ..arguments.parameter import Arg, Parameter, unwrapped
from ..util.suggest import expected
from .scalars import CodecError, Decode, Encode, Shape, leaf, wrong

STEP: Final = "  "
"""Indentation per level: agents and people read these files."""

_shapes: Final[dict[tuple[object, bool], Shape]] = {}


def shape_of(hint: object, lenient: bool = False) -> Shape:
    """Return the shape of a type; it is made once. Raises TypeError if JSON cannot express the type.

    Args:
        hint: The type.
        lenient: If true, unknown keys of objects are ignored.
    """
    found = _shapes.get((hint, lenient))
    if found is None:
        found = _shapes[hint, lenient] = _made(hint, lenient)
    return found


def _made(hint: object, lenient: bool) -> Shape:
    kind, arg, optional = unwrapped(hint)
    if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
        shape = _listed(shape_of(get_args(kind)[0], lenient))
    elif not isinstance(kind, type):
        raise TypeError(f"{hint!r} cannot be stored as JSON; use str, int, bool, a StrEnum, a frozen class or a tuple")
    elif has(kind):
        shape = _object(kind, lenient)
    else:
        shape = leaf(Parameter(name="", type=kind, arg=arg or Arg(), default=None, required=True))
    return _optional(shape) if optional else shape


def _optional(shape: Shape) -> Shape:
    decode, encode = shape
    return Shape(
        lambda value: None if value is None else decode(value),
        lambda value, pad: "null" if value is None else encode(value, pad),
    )


def _listed(shape: Shape) -> Shape:
    decode_one, encode_one = shape

    def decode(value: object) -> object:
        if type(value) is not list:
            raise wrong(value, "a list")
        try:
            return tuple([decode_one(item) for item in value])
        except CodecError:
            raise _first(decode_one, value) from None

    def encode(value: object, pad: str) -> str:
        if type(value) is not tuple:
            raise wrong(value, "a tuple")
        if not value:
            return "[]"
        inner = pad + STEP
        try:
            return f"[{inner}{f',{inner}'.join([encode_one(item, inner) for item in value])}{pad}]"
        except CodecError:
            raise _first(lambda item: encode_one(item, inner), value) from None

    return Shape(decode, encode)


def _first(one: Callable[[object], object], items: Sequence[object]) -> CodecError:
    """Return the error of the first wrong item, with its index; the loop without errors then need not count."""
    for index, item in enumerate(items):
        try:
            one(item)
        except CodecError as error:
            return error.within(index)
    raise AssertionError("unreachable: every item is valid")


def _first_named(names: Sequence[str], encoders: Sequence[Encode], items: Sequence[object], pad: str) -> CodecError:
    """Return the error of the first wrong field of an object that is written."""
    for name, one, item in zip(names, encoders, items, strict=False):
        try:
            one(item, pad)
        except CodecError as error:
            return error.within(name)
    raise AssertionError("unreachable: every field is valid")


def _object(cls: type, lenient: bool) -> Shape:
    declared = [attribute for attribute in fields(cls) if attribute.init]
    shapes = [(attribute.name, shape_of(attribute.type, lenient)) for attribute in declared]
    names = tuple(name for name, _ in shapes)
    required = tuple(attribute.name for attribute in declared if attribute.default is NOTHING)
    return Shape(_reader(cls, shapes, names, required, lenient), _writer(cls, shapes))


def _reader(
    cls: type, shapes: Sequence[tuple[str, Shape]], names: Collection[str], required: Collection[str], lenient: bool
) -> Decode:
    decoders = [(name, shape.decode) for name, shape in shapes]

    def decode(value: object) -> object:
        if type(value) is not dict:
            raise wrong(value, "an object")
        arguments = {}
        name = ""
        try:
            for name, one in decoders:
                if name in value:
                    arguments[name] = one(value[name])
        except CodecError as error:
            _check_names(value, names, required, lenient)
            raise error.within(name) from None
        if len(arguments) < len(names) or len(value) > len(names):
            _check_names(value, names, required, lenient)
        try:
            return cls(**arguments)
        except (TypeError, ValueError) as error:
            raise _born(cls, error) from None

    return decode


def _check_names(value: Collection[str], names: Collection[str], required: Collection[str], lenient: bool) -> None:
    for name in value:
        if not lenient and name not in names:
            raise CodecError(f"unknown key {name!r:.60}; {expected(name, names)}")
    for name in required:
        if name not in value:
            raise CodecError(f"missing key {name!r}")


def _writer(cls: type, shapes: Sequence[tuple[str, Shape]]) -> Encode:
    encoders = [(f"{encode_basestring(name)}: ", shape.encode) for name, shape in shapes]
    names = [name for name, _ in shapes]
    values_of = attrgetter(*names, "__class__")  # at least two names, so that it returns a tuple

    def encode(value: object, pad: str) -> str:
        if type(value) is not cls:
            raise wrong(value, f"a {cls.__name__}")
        inner = pad + STEP
        items = values_of(value)
        try:
            lines = [key + one(item, inner) for (key, one), item in zip(encoders, items, strict=False)]
        except CodecError:
            raise _first_named(names, [one for _, one in encoders], items, inner) from None
        return f"{{{inner}{f',{inner}'.join(lines)}{pad}}}"

    return encode


def _born(cls: type, error: Exception) -> CodecError:
    """Convert an error of a class: `Class.field: problem` becomes a problem of that field."""
    said = str(error)
    owner = f"{cls.__name__}."
    place, found, problem = said.removeprefix(owner).partition(": ")
    return CodecError(problem, place) if found and said.startswith(owner) else CodecError(said)
