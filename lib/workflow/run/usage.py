"""The tokens of a run's agents: as their client reports them, else estimated from the characters of their texts."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import asdict, evolve, frozen

from ..util.terminal import plain
from .agents import TRANSCRIPTS
from .envelope import opened
from .journal import AGENTS, Entry, Event
from .results import READ, tail

CHARACTERS: Final = 4
"""Characters that an estimate takes for one token."""
TAIL: Final = 400
"""Bytes at the end of a standard error that can hold a report."""
_TEXTS: Final = (".prompt", ".out", TRANSCRIPTS)
"""Suffixes of the files with the texts that an agent reads and writes."""
_REPORT: Final = re.compile(r"tokens used:?\s*([\d,.]{1,20})\s*\Z")
"""The end of what `codex exec` writes to its standard error."""


@frozen(kw_only=True)
class Usage:
    """The tokens of one agent, or of several."""

    attempts: int = 0
    reported: int = 0
    """Tokens that the client reported."""
    dollars: float = 0.0
    """Price that the client reported."""
    estimated: int = 0
    """Tokens estimated for attempts without a report. A client that sends a conversation again for every answer counts
    more.
    """

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            attempts=self.attempts + other.attempts,
            reported=self.reported + other.reported,
            dollars=self.dollars + other.dollars,
            estimated=self.estimated + other.estimated,
        )

    @property
    def tokens(self) -> int:
        """Return all tokens."""
        return self.reported + self.estimated

    @property
    def said(self) -> str:
        """Return the number for people; `~` marks an estimate."""
        return f"{'~' if self.estimated else ''}{self.tokens:,}"

    @property
    def price(self) -> str:
        """Return the reported price for people; empty without one."""
        return f"${self.dollars:,.2f}" if self.dollars else ""

    @property
    def sentence(self) -> str:
        """Return the number with its origin."""
        price = f", {self.price} by list price" if self.dollars else ""
        if not self.estimated:
            return f"{self.tokens:,} tokens, as reported{price}"
        part = f"{self.reported:,} reported, " if self.reported else ""
        return f"about {self.tokens:,} tokens ({part}{self.estimated:,} estimated from characters){price}"

    def as_data(self) -> dict[str, int | float]:
        """Return the numbers for programs."""
        return {**asdict(self), "dollars": round(self.dollars, 6), "tokens": self.tokens}


NOTHING: Final = Usage()


@frozen(kw_only=True)
class AgentUsage:
    """The tokens of one agent of a run."""

    key: str
    role: str
    step: str
    """The step that launched it: script, number, title."""
    usage: Usage


def usages(run: str) -> Mapping[str, Usage]:
    """Return the tokens of each agent of a run, by its key, from the files of its attempts.

    Args:
        run: The driver's folder.
    """
    found: dict[str, Usage] = {}
    sizes: dict[tuple[str, str], int] = {}
    reported: set[tuple[str, str]] = set()
    for path, size in _files(os.path.join(run, AGENTS)):
        name, suffix = os.path.splitext(os.path.basename(path))
        key, _, number = name.rpartition("-")
        attempt = key, number.rpartition(".")[2]
        if suffix in _TEXTS:
            sizes[attempt] = sizes.get(attempt, 0) + size
            found[key] = found.get(key, Usage()) + Usage(attempts=suffix == ".prompt")
        said = _reported(path, suffix) if size else NOTHING
        if said.reported:
            reported.add(attempt)
            found[key] = found.get(key, Usage()) + said
    for (key, number), size in sizes.items():
        if (key, number) not in reported and found[key].attempts:  # a simulated agent has no prompt
            found[key] = evolve(found[key], estimated=found[key].estimated + -(-size // CHARACTERS))
    return found


def total(found: Iterable[Usage]) -> Usage:
    """Return the sum."""
    return sum(found, Usage())


def by_agent(run: str, events: Iterable[Entry]) -> Sequence[AgentUsage]:
    """Return the tokens of the agents of a run, in the order of their launches."""
    found = usages(run)
    steps: dict[str, str] = {}
    agents: dict[str, AgentUsage] = {}
    for entry in events:
        if entry.event is Event.STEP:
            steps[entry.key] = entry.who
        elif entry.event is Event.ATTEMPT:
            step = steps.get(entry.key.partition(".")[0], "")
            usage = found.get(entry.key, Usage())
            agents[entry.key] = AgentUsage(key=entry.key, role=entry.who, step=step, usage=usage)
    return tuple(agents.values())


def by_step(agents: Iterable[AgentUsage]) -> Mapping[str, Usage]:
    """Return the tokens of the agents by the step that launched them, in order."""
    found: dict[str, Usage] = {}
    for each in agents:
        found[each.step] = found.get(each.step, Usage()) + each.usage
    return found


def _files(folder: str) -> Iterable[tuple[str, int]]:
    """Yield the paths and sizes of the plain files in a folder."""
    try:
        with os.scandir(folder) as found:
            for each in found:
                if each.is_file(follow_symlinks=False):
                    yield each.path, each.stat(follow_symlinks=False).st_size
    except OSError:
        return


def _reported(path: str, suffix: str) -> Usage:
    """Return the numbers that a client reports in one of its outputs."""
    if suffix == ".errors":
        found = _REPORT.search(plain(tail(path, TAIL)))
        return Usage(reported=int(re.sub(r"\D", "", found[1]) or 0)) if found else NOTHING
    envelope = opened(tail(path, READ)) if suffix == ".out" else None
    return NOTHING if envelope is None else Usage(reported=envelope.tokens, dollars=envelope.dollars)
