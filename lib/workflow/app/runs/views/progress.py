"""The view of a watched run: lines, with a live one at the bottom of a terminal; or one event per line."""

import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ....run.journal.journal import Entry, Event, line_of
from ....util.characters import on_a_screen
from ....util.documents import with_schema
from ....util.progress import Progress
from ...output.screen import Part, Screen, clock, emit_line
from .summaries import answered, asked, counted, glance

LEAST: Final = 30
"""Minimum columns of a note."""
INDENT: Final = 15
"""Columns before texts that belong to a step."""
LONGEST_QUESTION: Final = 100
"""Most characters of a question in a line; a longer one is shown by its header, because it follows in full."""


class Events:
    """A listener that prints one event per line, as JSON."""

    def __call__(self, entry: Entry) -> None:
        """Print an event."""
        emit_line(with_schema(line_of(entry)))

    def progress(self, progress: Progress) -> None:
        """Ignore progress, which is not an event."""


class Watching:
    """A listener that prints a line for each step, with its launched agents, and lines for failures and questions."""

    def __init__(self, screen: Screen, before: float = 0) -> None:
        """Make a listener; `before` is the number of seconds that the run was driven before."""
        self._screen = screen
        self._since = time.monotonic() - before
        self._script = self._step = self._quoted = ""
        self._paused = ("", "")
        self._working: dict[str, str] = {}
        self._visits: dict[str, int] = {}

    def __call__(self, entry: Entry) -> None:
        """Take an event, and print a line if it is relevant."""
        match entry.event:
            case Event.STEP:
                self._show(entry)
            case Event.ATTEMPT:
                self._working[entry.key] = entry.who
            case Event.REPLIED:
                self._working.pop(entry.key, None)
            case Event.FAILED:
                self._working.pop(entry.key, None)
                self._whole(f"{entry.who}, attempt {entry.number} failed: {entry.text}")
            case Event.PAUSED:
                if (entry.until, entry.text) != self._paused:  # all agents of a client wait for one limit
                    until = entry.until[:16].replace("T", " ")
                    self._whole(f"{entry.who} waits until {until} UTC: {entry.text}")
                self._paused = entry.until, entry.text
            case Event.LOST:
                self._note((f"{entry.who} is lost", "red"))
            case Event.ASKED:
                self._note(("asks the user: ", "cyan"), asked(entry.text, LONGEST_QUESTION))
            case Event.ANSWERED:
                self._note(("the user answered: ", "cyan"), answered(entry.text))
            case _:
                pass

    def progress(self, progress: Progress) -> None:
        """Print the progress of a slow step."""
        self._note(("", "dim"), progress.text)

    def _show(self, entry: Entry) -> None:
        self._step = entry.who or "a step that was refused"
        script, _, rest = self._step.partition(" ")
        place, _, title = rest.partition(" ")
        if entry.who and script != self._script:
            self._screen.line((script, "bold green"))
            self._script = script
        self._visits[self._step] = visit = self._visits.get(self._step, 0) + 1
        again = f"  (visit {visit})" if visit > 1 else ""
        seen = glance(entry.text)
        self._line(
            *((f"{place:>5}  {title}", "bold") if entry.who else (f"       {self._step}", "yellow"), (again, "dim")),
            (f"  -> {seen.launched}" if seen.launched else "", "green"),
        )
        if seen.quoted != self._quoted:
            self._note(("", "dim"), seen.quoted)
        self._quoted = seen.quoted

    def _note(self, label: tuple[str, str], more: str = "") -> None:
        """Print a note on the step above; a long text goes on in lines below."""
        text = on_a_screen(more)
        room = max(self._screen.width - INDENT - 1, LEAST)
        first, *rest = textwrap.wrap(label[0] + text, room, break_on_hyphens=False) or [""]
        if label[0] or text:
            self._screen.line(" " * INDENT, label, (first[len(label[0]) :], "dim"))
        for line in rest:
            self._screen.line(" " * INDENT, (line, "dim"))
        self._screen.stream.flush()

    def _whole(self, text: str) -> None:
        """Print a note that is never cut."""
        self._screen.paragraph(text, INDENT)
        self._screen.stream.flush()

    def _line(self, *parts: Part) -> None:
        self._screen.line((f"{clock(time.monotonic() - self._since):>6}  ", "dim"), *parts)
        self._screen.stream.flush()

    def bottom(self) -> str:
        """Return the line at the bottom."""
        at_work = f"{counted(self._working.values())} at work" if self._working else "no agent at work"
        said = f"{clock(time.monotonic() - self._since):>6}  {on_a_screen(self._step)} - {at_work}"
        return said[: self._screen.width - 1]


@contextmanager
def watching(screen: Screen, as_json: bool, before: float = 0) -> Iterator[Events | Watching]:
    """Yield the listener for the events of a run that was driven for some seconds before."""
    if as_json:
        yield Events()
        return
    watcher = Watching(screen, before)
    if not screen.colours:
        yield watcher
        return
    from rich import live, text

    def line() -> text.Text:
        return text.Text(watcher.bottom(), style="reverse", no_wrap=True)

    with live.Live(get_renderable=line, console=screen.console(), refresh_per_second=8, transient=True):
        stream, screen.stream = screen.stream, sys.stdout  # this one prints above the line at the bottom
        try:
            yield watcher
        finally:
            screen.stream = stream
