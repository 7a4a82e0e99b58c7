"""`stepscript logs`: shows the events of a run."""

from typing import TYPE_CHECKING

import click

from ...util.output import DONE
from ..arguments import json_option
from ..screen import out

if TYPE_CHECKING:
    from ...run.journal import Entry


@click.command()
@click.argument("run", required=False)
@click.option("--agent", "key", metavar="KEY", help="show the prompts and replies of the agent with this key")
@json_option
def command(run: str | None, key: str | None, as_json: bool) -> int:
    """Show the events of a run, one per line.

    For a run that you have not started here, texts that name commands are left out: its start, its pages and its end.
    """
    from ...run.journal import Event, line_of
    from ...util.suggest import expected
    from ..engines import events_at
    from ..found_runs import find
    from ..trust import is_yours

    folder = find(run)
    screen, events = out(), events_at(folder)
    if not is_yours(folder):
        events = [_without_commands(entry) for entry in events]
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
            until = f"until {entry.until[:16].replace('T', ' ')} UTC: " if entry.until else ""
            text = until + " ".join(entry.text.split()) if entry.event is not Event.STEP else ""
            said = text if entry.event in (Event.FAILED, Event.PAUSED, Event.LOST, Event.STOPPED) else text[:60]
            screen.line((f"{entry.at[11:19]}  ", "dim"), f"{entry.event:9} {entry.key:12} {entry.who} ", (said, "dim"))
    return DONE


def _without_commands(entry: "Entry") -> "Entry":
    from attrs import evolve

    from ...run.journal import Event

    names = (Event.BEGUN, Event.STEP, Event.DONE, Event.STOPPED)
    return evolve(entry, command="", errors="", text="" if entry.event in names else entry.text)
