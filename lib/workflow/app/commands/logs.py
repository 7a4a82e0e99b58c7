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
    from ...run.journal import Event, line_of
    from ...suggest import expected
    from ..engines import events_at
    from ..found_runs import find
    from ..trust import check_server

    folder = find(run)
    check_server(folder)
    screen, events = out(), events_at(folder)
    keys = tuple(dict.fromkeys(entry.key for entry in events if entry.event is Event.ATTEMPT))
    if key is not None and key not in keys:
        raise click.UsageError(f"no agent has the key {key!r:.60}; {expected(key, keys)}")
    for entry in events:
        if key is not None and entry.key != key:
            continue
        if as_json:
            screen.text(line_of(entry))
        elif key is not None:
            screen.line((f"{entry.at[11:19]}  {entry.event} {entry.number or ''}", "bold"))
            for line in entry.text.splitlines():
                screen.line(f"  {line}")
        else:
            said = " ".join(entry.text.split())[:60] if entry.event != "step" else ""
            screen.line((f"{entry.at[11:19]}  ", "dim"), f"{entry.event:9} {entry.key:12} {entry.who} ", (said, "dim"))
    return DONE
