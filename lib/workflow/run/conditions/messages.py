"""The messages in a program's output: its lines as plain text, and the errors in lines of JSON."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from ...util.terminal import plain

MOST_LINES: Final = 60
"""Maximum number of last lines that are read: a stack trace may follow the message."""
LONGEST: Final = 4_000
"""Maximum characters of a message, and of a line that is not JSON."""
_EVENT: Final = ("error", "message", "result")
_ERROR: Final = ("name", "type", "code", "message")
"""Keys of the texts of an event, and of the error in it."""


def lines_of(text: str) -> list[str]:
    """Return the last lines of an output that are not blank."""
    return [line.strip() for line in plain(text).split("\n") if line.strip()][-MOST_LINES:]


def messages(text: str) -> Iterator[str]:
    """Yield the messages of an output, the last one first. A line of JSON that reports no error has none."""
    for line in reversed(lines_of(text)):
        value = _read(line)
        if value is None:
            yield line[:LONGEST]
        else:
            yield from (each[:LONGEST] for each in _errors(value))


def _read(line: str) -> Mapping[str, object] | None:
    if not line.startswith("{") or not line.endswith("}"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _errors(event: Mapping[str, object]) -> Iterator[str]:
    """Yield the texts of an event that reports an error, as one message."""
    limit = event.get("rate_limit_info")
    if isinstance(limit, dict) and limit.get("status") == "rejected":
        yield f"usage limit reached, resets_at {limit.get('resetsAt', '')}"
    if not (event.get("error") or event.get("is_error") or event.get("type") == "error"):
        return
    errors = [event.get("error")]
    errors += [each.get("data") for each in errors if isinstance(each, dict)]
    texts = [_texts(event, _EVENT), *(_texts(each, _ERROR) for each in errors)]
    yield " ".join(text for text in texts if text)


def _texts(value: object, keys: tuple[str, ...]) -> str:
    if not isinstance(value, dict):
        return ""
    return " ".join(each for each in map(value.get, keys) if isinstance(each, str))
