"""`stepscript stop`: stops the process that drives a run, which can be resumed."""

import click

from ...run.engine import State
from ...util.output import DONE
from ..arguments import json_option
from ..output.screen import emit, out
from ..runs.engines import stop_at
from ..runs.found_runs import command_line, find, name_of, spelled
from ..runs.run_argument import run_argument
from ..runs.run_index import only
from ..runs.trust import check


@click.command()
@run_argument
@json_option
def command(run: str | None, as_json: bool) -> int:
    """Stop a run for now.

    The process that drives it ends, with its agents; finished work stays. `stepscript resume` continues the run.
    Without RUN, stops the only run that is at work. To end a run for good, use `stepscript cancel`.
    """
    folder = find(run) if run else only(State.AT_WORK)
    check(folder)
    stop_at(folder)
    if as_json:
        emit({"run": folder, "state": State.INTERRUPTED})
    else:
        out().line(f"{name_of(folder)} is stopped; continue with  ", command_line("resume", spelled(folder)))
    return DONE
