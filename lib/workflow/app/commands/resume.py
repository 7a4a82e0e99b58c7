"""`stepscript resume`: a run that was killed, stopped or answered goes on."""

import click

from ..arguments import json_option


@click.command()
@click.argument("run", required=False)
@json_option
def command(run: str | None, as_json: bool) -> int:
    """Go on with a run that was killed or answered.

    Without RUN, with the one that was last at work.

    What was done is not done again; agents that were at work are launched anew, and what is left of the old ones can
    write no more.
    """
    from ..driving import go
    from ..engines import spec_at
    from ..found_runs import find

    folder = find(run)
    return go(folder, spec_at(folder), as_json)
