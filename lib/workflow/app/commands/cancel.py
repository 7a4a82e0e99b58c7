"""`stepscript cancel`: ends a run."""

import click

from ...util.output import DONE
from ..screen import out


@click.command()
@click.argument("run")
def command(run: str) -> int:
    """End a run for good.

    Its agents are stopped, and its records stay.
    """
    from ..engines import cancel_at
    from ..found_runs import find, name_of
    from ..trust import check

    folder = find(run)
    check(folder)
    cancel_at(folder)
    out().line(f"{name_of(folder)} is cancelled")
    return DONE
