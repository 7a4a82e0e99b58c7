"""`stepscript runs`: the runs of this project."""

import click
from attrs import asdict

from ...output import DONE
from ..arguments import json_option
from ..screen import emit, err, out


@click.command()
@json_option
def command(as_json: bool) -> int:
    """The runs of this project, the last at work first.

    Those that this program drives, and those that an agent drives itself, which are open or ended.
    """
    from ..census import census

    found = census()
    if as_json:
        emit([asdict(each) for each in found])
    elif not found:
        out().line("no run; begin one by  stepscript run WORKFLOW")
    else:
        rows = [(each.name, each.workflow, each.state, each.last[:16]) for each in found]
        out().table(("run", "workflow", "state", "last"), rows)
        for each in found:
            if each.problem:
                err().error(each.problem)
    return DONE
