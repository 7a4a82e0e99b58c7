"""Files of the project that a wave concerns: their paths and their content."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from lib.workflow.state.files import read_whole
from lib.workflow.util.digests import sha256
from lib.workflow.util.paths import project_path

from .waves import files_of

if TYPE_CHECKING:
    from ..state.run_state import RunState

MAX_COPIED: Final = 4 << 20
"""Most bytes of a file that is copied. Larger files have no copy. Nor have links, files behind links, devices,
and files that are missing or unreadable.
"""
MAX_OTHERS: Final = 200
"""Most files outside the wave that are examined."""
SNIFFED: Final = 8000
"""Bytes in which a NUL marks a file as binary, as in git."""
CHUNK: Final = 1 << 20
GONE: Final = "gone"
UNREAD: Final = "unread"


class Held(NamedTuple):
    """The content of a file."""

    mark: str
    """The SHA-256 of its bytes, or GONE, or UNREAD; for a link, that of its target path."""
    data: bytes | None = None
    """Its bytes, if it can be copied."""


Contents: TypeAlias = Mapping[str, Held]


def wave_files(state: "RunState") -> tuple[str, ...]:
    """Return the files that the wave's milestones touch, by their paths in the project."""
    building = state.run.building
    names = building.milestones if building else ()
    return files_of(each for each in state.plan.milestones if each.id in names)


def changed_beside(state: "RunState", known: Iterable[str]) -> tuple[str, ...]:
    """Return the files that git finds changed since the run's last commit, beside the known ones.

    An agent's own worktree begins with a commit of all work so far, which does not count as one. A nested repository
    ends with `/`. Files of the run itself, and names that no plan may hold, are left out.

    Raises ValueError, with git's message, if git fails.
    """
    from .worktree import HEAD, changed, commit_of  # runs git

    root, own = state.project, {*known}
    every = changed(root, commit_of(state.run.project_root) if state.is_apart else HEAD)
    return tuple(_outside(state.state_dir, root, (name for name in every if name not in own and _is_path(name))))


def contents(state: "RunState", also: Iterable[str] = ()) -> Contents:
    """Return the content of the wave's files, of the files in `also`, and of all others that git finds changed.

    Of the others only texts count: files that tools write are mostly binary, or ignored by git.
    """
    root = state.project
    named = dict.fromkeys((*wave_files(state), *also))
    return {name: held(root, name) for name in named} | dict(_others(state, named))


def changed_files(state: "RunState", marks: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files whose content differs from its mark, sorted. A file without a mark is a new one."""
    found = contents(state, marks)
    return tuple(sorted(name for name, each in found.items() if marks.get(name) != each.mark))


def _others(state: "RunState", known: Mapping[str, None]) -> Iterator[tuple[str, Held]]:
    """Yield the texts that git finds changed beside the known ones."""
    root = state.project
    try:
        found = changed_beside(state, known)
    except ValueError:  # no git, no repository, or git is too slow: only the wave's own files are known
        return
    for name in found[:MAX_OTHERS]:
        each = held(root, name)
        if each.mark == GONE or (each.data is not None and b"\0" not in each.data[:SNIFFED]):
            yield name, each


def _outside(state_dir: str, root: str, names: Iterable[str]) -> list[str]:
    """Return the names of files outside the run's own folder, if that folder is within the project."""
    own, project = (os.path.join(os.path.realpath(each), "") for each in (state_dir, root))
    if not own.startswith(project):
        return list(names)
    return [name for name in names if not os.path.realpath(os.path.join(root, name)).startswith(own)]


def _is_path(name: str) -> bool:
    path = name.removesuffix("/")
    try:
        return project_path(path) == path
    except ValueError:
        return False


def held(root: str, name: str) -> Held:
    """Return the content of a file below a folder. No link is followed."""
    if file_links(root, name):
        return Held(UNREAD)
    path = os.path.join(root, *name.split("/"))
    try:
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            return Held(sha256(os.fsencode(os.readlink(path))).hexdigest())
        if not stat.S_ISREG(status.st_mode):
            return Held(UNREAD)
        if status.st_size > MAX_COPIED:
            return Held(_digest(path))
        data = read_whole(path, MAX_COPIED)
    except (FileNotFoundError, NotADirectoryError):
        return Held(GONE)
    except OSError:
        return Held(UNREAD)
    return Held(sha256(data).hexdigest(), data)


def _digest(path: str) -> str:
    """Return the SHA-256 of a large file."""
    from hashlib import sha256

    made = sha256()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            made.update(chunk)
    return made.hexdigest()


def content(folder: str, name: str, limit: int = MAX_COPIED) -> bytes | None:
    """Return a file below a folder; None if it is missing, unreadable, or has more bytes than the limit."""
    if file_links(folder, name):
        return None
    try:
        return read_whole(os.path.join(folder, *name.split("/")), limit)
    except OSError:  # a file of the project that nobody can read must not block a gate
        return None


def file_links(folder: str, name: str) -> str | None:
    """Return the first folder that is a link on the way from a folder down to one of its files."""
    parts = name.split("/")[:-1]
    ways = (os.path.join(folder, *parts[:number]) for number in range(1, len(parts) + 1))
    return next(filter(os.path.islink, ways), None)
