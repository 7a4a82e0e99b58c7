"""A transcript: the prints of an agent's scripts, one JSON line each."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from attrs import asdict, frozen

from .files import read_whole
from .locks import NO_FOLLOW

LARGEST: Final = 256 << 20
"""Maximum bytes of a transcript that is read."""


@frozen(kw_only=True)
class Print:
    """The output of one command."""

    name: str
    """Module of a script; for a command of a table, the last part of the module's name and the command's name."""
    text: str


def add(path: str, home: str, words: Sequence[str], printed: str) -> None:
    """Add a print. If the transcript cannot be written, the command goes on without it.

    Args:
        path: The transcript.
        home: Module that holds the workflow or the table, or of another script.
        words: The script's arguments.
        printed: The whole output, without the newline at the end.
    """
    line = json.dumps(asdict(Print(name=_name(home, words), text=f"{printed}\n")))
    with suppress(OSError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_FOLLOW, 0o600)
        try:
            os.write(handle, f"{line}\n".encode())
        finally:
            os.close(handle)


def _name(home: str, words: Sequence[str]) -> str:
    table = getattr(sys.modules.get(home), "TABLE", None)
    if table is None:
        return home
    script = str(table.module).rpartition(".")[2]
    return f"{script} {next((word for word in words if word in table.rows), '')}".strip()


def read(path: str) -> Iterator[Print]:
    """Yield the prints of a transcript. Torn lines of killed processes are left out. Raises OSError."""
    for line in read_whole(path, LARGEST).splitlines():
        with suppress(ValueError, TypeError, RecursionError):
            found = json.loads(line)
            yield Print(name=str(found["name"]), text=str(found["text"]))
