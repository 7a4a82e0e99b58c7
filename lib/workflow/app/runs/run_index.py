"""The runs of a project with their status, driven by stepscript or by an agent."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from attrs import evolve, frozen

from ...errors import RefusedError
from ...run.journal import mark as marks
from ...run.journal.projection import HALTS, State
from ...run.journal.status import Standing, glimpse
from ...run.temporal.place import is_remote
from ...state.consent import is_marked
from ...state.run_dirs import changed, run_folders
from ...util.plurals import count
from ...util.structs import Struct
from .found_runs import drivers, worked

UNREADABLE: Final = "unreadable"
ON_SERVER: Final = "on-server"
"""State of a run whose server was not asked."""
UNREAD: Final = "unread"
"""State of a run that would take too long to read."""
OPEN, ENDED = "open", "ended"
"""States of a run that an agent drives: it is not known if the agent is at work."""
OVER: Final = frozenset({ENDED, *map(str, HALTS)})
MOST: Final = 1000
"""Maximum entries of a run's folder whose sizes are summed."""
SMALL: Final = 256 << 10
"""Maximum bytes of an agent's run that a list with a time limit reads."""


@frozen(kw_only=True)
class Seen(Struct):
    """A run and its status."""

    run: str
    """Folder of the run."""
    workflow: str = ""
    """Workflow that stepscript drives, or skill of an agent that drives itself."""
    task: str = ""
    """The user's request, as one line."""
    state: str
    last: str
    """Time of the last event: ISO 8601, UTC."""
    problem: str = ""
    """Reason why it cannot be read, with its folder."""
    driver: str = ""
    """Driver's folder, if stepscript drives it."""
    yours: bool = False
    """True if this user started it here; others may have come with the repository. Only servers of own runs
    are asked.
    """

    @property
    def name(self) -> str:
        """Return the name that commands use."""
        return os.path.basename(self.run)


def listed(most: int | None = None, seconds: float | None = None) -> tuple[Seen, ...]:
    """Return the runs of this project, the last at work first. No server is asked.

    Args:
        most: Maximum number of runs; None for all.
        seconds: Time limit for reading runs; the rest is `unread`. None for no limit, so that large files are read
            too.
    """
    end = None if seconds is None else time.monotonic() + seconds
    folders = sorted(run_folders(), key=worked, reverse=True)
    found = (look(folder, end) for folder in folders)
    return _in_order(islice(filter(None, found), most))


def census() -> tuple[Seen, ...]:
    """Return all runs of this project, the last at work first; servers are asked at the same time."""
    return asked(listed())


def asked(found: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """Return the runs with the answers of their servers."""
    remote = [each.driver for each in found if each.state == ON_SERVER and each.yours]
    if not remote:
        return found
    from .standings import standings_at  # a list asks no server

    known = dict(zip(remote, standings_at(remote), strict=True))
    return _in_order(_told(each, known[each.driver], each.yours) if each.driver in known else each for each in found)


def only(*states: State) -> str:
    """Return the driver's folder of the user's only run in one of some states. Raises ValueError, which lists them."""
    found = [each for each in census() if each.driver and each.yours and each.state in states]
    if len(found) == 1:
        return found[0].driver
    legal = " or ".join(states)
    if not found:
        raise ValueError(f"this project has no run that is {legal}; `stepscript runs` lists its runs")
    raise ValueError(f"{count(len(found), 'run')} are {legal}; name one:{choices(found)}")


def choices(found: Iterable[Seen]) -> str:
    """Return the names of runs with their tasks, one per line."""
    return "".join(f"\n{each.name}  {each.task}".rstrip() for each in found)


def look(folder: str, end: float | None = None) -> Seen | None:
    """Return the run in a folder, or None if it holds none.

    Args:
        folder: The run directory.
        end: Moment of `time.monotonic` after which its state is not read, and stays unknown.
    """
    driver = next(iter(drivers(folder)[-1:]), "")
    seen = Seen(run=folder, state=UNREAD, last=_last(folder), driver=driver)
    if end is not None and (time.monotonic() > end or not (driver or _is_small(folder))):
        return _marked(seen)
    try:
        return _driven(seen) if driver else _of_an_agent(_marked(seen))
    except RefusedError as error:
        why = f"{error.target}: {error}"
    except (ValueError, OSError) as error:
        why = str(error)
    except Exception as error:  # an error in a skill's report must not hide other runs
        why = f"{type(error).__name__}: {error}"
    return evolve(_marked(seen), state=UNREADABLE, problem=why if folder in why else f"{folder}: {why}")


def _marked(seen: Seen) -> Seen:
    """Return a run with the mark of its folder, which says nothing of what it would do."""
    return evolve(seen, yours=is_marked(seen.driver or seen.run))


def _driven(seen: Seen) -> Seen:
    if is_remote(seen.driver):
        from ...run.temporal.ending import final_ending  # few runs are on servers
        from ...run.temporal.host_record import read_record
        from .trust import is_yours

        record = read_record(seen.driver)
        task = one_line(record.spec.request)
        seen = evolve(seen, workflow=record.spec.workflow, task=task, yours=is_yours(seen.driver))
        ending = final_ending(seen.driver) if seen.yours else None
        if record.cancelled or ending is None:
            return evolve(seen, state=State.CANCELLED if record.cancelled else ON_SERVER)
        account = ending.heard.account
        return evolve(seen, state=str(account.halt), last=account.last or seen.last)
    now = glimpse(seen.driver)
    return _told(seen, now, marks.is_marked(seen.driver, now.spec))


def _told(seen: Seen, now: Standing, yours: bool) -> Seen:
    task, last = one_line(now.spec.request), now.account.last or seen.last
    return evolve(seen, workflow=now.spec.workflow, task=task, state=now.state, last=last, yours=yours)


def _of_an_agent(seen: Seen) -> Seen | None:
    from .reports import ending  # it searches all skills

    outcome = ending(seen.run)
    if outcome is None:
        return None
    return evolve(seen, workflow=outcome.skill, task=one_line(outcome.about), state=ENDED if outcome.over else OPEN)


def one_line(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def _in_order(found: Iterable[Seen]) -> tuple[Seen, ...]:
    return tuple(sorted(found, key=lambda each: each.last, reverse=True))


def _is_small(folder: str) -> bool:
    with suppress(OSError), os.scandir(folder) as entries:
        return sum(entry.stat(follow_symlinks=False).st_size for entry in islice(entries, MOST)) <= SMALL
    return True


def _last(folder: str) -> str:
    return f"{datetime.fromtimestamp(changed(folder), UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
