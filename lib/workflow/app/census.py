"""The runs of a project as they stand, whoever drives them: this program, or an agent by the prints of a skill."""

import os
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

from ..errors import RefusedError
from ..homes import changed, run_folders
from ..run.account import HALTS
from ..run.standing import Standing
from .engines import standing_at
from .found_runs import drivers
from .reports import ending

UNREADABLE: Final = "unreadable"
OPEN, ENDED = "open", "ended"
"""How a run stands that an agent drives: whether somebody is at work in it, nobody knows."""
OVER: Final = frozenset({ENDED, *map(str, HALTS)})


@frozen(kw_only=True)
class Seen:
    """A run as it stands."""

    run: str
    """Its folder."""
    workflow: str = ""
    """The workflow that the program drives, or the skill of an agent that drives itself."""
    state: str
    last: str
    """When something happened last: ISO 8601, UTC."""
    problem: str = ""
    """Why it cannot be read, with its folder."""
    standing: Standing | None = None
    """Of a run that the program drives."""

    @property
    def name(self) -> str:
        """By which commands know it."""
        return os.path.basename(self.run)


def census(root: str | None = None) -> tuple[Seen, ...]:
    """All that is a run, the last at work first."""
    found = filter(None, map(look, run_folders(root)))
    return tuple(sorted(found, key=lambda each: each.last, reverse=True))


def look(folder: str) -> Seen | None:
    """The run in a folder; None where there is none."""
    at_work = drivers(folder)[-1:]
    try:
        for driver in at_work:
            now = standing_at(driver)
            return Seen(
                run=folder,
                workflow=now.spec.workflow,
                state=now.state,
                last=now.account.last or _last(folder),
                standing=now,
            )
        told = ending(folder)
    except RefusedError as error:
        return _unreadable(folder, f"{error.target}: {error}")
    except (ValueError, OSError) as error:
        return _unreadable(folder, str(error))
    if told is None:
        return None
    return Seen(run=folder, workflow=told.skill, state=ENDED if told.over else OPEN, last=_last(folder))


def _unreadable(folder: str, why: str) -> Seen:
    problem = why if folder in why else f"{folder}: {why}"
    return Seen(run=folder, state=UNREADABLE, last=_last(folder), problem=problem)


def _last(folder: str) -> str:
    return f"{datetime.fromtimestamp(changed(folder), UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
