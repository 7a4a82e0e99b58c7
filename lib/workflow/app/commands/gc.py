"""`stepscript gc`: runs that have ended are cleared away."""

import shutil

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
    import os
    from datetime import UTC, datetime, timedelta

    from ...run.journal import JournalError
    from ...run.standing import HALTS
    from ..engines import standing_at
    from ..standing import name_of, runs

    before = f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S.%f}"
    gone = 0
    for run in list(runs()):
        try:
            now = standing_at(run)
        except (JournalError, ValueError):
            continue
        if now.state in HALTS.values() and now.last < before:
            gone += 1
            out().line(name_of(run))
            if not dry_run:
                shutil.rmtree(os.path.dirname(run))
    out().line(f"{count(gone, 'run')} {'would be ' if dry_run else ''}deleted")
    return DONE
