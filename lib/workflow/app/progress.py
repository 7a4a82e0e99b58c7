"""How a run is watched: lines, with one at the bottom of a terminal that lives; or an event a line, for programs."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ..characters import on_a_screen
from ..run.journal import Entry, Event, line_of
from ..types import AgentRole
from .screen import Part, Screen

if TYPE_CHECKING:
    from rich.text import Text

MOST: Final = 66
"""Characters of a reason in a line."""


class Events:
    """An event a line, as the journal holds them."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def __call__(self, entry: Entry) -> None:
        """Prints it."""
        print(line_of(entry), file=self._screen.stream, flush=True)


class Watching:
    """A line for each step, for what fails and what is asked; agents are counted, and shown at the bottom."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._since = time.monotonic()
        self._step = ""
        self._working: dict[str, str] = {}
        self._replied: list[str] = []
        self._round: dict[str, int] = {}

    def __call__(self, entry: Entry) -> None:
        """Takes an event in, and prints what it is worth."""
        match entry.event:
            case Event.STEP:
                self._flush()
                self._step = entry.who or "a step that was refused"
                self._round[self._step] = self._round.get(self._step, 0) + 1
                again = f"  (round {self._round[self._step]})" if self._round[self._step] > 1 else ""
                self._line((self._step, "bold"), (again, "dim"))
            case Event.ATTEMPT:
                self._working[entry.key] = entry.who
            case Event.REPLIED:
                self._working.pop(entry.key, None)
                self._replied.append(entry.who)
            case Event.FAILED:
                self._working.pop(entry.key, None)
                why = on_a_screen(entry.text)[:MOST]
                self._line((f"  {entry.who}, attempt {entry.number} failed: ", "yellow"), (why, "dim"))
            case Event.LOST:
                self._line((f"  {entry.who} is lost", "red"))
            case Event.ASKED:
                self._line(("  asks the user", "cyan"))
            case Event.ANSWERED:
                self._line(("  the user has answered", "cyan"))
            case _:
                pass

    def close(self) -> None:
        """Prints what is still to be said of the last step."""
        self._flush()

    def _flush(self) -> None:
        """What the agents of the last step have done; that somebody thought about it goes without saying."""
        launched = [role for role in self._replied if role != AgentRole.ORCHESTRATOR]
        if launched:
            self._line((f"  {_counted(launched)} replied", "green"))
        self._replied.clear()

    def _line(self, *parts: Part) -> None:
        self._screen.line((f"{_clock(time.monotonic() - self._since):>6}  ", "dim"), *parts)
        self._screen.stream.flush()

    def __rich__(self) -> "Text":
        """The line at the bottom."""
        from rich.text import Text

        at_work = f"{_counted(self._working.values())} at work" if self._working else "nobody at work"
        said = f"{_clock(time.monotonic() - self._since):>6}  {on_a_screen(self._step)} - {at_work}"
        return Text(said[: self._screen.width - 1], style="reverse", no_wrap=True)


@contextmanager
def watching(screen: Screen, as_json: bool) -> Iterator[Events | Watching]:
    """Whoever is told of what happens in a run."""
    if as_json:
        yield Events(screen)
        return
    watcher = Watching(screen)
    if not screen.colours:
        yield watcher
        watcher.close()
        return
    from rich.live import Live

    with Live(watcher, console=screen.console(), refresh_per_second=8, transient=True):
        stream, screen.stream = screen.stream, sys.stdout  # which now prints above the line at the bottom
        try:
            yield watcher
            watcher.close()
        finally:
            screen.stream = stream


def _counted(roles: Iterable[str]) -> str:
    """`2 developer, 1 explore`."""
    listed = sorted(roles)
    return ", ".join(f"{listed.count(role)} {role}" for role in dict.fromkeys(listed))


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
