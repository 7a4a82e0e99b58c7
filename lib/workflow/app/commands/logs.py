"""`stepscript logs`: shows the events of a run."""

import re
from datetime import UTC, datetime, timedelta
from textwrap import shorten
from typing import Final

import click

from ...run.journal.entry import read_spec
from ...run.journal.journal import Entry, Event, line_of
from ...run.journal.projection import State
from ...util.documents import with_schema
from ...util.output import DONE, REFUSED
from ...util.suggest import expected
from ..arguments import far_options, json_option
from ..output.outlet import is_read
from ..output.screen import emit_line, moment, out
from ..runs.found_runs import find, server_of
from ..runs.run_argument import run_argument
from ..runs.standings import STATUS, Choice, Events, changes_at
from ..runs.trust import is_yours, without_commands
from ..runs.views.summaries import answered, asked

UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
"""Seconds of a unit of a duration."""
MOST: Final = 200
"""Maximum characters shown of a reply."""


class Since(click.ParamType[str, str]):
    """A parameter that takes a duration or a time, and gives the time as a journal has it."""

    name = "time"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            found = re.fullmatch(r"(\d{1,6})([smhd])", value)
            at = (
                datetime.now(UTC) - timedelta(seconds=int(found[1]) * UNITS[found[2]])
                if found
                else datetime.fromisoformat(value[:40]).astimezone(UTC)
            )
            return f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"
        except (ValueError, OverflowError):
            self.fail(
                f"{value!r:.60} is neither a duration (30s, 10m, 2h, 1d) nor a time (2025-12-31T23:59)", param, ctx
            )


@click.command()
@run_argument
@click.option("--agent", "key", metavar="KEY", help="show the prompts and replies of the agent with this key")
@click.option("--since", type=Since(), metavar="TIME", help="only events since then: 10m, 2h, or an ISO 8601 time")
@click.option("-f", "--follow", is_flag=True, help="go on until nobody drives the run")
@far_options
@json_option
def command(
    run: str | None,
    key: str | None,
    since: str | None,
    follow: bool,
    all_hosts: bool,
    address: str,
    namespace: str,
    as_json: bool,
) -> int:
    """Show the events of a run, one per line.

    Times are in UTC; a time for --since without a zone is local. For a run that you have not started here, texts that
    name commands are left out: its start, its pages and its end. The exit status of --follow is that of
    `status --watch`. With --all-hosts, RUN is a run that a server knows, whose folder may be on another machine: it
    shows the latest 256 events, and the beginning of each text.
    """
    server = server_of(all_hosts, address, namespace)
    if server is not None:
        if follow:
            raise click.UsageError("--follow needs the run's folder; call `logs --since` again instead")
        return _far(server, run, key, since, as_json)
    folder = find(run)
    events, yours, keys = Events(folder), is_yours(folder), dict[str, None]()
    changes = changes_at(folder)
    while True:
        state = events.state() if follow else None
        new = events.new()
        keys |= {entry.key: None for entry in new if entry.event is Event.ATTEMPT}
        if key is not None and key not in keys and not follow:
            raise click.UsageError(f"no agent has the key {key!r:.60}; {expected(key, keys)}")
        for entry in new:
            if _is_wanted(entry, key, since):
                _print(entry if yours else without_commands(entry), key is not None, as_json)
        if state is None or not is_read():
            return DONE
        if state is not State.AT_WORK:
            return STATUS.get(state, REFUSED)
        next(changes)


def _far(server: Choice, run: str | None, key: str | None, since: str | None, as_json: bool) -> int:
    from ..runs.views.far_runs import events_of

    for entry in events_of(server, run):
        if _is_wanted(entry, key, since):
            _print(entry, key is not None, as_json)
    return DONE


def _is_wanted(entry: Entry, key: str | None, since: str | None) -> bool:
    return (key is None or entry.key == key) and (since is None or entry.at >= since)


def _print(entry: Entry, whole: bool, as_json: bool) -> None:
    screen = out()
    if as_json:
        emit_line(with_schema(line_of(entry)))
    elif whole:
        screen.line((f"{moment(entry.at)}  {entry.event} {entry.number or ''}", "bold"))
        for line in entry.text.splitlines():
            screen.line(f"  {line}")
    else:
        parts = f"{entry.event:9} {entry.key:12} {entry.who} "
        screen.line((f"{moment(entry.at)}  ", "dim"), parts, (_said(entry), "dim"))


def _said(entry: Entry) -> str:
    """Return the text of an event in one line: reasons whole, replies by their beginning."""
    match entry.event:
        case Event.STEP:
            return ""
        case Event.BEGUN if entry.text:
            spec = read_spec(entry.text)
            return " ".join(f"{spec.workflow} {spec.request}".split())
        case Event.ASKED:
            return asked(entry.text)
        case Event.ANSWERED:
            return answered(entry.text)
        case Event.FAILED | Event.PAUSED | Event.LOST | Event.STOPPED:
            until = f"until {moment(entry.until)}: " if entry.until else ""
            return until + " ".join(entry.text.split())
        case _:
            return shorten(entry.text, MOST, placeholder=" …")
