"""The texts to check: named files, the files that git lists of a folder, and standard input."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from lib.workflow.errors import UsageError
from lib.workflow.state.git import listed

from .kinds import is_history
from .languages import language_of

MAX_BYTES: Final = 2_000_000
"""Most bytes of a file; larger ones are generated or data."""
INPUT: Final = "-"


class Source(NamedTuple):
    """A text to check."""

    path: str
    language: str
    text: str


def sources(paths: Sequence[str], spared: Sequence[str]) -> Iterator[Source]:
    """Yield the readable texts of the paths: of a known language, not spared, not history.

    Raises UsageError for a path that does not exist.
    """
    for path in dict.fromkeys(inner for given in paths for inner in _within(given)):
        language = language_of(path)
        if language and not is_history(path) and not any(fnmatchcase(path, pattern) for pattern in spared):
            text = _read(path)
            if text is not None:
                yield Source(path, language, text)


def decoded(data: bytes) -> str:
    """Return the text of a file's bytes, with a replacement for bytes that are not UTF-8."""
    return data.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _within(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        for name in sorted(listed(path)):
            inner = os.path.normpath(os.path.join(path, name))
            if os.path.isfile(inner) and not os.path.islink(inner):
                yield inner
    elif os.path.isfile(path):
        yield os.path.normpath(path)
    else:
        raise UsageError(f"{path!r:.200} is neither a file nor a folder; give paths to check, or '-' with --name")


def _read(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path!r:.200} cannot be read: {error.strerror}") from None
    return None if len(data) > MAX_BYTES or b"\0" in data else decoded(data)
