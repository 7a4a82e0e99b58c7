"""`stepscript resume`: a run that was killed, stopped or answered goes on."""

import click

from ..arguments import json_option


@click.command()
@click.argument("run", required=False)
@click.option("--trust", is_flag=True, help="Start its agent, though it is not known that this machine began the run.")
@json_option
def command(run: str | None, trust: bool, as_json: bool) -> int:
    """Go on with a run that was killed or answered.

    Without RUN, with the one that was last at work.

    What was done is not done again; agents that were at work are launched anew, and what is left of the old ones can
    write no more. Of a run that may have been begun elsewhere you are asked: its journal names the program to start.
    """
    import os

    from ...consent import why_not
    from ..driving import go
    from ..engines import choice_of, spec_at
    from ..found_runs import command_line, find, spelled
    from ..trust import agree, ask, is_yours

    folder = find(run)
    if not is_yours(folder):
        if not trust:
            ask(os.path.dirname(folder), why_not(folder), command_line("resume", spelled(folder), "--trust"))
        agree(os.path.dirname(folder))
    spec, choice = spec_at(folder), choice_of(folder)
    return go(folder, spec, as_json, choice=choice)
