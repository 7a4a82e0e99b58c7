"""`stepscript cancel`: ends a run for good."""

import click

from ...run.engine import State
from ...util.output import DONE
from ..arguments import json_option
from ..output.screen import emit, out
from ..runs.engines import cancel_at
from ..runs.found_runs import find, name_of
from ..runs.run_argument import run_argument
from ..runs.run_index import only
from ..runs.trust import check


@click.command()
@run_argument
@json_option
def command(run: str | None, as_json: bool) -> int:
    """End a run for good.

    Its agents are stopped, and its records stay. Without RUN, ends the only run that is at work or waits. To continue
    the run later, use `stepscript stop`.
    """
    folder = find(run) if run else only(State.AT_WORK, State.WAITING)
    check(folder)
    cancel_at(folder)
    if as_json:
        emit({"run": folder, "state": "cancelled"})
    else:
        out().line(f"{name_of(folder)} is cancelled")
    return DONE
