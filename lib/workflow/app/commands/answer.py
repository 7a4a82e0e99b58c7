"""`stepscript answer`: gives the user's answers to a run."""

import click

from ...util.output import DONE
from ..screen import out


@click.command()
@click.argument("run")
@click.argument("answers", nargs=-1, required=True)
def command(run: str, answers: tuple[str, ...]) -> int:
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
    said = "answer recorded; the run continues; watch it with  " if goes_on else "answer recorded; continue with  "
    out().line(said, command_line("resume", spelled(folder)))
    return DONE
