"""`stepscript trust`: records the user's consent to a run from elsewhere."""

import click

from ...util.output import DONE
from ..arguments import json_option
from ..run_argument import RunName
from ..screen import emit, out


@click.command()
@click.argument("run", type=RunName())
@click.option("--yes", is_flag=True, help="agree without being asked")
@json_option
def command(run: str, yes: bool, as_json: bool) -> int:
    """Agree to a run that you have not started here.

    For a run that came with a repository, and for one that was copied or moved: the project that holds it is then its
    project. The project's root and the commands that it would run are shown first; nothing of it is run now.
    """
    from ...state.consent import why_not
    from ..found_runs import command_line, folder_of, name_of, spelled
    from ..trust import agree, ask, would

    folder = folder_of(run)
    named = spelled(f"{folder}/driver")
    lines = tuple(would(folder))
    if yes and not as_json:
        for line in lines:
            out().line(f"  {line}")
    elif not yes:
        ask(folder, why_not(folder), command_line("trust", named, "--yes"))
    agree(folder)
    if as_json:
        emit({"run": folder, "trusted": True, "would": lines})
    else:
        out().line(f"{name_of(f'{folder}/driver')} is marked as yours")
    return DONE
