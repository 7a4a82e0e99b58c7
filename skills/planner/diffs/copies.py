"""Copies of single files of a project, which is only read."""

import os
import stat
from typing import Final

MAX_FILE: Final = 20_000_000
"""Most bytes of a file that diffs are tried on."""


def copied(project: str, target: str, file: str) -> None:
    """Copy the file of the project, if it exists, to its place below the target. Its folders are always made.

    Raises ValueError for anything but a plain file of the project: a link, or a file behind one; a folder, a pipe; a
    file that is too large.
    """
    source = project
    for part in file.split("/")[:-1]:
        source = os.path.join(source, part)
        _refuse_link(source, file)
    source, copy = os.path.join(project, *file.split("/")), os.path.join(target, *file.split("/"))
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    found = _refuse_link(source, file)
    if found is None:
        return
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{file} is not a regular file; name one")
    if found.st_size > MAX_FILE:
        raise ValueError(f"{file} has {found.st_size:,} bytes; at most {MAX_FILE:,} are tried")
    with open(os.open(source, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as read, open(copy, "wb") as write:
        write.write(read.read(MAX_FILE + 1))
    os.chmod(copy, 0o755 if found.st_mode & stat.S_IXUSR else 0o644)


def _refuse_link(path: str, file: str) -> os.stat_result | None:
    """Return the status of the path, or None if nothing is there. Raises ValueError for a link."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(found.st_mode):
        raise ValueError(f"{file} is behind a symbolic link, {path!r:.200}; name the file itself")
    return found
