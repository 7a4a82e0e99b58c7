"""JSON and frozen attrs classes: what is read or written is exactly what a class declares, or refused with its path.

A field is str, int, bool, a StrEnum, another attrs class, `T | None` or `tuple[T, ...]`; `Annotated[…, Arg(…)]` narrows
a number or a text as it does for a flag, and what a validator says as `Class.field: problem` is given the field's path.
A field with a default may be left out of a text; all are written.
"""

import json
from typing import Final, Generic, TypeVar

from ..util.suggest import repeated
from .objects import shape_of
from .scalars import CodecError as CodecError
from .scalars import Doubled

T = TypeVar("T")

MAX_SIZE: Final = 16 << 20
"""Bytes of one JSON text."""
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Codec(Generic[T]):
    """Reads and writes values of one class. Each method raises CodecError for what the class does not declare."""

    def __init__(self, cls: type[T]) -> None:
        self.cls = cls
        self._shape = shape_of(cls)

    def decode(self, value: object) -> T:
        """The value that a parsed JSON text stands for."""
        found = self._shape.decode(value)
        assert isinstance(found, self.cls)
        return found

    def loads(self, data: bytes | str) -> T:
        """The value that a JSON text stands for."""
        return self.decode(parsed(data))

    def dumps(self, value: T) -> str:
        """The value as JSON, indented. Characters stand as they are where JSON allows it."""
        return self._shape.encode(value, "\n")


_codecs: Final[dict[type, object]] = {}


def codec(cls: type[T]) -> Codec[T]:
    """The codec of a class, made once. Raises TypeError for a class with a field that has no place in JSON."""
    made = _codecs.get(cls)
    if not isinstance(made, Codec):
        made = _codecs[cls] = Codec(cls)
    return made


def parsed(data: bytes | str, typed: bool = False) -> object:
    """Parse a JSON text within the limits. An object in which a key stands twice fits no class.

    Args:
        typed: An agent wrote the text by hand: texts may then hold line breaks and tabs as they are.

    Raises:
        CodecError: The text is not JSON; the message says where, and shows the place if it was typed by hand.
    """
    if len(data) > MAX_SIZE:
        raise CodecError(f"has {len(data):,} bytes; at most {MAX_SIZE:,} are read")
    try:
        text = data if isinstance(data, str) else text_of(data)
        return json.loads(text, object_pairs_hook=_distinct, strict=not typed)
    except UnicodeDecodeError as error:
        raise CodecError(f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        if not data.strip():
            raise CodecError("is empty; it must hold JSON") from None
        shown = f" {_near(error)}" if typed else ""
        raise CodecError(f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}{shown}") from None
    except RecursionError:
        raise CodecError("is nested too deeply") from None
    except ValueError as error:  # a number with more digits than Python reads
        raise CodecError(f"is not JSON: {error}") from None


def _near(error: json.JSONDecodeError) -> str:
    """The text before the place of an error, and how a text is written."""
    before = error.doc[max(0, error.pos - 40) : error.pos + 1]
    return f'behind {before!r}; within a text write \\" for a quote and \\\\ for a backslash'


def text_of(data: bytes) -> str:
    """The text of a file, without the mark that some editors put first. Raises UnicodeDecodeError."""
    return data.removeprefix(BYTE_ORDER_MARK).decode()


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        found = Doubled(found)
        found.key = repeated(name for name, _ in pairs)[0]
    return found
