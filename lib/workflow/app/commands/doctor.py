"""`stepscript doctor`: what keeps the skills from working here."""

import click
from attrs import asdict

from ...util.output import DONE, REFUSED
from ..arguments import json_option
from ..install_options import home_tree, tree_of
from ..screen import emit, out

_MARKS = {"good": ("good", "green"), "note": ("note", "yellow"), "bad": ("BAD ", "bold red")}


@click.command()
@click.option("--project", metavar="DIR", help="The project; else the repository around this folder.")
@json_option
def command(project: str | None, as_json: bool) -> int:
    """Find what keeps the skills from working.

    The interpreter, what commands import, the folder of runs, the clients, what is installed and whether it is as it
    was written. Below what is wrong stands the line that mends it; the exit status is then 1.
    """
    from ..install.examine import State, examine

    findings = tuple(examine(tree_of("project", project), home_tree()))
    if as_json:
        emit({"findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            out().line(_MARKS[finding.state], f"  {finding.subject:<17} {finding.what}")
            if finding.mend:
                out().line(" " * 24, (finding.mend, "green"))
    return REFUSED if any(finding.state is State.BAD for finding in findings) else DONE
