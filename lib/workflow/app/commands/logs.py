"""`stepscript logs`: what has happened in a run."""

import click

from ...output import DONE
from ..arguments import json_option
from ..screen import out


@click.command()
@click.argument("run", required=False)
@click.option("--agent", "key", metavar="KEY", help="What one agent was told and said, by its key.")
@json_option
def command(run: str | None, key: str | None, as_json: bool) -> int:
    """What has happened in a run, an event a line."""
    from ...run.journal import line_of
    from ..engines import events_at
    from ..found_runs import find

    screen = out()
    for entry in events_at(find(run)):
        if key is not None and entry.key != key:
            continue
        if as_json:
            print(line_of(entry))
        elif key is not None:
            screen.line((f"{entry.at[11:19]}  {entry.event} {entry.number or ''}", "bold"))
            for line in entry.text.splitlines():
                screen.line(f"  {line}")
        else:
            said = " ".join(entry.text.split())[:60] if entry.event != "step" else ""
            screen.line((f"{entry.at[11:19]}  ", "dim"), f"{entry.event:9} {entry.key:12} {entry.who} ", (said, "dim"))
    return DONE
