"""`stepscript cancel`: ends a run."""

import click

from ...util.output import DONE
from ..arguments import json_option
from ..screen import emit, out


@click.command()
@click.argument("run")
@json_option
def command(run: str, as_json: bool) -> int:
    """End a run for good.

    Its agents are stopped, and its records stay.
    """
    from ..engines import cancel_at
    from ..found_runs import find, name_of
    from ..trust import check

    folder = find(run)
    check(folder)
    cancel_at(folder)
    if as_json:
        emit({"run": folder, "state": "cancelled"})
    else:
        out().line(f"{name_of(folder)} is cancelled")
    return DONE
