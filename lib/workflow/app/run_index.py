"""The runs of a project as they stand, whoever drives them: this program, or an agent by the prints of a skill."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from attrs import evolve, frozen

from ..errors import RefusedError
from ..run import mark as marks
from ..run.engine import State
from ..run.journal import JOURNAL
from ..run.projection import HALTS
from ..run.status import Standing, glimpse
from ..run.temporal.place import is_remote, read_record
from ..state.consent import is_marked
from ..state.run_dirs import changed, run_folders
from .engines import standings_at
from .found_runs import drivers
from .reports import ending
from .trust import is_yours

UNREADABLE: Final = "unreadable"
ON_SERVER: Final = "on-server"
"""Of a run whose server was not asked."""
UNREAD: Final = "unread"
"""Of a run that takes longer to read than a list may."""
OPEN, ENDED = "open", "ended"
"""How a run stands that an agent drives: whether somebody is at work in it, nobody knows."""
OVER: Final = frozenset({ENDED, *map(str, HALTS)})
MOST: Final = 1000
"""Entries of a run's folder whose sizes are looked at."""
SMALL: Final = 256 << 10
"""Bytes of an agent's run that a list reads which has little time."""


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
    driver: str = ""
    """Where the program drives it."""
    yours: bool = False
    """Whether this user has begun it here; another may have come with the repository. Only such a server is asked."""

    @property
    def name(self) -> str:
        """By which commands know it."""
        return os.path.basename(self.run)


def listed(most: int | None = None, seconds: float | None = None) -> tuple[Seen, ...]:
    """The runs of this project, the last at work first. No server is asked.

    Args:
        most: How many are looked at; None for all.
        seconds: How long runs are read; those after that are `unread`. None for no limit, and large files are read too.
    """
    end = None if seconds is None else time.monotonic() + seconds
    folders = sorted(run_folders(), key=_touched, reverse=True)
    found = (look(folder, end) for folder in folders)
    return _in_order(islice(filter(None, found), most))


def census() -> tuple[Seen, ...]:
    """All runs of this project, the last at work first; servers are asked, all at once."""
    return asked(listed())


def asked(found: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """The runs with what their servers say."""
    remote = [each.driver for each in found if each.state == ON_SERVER and each.yours]
    known = dict(zip(remote, standings_at(remote), strict=True))
    return _in_order(_told(each, known[each.driver]) if each.driver in known else each for each in found)


def look(folder: str, end: float | None = None) -> Seen | None:
    """The run in a folder; None where there is none. After `end` it is not read."""
    driver = next(iter(drivers(folder)[-1:]), "")
    seen = Seen(run=folder, state=UNREAD, last=_last(folder), driver=driver, yours=is_marked(driver or folder))
    if end is not None and (time.monotonic() > end or not (driver or _is_small(folder))):
        return seen
    try:
        return _driven(seen) if driver else _of_an_agent(seen)
    except RefusedError as error:
        return _unreadable(seen, f"{error.target}: {error}")
    except (ValueError, OSError) as error:
        return _unreadable(seen, str(error))
    except Exception as error:  # whatever the report of a skill raises hides no other run
        return _unreadable(seen, f"{type(error).__name__}: {error}")


def _driven(seen: Seen) -> Seen:
    if is_remote(seen.driver):
        record = read_record(seen.driver)
        state = State.CANCELLED if record.cancelled else ON_SERVER
        return evolve(seen, workflow=record.spec.workflow, state=state, yours=is_yours(seen.driver))
    now = glimpse(seen.driver)
    return evolve(_told(seen, now), yours=marks.is_marked(seen.driver, now.spec))


def _told(seen: Seen, now: Standing) -> Seen:
    return evolve(seen, workflow=now.spec.workflow, state=now.state, last=now.account.last or seen.last)


def _of_an_agent(seen: Seen) -> Seen | None:
    told = ending(seen.run)
    return evolve(seen, workflow=told.skill, state=ENDED if told.over else OPEN) if told else None


def _unreadable(seen: Seen, why: str) -> Seen:
    return evolve(seen, state=UNREADABLE, problem=why if seen.run in why else f"{seen.run}: {why}")


def _in_order(found: Iterable[Seen]) -> tuple[Seen, ...]:
    return tuple(sorted(found, key=lambda each: each.last, reverse=True))


def _is_small(folder: str) -> bool:
    with suppress(OSError), os.scandir(folder) as entries:
        return sum(entry.stat(follow_symlinks=False).st_size for entry in islice(entries, MOST)) <= SMALL
    return True


def _touched(folder: str) -> float:
    return max(changed(folder), changed(os.path.join(folder, "driver", JOURNAL)))


def _last(folder: str) -> str:
    return f"{datetime.fromtimestamp(changed(folder), UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
