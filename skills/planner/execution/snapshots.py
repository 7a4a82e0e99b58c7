"""What a later phase writes over, kept as it was when a gate passed: planned diffs, then the files that were built."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.errors import RefusedError
from lib.workflow.files import PRIVATE, OddFileError, private_folder, read_whole, replace_whole

from ..phases import IMPL_CODE, PLAN_CODE, Row
from ..state.files import KEPT
from .waves import files_of

if TYPE_CHECKING:
    from ..schema.plan import Plan
    from ..state.run_state import RunState

MAX_COPIED: Final = 4 << 20
"""Bytes of a file of the project. A larger one has no copy; nor has a link or what is behind one, a device,
what is not there or not ours to read."""


def keep(state: "RunState", row: Row) -> None:
    """Keeps what the phases after this one write over. Raises RefusedError where it cannot be written."""
    if row is PLAN_CODE:
        _write(state.state_dir, KEPT, _diffs(state.plan))
    if row is IMPL_CODE:
        _write(state.state_dir, _name(state), _files(state))


def copies(state: "RunState") -> str | None:
    """Where the files of the wave stand as the review of their code passed; None where no code was built in it."""
    folder, link = state.path(_name(state)), _link(state.state_dir, f"{_name(state)}/")
    return folder if os.path.isdir(folder) and not link else None


def _name(state: "RunState") -> str:
    """The folder of the wave, and of the lap: each lap builds anew."""
    _, wave, lap = state.run.at(IMPL_CODE.phase)
    return f"{KEPT}/{wave}.{lap}"


def _diffs(plan: "Plan") -> Iterator[tuple[str, bytes]]:
    for milestone in plan.milestones:
        for change in milestone.code_changes:
            yield f"{change.id}.diff", change.diff.encode()


def _files(state: "RunState") -> Iterator[tuple[str, bytes]]:
    for name in wave_files(state):
        data = content(state.project, name)
        if data is not None:
            yield name, data


def wave_files(state: "RunState") -> tuple[str, ...]:
    """The files that the wave's milestones touch, by their paths in the project."""
    building = state.run.building
    names = building.milestones if building else ()
    return files_of(each for each in state.plan.milestones if each.id in names)


def content(folder: str, name: str) -> bytes | None:
    """A file below a folder; None where there is none that is kept."""
    if _link(folder, name):
        return None
    try:
        return read_whole(os.path.join(folder, *name.split("/")), MAX_COPIED)
    except OSError:  # a gate is not held up by a file of the project that nobody can read
        return None


def _link(folder: str, name: str) -> str | None:
    """The first folder on the way from a folder down to a file of it that is a link."""
    parts = name.split("/")[:-1]
    ways = (os.path.join(folder, *parts[:number]) for number in range(1, len(parts) + 1))
    return next(filter(os.path.islink, ways), None)


def _write(state_dir: str, folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    try:
        _made(state_dir, f"{folder}/")
        for name, data in files:
            replace_whole(_made(state_dir, f"{folder}/{name}"), data, PRIVATE)
    except OSError as error:
        fix = "Make it a folder of the run's own, writable, with room, and run the same command again."
        target = os.path.join(state_dir, folder)
        raise RefusedError("unwritable-state", target, error.strerror or str(error), fix) from None


def _made(state_dir: str, name: str) -> str:
    """The path of a file of the run, whose folder is made. Raises OddFileError where a link leads out of the run."""
    link = _link(state_dir, name)
    if link:
        raise OddFileError(f"{link} is a symbolic link", link)
    path = os.path.join(state_dir, *name.split("/"))
    private_folder(os.path.dirname(path))
    return path
