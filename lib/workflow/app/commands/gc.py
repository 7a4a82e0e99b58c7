"""`stepscript gc`: deletes runs that have ended."""

from typing import TYPE_CHECKING, Final

import click

from ...util.output import DONE, REFUSED
from ..arguments import Whole, json_option
from ..screen import count, emit, err, out

if TYPE_CHECKING:
    from ..run_index import Seen

MAX_DAYS: Final = 36_500


@click.command()
@click.option(
    "--days", type=Whole(0, MAX_DAYS), default=30, show_default=True, help="days since the last event of the run"
)
@click.option("--dry-run", is_flag=True, help="only list the runs")
@json_option
def command(days: int, dry_run: bool, as_json: bool) -> int:
    """Delete runs that have ended.

    Deletes their whole folders, for runs of stepscript and of agents. Runs that can go on, and runs behind a link, are
    kept.
    """
    from datetime import UTC, datetime, timedelta

    from ..run_index import OVER, census

    before = f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S.%f}"
    old = [each for each in census() if each.state in OVER and each.last < before]
    links = [each for each in old if _is_linked(each.run)]
    gone, failures = [], []
    for each in old:
        try:
            if each not in links and (dry_run or _deleted(each)):
                gone.append(each)
                if not as_json:
                    out().line(f"{each.name}  {each.task}".rstrip())
        except OSError as error:
            failures.append(f"{each.run}: {error.strerror or error}")
    if as_json:
        kept = [each.run for each in links]
        emit({"runs": [each.run for each in gone], "deleted": not dry_run, "kept": kept, "failures": failures})
        return REFUSED if failures else DONE
    out().line(f"{count(len(gone), 'run')} {'would be ' if dry_run else ''}deleted")
    for each in links:
        out().line(f"{each.name} is behind a symbolic link and is kept")
    for text in failures:
        err().error(text)
    return REFUSED if failures else DONE


def _is_linked(run: str) -> bool:
    from ...errors import RefusedError
    from ...state.run_dirs import check_unlinked

    try:
        check_unlinked(run)
    except RefusedError:
        return True
    return False


def _deleted(old: "Seen") -> bool:
    """Delete a run, unless it is driven or has changed since it was inspected. Returns False if it was kept."""
    import os
    import shutil
    from contextlib import nullcontext

    from ...run.history import LOOK
    from ...run.journal import LOCK
    from ...state.locks import BusyError, locked
    from ..run_index import asked, look

    try:
        with locked(os.path.join(old.driver, LOCK), LOOK) if old.driver else nullcontext():
            now = look(old.run)
            if now is None or asked((now,))[0].last != old.last or _is_linked(old.run):
                return False
            shutil.rmtree(old.run)
            return True
    except BusyError:
        return False
