"""On-disk cache of the workflow list, invalidated when a source file changes, because importing all workflows is slow.

It is in the user's cache folder. If that cannot be written, or the file is invalid, all workflows are read.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import Final
from zlib import crc32

from ...state.files import read_whole, remove, replace_whole
from ...state.run_dirs import cache_folder
from .listing import Listing, Row, read_listing
from .packages import packages

MAX_SIZE: Final = 1 << 20
READ: Final = (".py", ".md", ".txt")
"""File types that workflows are made of: code, texts, lists."""
OURS: Final = __name__.rpartition(".app.")[0]


def listing(everything: bool) -> Listing:
    """Return the installed workflows, from the cache if no source file has changed."""
    sign = signature(packages(), everything)
    found = kept(sign)
    if found is None:
        found = read_listing(everything)
        if not found.faults:  # a fault may be fixed by a change outside the signature, such as in a library
            keep(sign, found)
    return found


def signature(packages: tuple[str, ...], everything: bool) -> str:
    """Return a signature of the packages, this library and the interpreter."""
    said = tuple(os.environ.get(name, "") for name in ("WORKFLOW_PYTHON", "PYTHONPATH"))
    key = (sys.executable, sys.version, said, everything, packages)
    files = sorted(entry for package in (OURS, *packages) for entry in _files_of(package))
    newest = max((changed for _, changed, _ in files), default=0)
    return f"{len(files)}-{newest}-{crc32(repr((key, files)).encode()):08x}"


def _files_of(package: str) -> Iterator[tuple[str, int, int]]:
    """Yield path, time of the last change in nanoseconds, and size of each relevant file."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return
    folders = list(spec.submodule_search_locations or ()) if spec else []
    while folders:
        folder = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders += [entry.path] if entry.name.isidentifier() and entry.name != "__pycache__" else []
            elif entry.name.endswith(READ):
                status = entry.stat()
                yield entry.path, status.st_mtime_ns, status.st_size


def _place() -> str:
    """Return the path of the cache. Raises OSError for a user without a home folder."""
    return os.path.join(cache_folder(), "list.json")


def kept(sign: str) -> Listing | None:
    """Return the cached list for the signature; None without a valid one."""
    try:
        found = json.loads(read_whole(_place(), MAX_SIZE))[sign]
        return Listing(
            tuple(_typed(Row(*row)) for row in found["rows"]),
            (),
            tuple((str(package), int(number)) for package, number in found["unread"]),
        )
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _typed(row: Row) -> Row:
    if tuple(map(type, row)) != (str, str, int, str, str, bool):
        raise ValueError("not a row of a list")
    return row


def forget() -> None:
    """Remove the cached list, if there is one."""
    with suppress(OSError):
        remove(_place())
        os.rmdir(os.path.dirname(_place()))


def keep(sign: str, found: Listing) -> None:
    """Store the list in place of the last one, if possible."""
    try:
        os.makedirs(os.path.dirname(_place()), mode=0o700, exist_ok=True)
        text = json.dumps({sign: {"rows": found.rows, "unread": found.unread}}, ensure_ascii=False)
        replace_whole(_place(), text.encode())
    except OSError:
        return
