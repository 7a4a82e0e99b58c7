"""`stepscript resume`: continues a run that was killed, stopped or answered."""

import os

import click

from ...state.consent import why_not
from ..arguments import json_option, wait_option
from ..runs.driving import go
from ..runs.found_runs import command_line, find, spelled
from ..runs.run_argument import run_argument
from ..runs.standings import spec_at
from ..runs.trust import agree, ask, is_yours


@click.command()
@run_argument
@click.option("--trust", is_flag=True, help="start the agent of a run that was not started by you here")
@click.option("--changed", is_flag=True, help="continue although the steps of the workflow have changed")
@wait_option
@json_option
def command(run: str | None, trust: bool, changed: bool, no_wait: bool, as_json: bool) -> int:
    """Go on with a run that was killed or answered.

    Without RUN, go on with the run that was last at work.

    Finished work is not repeated. An agent that was at work is launched again and learns that its work may be half
    done; the old one can no longer write. A run that stopped goes on where it stopped. A run that was copied or moved
    works in its new folder.

    You are asked first about a run that you have not started here, because its journal names the program to start.
    """
    folder = find(run)
    if not is_yours(folder):
        if not trust:
            ask(os.path.dirname(folder), why_not(folder), command_line("resume", spelled(folder), "--trust"))
        agree(os.path.dirname(folder))
    return go(folder, spec_at(folder), as_json, changed=changed, waits=not no_wait)
