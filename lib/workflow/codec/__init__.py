"""JSON for frozen attrs classes: reads and writes exactly the declared fields, and refuses anything else with its path.

A field is str, int, bool, a StrEnum, another attrs class, `T | None` or `tuple[T, ...]`. `Annotated[…, Arg(…)]`
narrows a number or text as it does for a flag. A validator's message `Class.field: problem` gets the field's path. A
field with a default may be missing in the JSON; all fields are written.
"""

import json
from typing import Final, Generic, TypeVar

from ..util.suggest import repeated
from .objects import shape_of
from .scalars import CodecError as CodecError
from .scalars import Doubled

T = TypeVar("T")

MAX_SIZE: Final = 16 << 20
"""Maximum size of one JSON text in bytes."""
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Codec(Generic[T]):
    """A reader and writer of one class's values. Methods raise CodecError for data that the class does not declare."""

    def __init__(self, cls: type[T], lenient: bool = False) -> None:
        self.cls = cls
        self._shape = shape_of(cls, lenient)

    def decode(self, value: object) -> T:
        """Return the value for parsed JSON."""
        found = self._shape.decode(value)
        assert isinstance(found, self.cls)
        return found

    def loads(self, data: bytes | str) -> T:
        """Return the value for a JSON text."""
        return self.decode(parsed(data))

    def dumps(self, value: T) -> str:
        """Return the value as indented JSON, without unnecessary escapes."""
        return self._shape.encode(value, "\n")


_codecs: Final[dict[tuple[type, bool], object]] = {}


def codec(cls: type[T], lenient: bool = False) -> Codec[T]:
    """Return the codec of a class; it is made once. Raises TypeError if JSON cannot express a field.

    Args:
        cls: The class.
        lenient: If true, ignore unknown keys, which a newer version may have written.
    """
    made = _codecs.get((cls, lenient))
    if not isinstance(made, Codec):
        made = _codecs[cls, lenient] = Codec(cls, lenient)
    return made


def parsed(data: bytes | str, typed: bool = False) -> object:
    """Parse a JSON text within the limits. An object with a duplicate key fits no class.

    Args:
        data: At most MAX_SIZE bytes.
        typed: True if an agent wrote the text by hand: texts may then hold raw line breaks and tabs.

    Raises:
        CodecError: If the text is not JSON; the message gives the position and, with `typed`, the text before it.
    """
    if len(data) > MAX_SIZE:
        raise CodecError(f"has {len(data):,} bytes; at most {MAX_SIZE:,} are read")
    try:
        text = data if isinstance(data, str) else text_of(data)
        value: object = (_TYPED if typed else _STRICT).decode(text)
        return value
    except UnicodeDecodeError as error:
        raise CodecError(f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        if not data.strip():
            raise CodecError("is empty; it must hold JSON") from None
        shown = f" {_near(error)}" if typed else ""
        what = f"{error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}"
        raise CodecError(f"is not JSON: {what}{shown}") from None
    except RecursionError:
        raise CodecError("is nested too deeply") from None
    except ValueError as error:  # a number with more digits than Python reads
        raise CodecError(f"is not JSON: {error}") from None


def _near(error: json.JSONDecodeError) -> str:
    """Return the text before an error, with a hint about escapes."""
    before = error.doc[max(0, error.pos - 40) : error.pos + 1]
    return f'after {before!r}; within a text write \\" for a quote and \\\\ for a backslash'


def text_of(data: bytes) -> str:
    """Decode the text of a file, without a byte order mark. Raises UnicodeDecodeError."""
    return data.removeprefix(BYTE_ORDER_MARK).decode()


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        found = Doubled(found)
        found.key = repeated(name for name, _ in pairs)[0]
    return found


_STRICT: Final = json.JSONDecoder(object_pairs_hook=_distinct)
_TYPED: Final = json.JSONDecoder(object_pairs_hook=_distinct, strict=False)
