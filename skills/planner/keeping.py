"""What a later phase writes over, kept as it was when a gate passed: planned diffs, then the files that were built."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.errors import RefusedError
from lib.workflow.files import read_whole, replace_whole

from .carrying import files_of
from .phases import IMPL_CODE, PLAN_CODE, Row
from .state.files import KEPT

if TYPE_CHECKING:
    from .schema.plan import Plan
    from .state.run_state import RunState

MAX_COPIED: Final = 4 << 20
"""Bytes of a file of the project. A larger one has no copy; nor has a link or what is behind one, a device,
what is not there or not ours to read."""


def keep(state: "RunState", row: Row) -> None:
    """Keeps what the phases after this one write over. Raises RefusedError where it cannot be written."""
    if row is PLAN_CODE:
        _write(state.path(KEPT), _diffs(state.plan))
    if row is IMPL_CODE:
        _write(_folder(state), _files(state))


def copies(state: "RunState") -> str | None:
    """Where the files of the wave stand as the review of their code passed; None where no code was built in it."""
    folder = _folder(state)
    return folder if os.path.isdir(folder) else None


def _folder(state: "RunState") -> str:
    """That of the wave, and of the lap: each lap builds anew."""
    _, wave, lap = state.run.at(IMPL_CODE.phase)
    return os.path.join(state.path(KEPT), f"{wave}.{lap}")


def _diffs(plan: "Plan") -> Iterator[tuple[str, bytes]]:
    for milestone in plan.milestones:
        for change in milestone.code_changes:
            yield f"{change.id}.diff", change.diff.encode()


def _files(state: "RunState") -> Iterator[tuple[str, bytes]]:
    for name in wave_files(state):
        data = content(state.run.project_root, name)
        if data is not None:
            yield name, data


def wave_files(state: "RunState") -> tuple[str, ...]:
    """The files that the wave's milestones touch, by their paths in the project."""
    building = state.run.building
    names = (*building.code, *building.documentation) if building else ()
    return files_of(each for each in state.plan.milestones if each.id in names)


def content(folder: str, name: str) -> bytes | None:
    """A file below a folder; None where there is none that is kept."""
    path = folder
    for part in name.split("/")[:-1]:
        path = os.path.join(path, part)
        if os.path.islink(path):
            return None
    try:
        return read_whole(os.path.join(folder, *name.split("/")), MAX_COPIED)
    except OSError:  # a gate is not held up by a file of the project that nobody can read
        return None


def _write(folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
        for name, data in files:
            path = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_whole(path, data)
    except OSError as error:
        fix = "Make the folder writable, with room, and run the same command again."
        raise RefusedError("unwritable-state", folder, error.strerror or str(error), fix) from None
