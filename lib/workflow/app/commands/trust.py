"""`stepscript trust`: records the user's consent to a run from elsewhere."""

import os
import shlex

import click

from ...errors import RefusedError
from ...state import own_skills
from ...state.consent import CODE, why_not
from ...util.output import DONE
from ..arguments import json_option
from ..output.asking import confirm
from ..output.screen import emit, out
from ..runs.found_runs import command_line, folder_of, name_of, spelled
from ..runs.run_argument import RunName
from ..runs.trust import agree, ask, would


@click.command()
@click.argument("run", type=RunName())
@click.option("--yes", is_flag=True, help="do not ask")
@json_option
def command(run: str, yes: bool, as_json: bool) -> int:
    """Agree to a run that you have not started here.

    For a run that came with a repository, and for one that was copied or moved: the project that holds it is then its
    project. The project's root and the commands that it would run are shown first; nothing of it is run now. RUN can
    also be the folder of a project's own skills, such as skills: their Python code then runs as you.
    """
    own = _own_skills(run)
    if own:
        return _agree_to_skills(own, run, yes, as_json)
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


def _own_skills(path: str) -> str:
    """Return the project whose own skills a path names, or an empty text."""
    root = own_skills.project()
    return root if os.path.realpath(path) in own_skills.folders(root) else ""


def _agree_to_skills(root: str, path: str, yes: bool, as_json: bool) -> int:
    own_skills.content(root)  # its refusals come before the question
    folders, names = own_skills.folders(root), own_skills.names(root)
    if not as_json:
        for folder in folders:
            out().line(f"  {folder}")
        out().line(f"  skills: {', '.join(names)}")
        out().line("  their Python code would run as you, as it is now; a change needs your consent again")
    if not yes:
        fix = f"If you agree, run:  {shlex.join(('stepscript', 'trust', path, '--yes'))}"
        confirm("Do you agree?", RefusedError(CODE, path, "nothing was agreed: there is no terminal to ask you", fix))
    own_skills.agree(root)
    if as_json:
        emit({"skills": names, "folders": folders, "trusted": True})
    else:
        out().line("the skills of this project may run")
    return DONE
