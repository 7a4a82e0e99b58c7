"""`stepscript answer`: gives the user's answers to a run."""

import click

from ...util.output import DONE
from ..arguments import json_option
from ..screen import emit, out


@click.command()
@click.argument("run")
@click.argument("answers", nargs=-1, required=True)
@json_option
def command(run: str, answers: tuple[str, ...], as_json: bool) -> int:
    """Answer the questions of a run.

    For each question, give the number of an option, or a text. A question whose
    options each have a command takes only options. Then `stepscript resume` goes on.
    """
    from ..engines import answer_at
    from ..found_runs import command_line, find, spelled
    from ..trust import check

    folder = find(run)
    check(folder)
    goes_on = answer_at(folder, answers)
    if as_json:
        emit({"run": folder, "answered": True, "goes_on": goes_on})
        return DONE
    said = "answer recorded; the run continues; watch it with  " if goes_on else "answer recorded; continue with  "
    out().line(said, command_line("resume", spelled(folder)))
    return DONE
