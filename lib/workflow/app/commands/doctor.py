"""`stepscript doctor`: finds problems that keep the skills from working."""

import click
from attrs import asdict

from ...util.output import DONE, REFUSED
from ..arguments import json_option
from ..install.doctor.examine import examine
from ..install.doctor.findings import State
from ..install_options import home_tree, tree_of
from ..output.screen import emit, out

_MARKS = {"good": ("good", "green"), "note": ("note", "yellow"), "bad": ("BAD ", "bold red")}


@click.command()
@click.option("-C", "--project", metavar="DIR", help="the project (default: the repository around this folder)")
@json_option
def command(project: str | None, as_json: bool) -> int:
    """Find problems that keep the skills from working.

    It checks the interpreter, the imports of commands, the folder of runs, and the installed files. It asks each client
    for its version, and whether it is logged in. Below each problem it prints the command that fixes it; the exit
    status is then 1.
    """
    findings = tuple(examine(tree_of("project", project), home_tree()))
    if as_json:
        emit({"findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            out().line(_MARKS[finding.state], f"  {finding.subject:<17} {finding.what}")
            if finding.fix:
                out().line(" " * 24, (finding.fix, "green"))
    return REFUSED if any(finding.state is State.BAD for finding in findings) else DONE
