"""`stepscript gc`: runs that have ended are cleared away."""

import click

from ...output import DONE
from ..screen import count, out


@click.command()
@click.option("--days", type=click.IntRange(0), default=30, show_default=True, help="Since something happened last.")
@click.option("--dry-run", is_flag=True, help="Only say which.")
def command(days: int, dry_run: bool) -> int:
    """Delete runs that have ended.

    With all that is in their folders. Runs that can go on are kept.
    """
    from datetime import UTC, datetime, timedelta

    from ...run.journal import JournalError
    from ..engines import standing_at
    from ..found_runs import name_of, runs

    before = f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S.%f}"
    gone = 0
    for run in list(runs()):
        try:
            now = standing_at(run)
        except (JournalError, ValueError):
            continue
        if now.account.halt and now.account.last < before and (dry_run or _deleted(run, now.account.last)):
            gone += 1
            out().line(name_of(run))
    out().line(f"{count(gone, 'run')} {'would be ' if dry_run else ''}deleted")
    return DONE


def _deleted(run: str, last: str) -> bool:
    """Deletes a run, unless somebody drives it or has done so since it was looked at; whether it did."""
    import os
    import shutil

    from ...locks import BusyError, locked
    from ...run.journal import LOCK
    from ..engines import standing_at

    try:
        with locked(os.path.join(run, LOCK), 0):
            if standing_at(run).account.last != last:
                return False
            shutil.rmtree(os.path.dirname(run))
            return True
    except BusyError:
        return False
