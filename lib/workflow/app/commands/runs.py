"""`stepscript runs`: the runs of this project."""

import click
from attrs import asdict

from ...output import DONE
from ..arguments import json_option
from ..screen import emit, out


@click.command()
@json_option
def command(as_json: bool) -> int:
    """The runs of this project, the last at work first."""
    from ..engines import standing_at
    from ..found_runs import name_of, runs

    found = [standing_at(run) for run in runs()]
    if as_json:
        emit([asdict(each) for each in found])
    elif not found:
        out().line("no run; begin one by  stepscript run WORKFLOW")
    else:
        rows = [(name_of(each.run), each.spec.workflow, str(each.state), each.account.last[:16]) for each in found]
        out().table(("run", "workflow", "state", "last"), rows)
    return DONE
