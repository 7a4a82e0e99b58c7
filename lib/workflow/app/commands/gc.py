"""`stepscript gc`: deletes runs that have ended."""

import os
import shutil
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from ...errors import RefusedError
from ...run.journal.history import LOOK
from ...run.journal.journal import LOCK
from ...run.temporal.apart.cache import sweep
from ...state.locks import BusyError, locked
from ...state.run_dirs import changed, check_unlinked, run_folders
from ...util.output import DONE, REFUSED
from ..arguments import Whole, json_option
from ..output.screen import count, emit, err, out
from ..runs.placing import has_worktree
from ..runs.run_index import ENDED, OVER, Seen, asked, census, look

MAX_DAYS: Final = 36_500
WHEN: Final = "%Y-%m-%dT%H:%M:%S.%f"


@click.command()
@click.option(
    "--days", type=Whole(0, MAX_DAYS), default=30, show_default=True, help="days since the last event of the run"
)
@click.option("--dry-run", is_flag=True, help="only list the runs")
@json_option
def command(days: int, dry_run: bool, as_json: bool) -> int:
    """Delete runs that have ended.

    Deletes their whole folders, for runs of stepscript and of agents, with their worktrees and branches. Kept are runs
    that can go on, runs behind a link, and runs whose worktree has work that no other branch has. Copies of projects
    that agents of other hosts' runs have used here are deleted after the same time.
    """
    before = f"{datetime.now(UTC) - timedelta(days=days):{WHEN}}"
    old = [each for each in (*census(), *_unstarted()) if each.state in OVER and each.last < before]
    kept = {each.run: why for each in old if (why := _why_kept(each))}
    gone, failures = [], []
    for each in old:
        try:
            if each.run not in kept and (dry_run or _deleted(each)):
                gone.append(each)
                if not as_json:
                    out().line(f"{each.name}  {each.task}".rstrip())
        except RefusedError as error:  # git found work since it was asked
            kept[each.run] = str(error)
        except OSError as error:
            failures.append(f"{each.run}: {error.strerror or error}")
    caches = sweep(days, dry_run)
    if as_json:
        runs = [each.run for each in gone]
        said = {"runs": runs, "deleted": not dry_run, "kept": list(kept), "reasons": kept, "failures": failures}
        emit({**said, "caches": list(caches)})
        return REFUSED if failures else DONE
    out().line(f"{count(len(gone), 'run')} {'would be ' if dry_run else ''}deleted")
    if caches:
        out().line(f"{count(len(caches), 'cached project')} {'would be ' if dry_run else ''}deleted")
    for run, why in kept.items():
        out().line(f"{os.path.basename(run)} is kept: {why}")
    for text in failures:
        err().error(text)
    return REFUSED if failures else DONE


def _unstarted() -> list[Seen]:
    """Return the folders of runs that were killed while their worktree was made: nothing else lists them."""
    found = [folder for folder in run_folders() if has_worktree(folder) and look(folder) is None]
    return [Seen(run=each, state=ENDED, last=f"{datetime.fromtimestamp(changed(each), UTC):{WHEN}}") for each in found]


def _why_kept(old: Seen) -> str:
    """Return why an ended run must stay; empty if it can be deleted."""
    if _is_linked(old.run):
        return "it is behind a symbolic link"
    if not has_worktree(old.run):
        return ""
    from ...run.worktrees.removal import reason_to_keep  # imports asyncio

    return reason_to_keep(old.run)


def _is_linked(run: str) -> bool:
    try:
        check_unlinked(run)
    except RefusedError:
        return True
    return False


def _deleted(old: Seen) -> bool:
    """Delete a run, unless it is driven or has changed since it was inspected. Returns False if it was kept."""
    try:
        with locked(os.path.join(old.driver, LOCK), LOOK) if old.driver else nullcontext():
            now = look(old.run)
            if _is_linked(old.run) or (now is None and old.workflow):
                return False
            if now is not None and asked((now,))[0].last != old.last:
                return False
            if has_worktree(old.run):
                from ...run.worktrees.removal import remove_worktrees

                remove_worktrees(old.run)
            shutil.rmtree(old.run)
            return True
    except BusyError:
        return False
