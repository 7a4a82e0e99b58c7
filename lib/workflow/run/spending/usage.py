"""The tokens of a run's agents: as their client reports them, else estimated from the characters of their texts."""

import os
import re
import stat
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Final

from attrs import asdict, evolve, frozen

from ...arguments.parameter import Arg
from ...util.output import TRANSCRIPT
from ...util.structs import Struct
from ...util.terminal import plain
from ..clients.envelope import opened
from ..clients.prices import estimate
from ..defaults import LONGEST_REPLY, TRANSCRIPTS
from ..journal.journal import AGENTS
from ..processes.capture import tail

if TYPE_CHECKING:
    from ..clients.agents import Attempt

MICROS: Final = 1_000_000
"""Millionths of a dollar in a dollar."""
MOST: Final = 10**17
Number = Annotated[int, Arg(min=0, max=MOST)]
CHARACTERS: Final = 4
"""Characters that an estimate takes for one token."""
TAIL: Final = 400
"""Bytes at the end of a standard error that can hold a report."""
_TEXTS: Final = (".prompt", ".out", TRANSCRIPTS)
"""Suffixes of the files with the texts that an agent reads and writes."""
_TOLD: Final = (*_TEXTS, ".errors")
_REPORT: Final = r"tokens used:?\s*([\d,.]{1,20})\s*\Z"
"""Pattern of the end of what `codex exec` writes to its standard error, compiled on first use."""


@frozen(kw_only=True)
class Usage(Struct):
    """The tokens of one agent, or of several."""

    attempts: int = 0
    reported: int = 0
    """Tokens that the client reported."""
    dollars: float = 0.0
    """Price that the client reported."""
    priced: float = 0.0
    """Price estimated from the prices in the settings, for attempts whose client reported none."""
    estimated: int = 0
    """Tokens estimated for attempts without a report. A client that sends a conversation again for every answer counts
    more.
    """

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            attempts=self.attempts + other.attempts,
            reported=self.reported + other.reported,
            dollars=self.dollars + other.dollars,
            priced=self.priced + other.priced,
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
    def cost(self) -> float:
        """Return the price in dollars, reported and estimated."""
        return self.dollars + self.priced

    @property
    def price(self) -> str:
        """Return the price for people, empty without one; `~` marks an estimate."""
        return f"{'~' if self.priced else ''}${self.cost:,.2f}" if self.cost else ""

    @property
    def sentence(self) -> str:
        """Return the number with its origin."""
        part = f", of these ${self.priced:,.2f} estimated" if self.priced and self.dollars else ""
        price = f", {self.price} {'as estimated' if not self.dollars else f'by list price{part}'}" if self.cost else ""
        if not self.estimated:
            return f"{self.tokens:,} tokens, as reported{price}"
        part = f"{self.reported:,} reported, " if self.reported else ""
        return f"about {self.tokens:,} tokens ({part}{self.estimated:,} estimated from characters){price}"

    def as_data(self) -> dict[str, int | float]:
        """Return the numbers for programs."""
        dollars = {"dollars": self.dollars, "priced": self.priced, "cost": self.cost}
        return {**asdict(self), "tokens": self.tokens, **{name: round(each, 6) for name, each in dollars.items()}}


NOTHING: Final = Usage()


@frozen(kw_only=True)
class Used(Struct):
    """The use by attempts of agents, in tokens and millionths of a dollar, with the maximum of one attempt."""

    attempts: Number = 0
    tokens: Number = 0
    micros: Number = 0
    most_tokens: Number = 0
    most_micros: Number = 0

    def __add__(self, other: "Used") -> "Used":
        return Used(
            attempts=self.attempts + other.attempts,
            tokens=min(self.tokens + other.tokens, MOST),
            micros=min(self.micros + other.micros, MOST),
            most_tokens=max(self.most_tokens, other.most_tokens),
            most_micros=max(self.most_micros, other.most_micros),
        )


def used_by(usage: Usage) -> Used:
    """Return what one attempt has used."""
    tokens, micros = min(usage.tokens, MOST), min(round(usage.cost * MICROS), MOST)
    return Used(attempts=1, tokens=tokens, micros=micros, most_tokens=tokens, most_micros=micros)


NOT_USED: Final = Used()


def usage_of(attempt: "Attempt", price: float = 0) -> Usage:
    """Return the tokens and the price of an attempt that is over, from its files.

    Args:
        attempt: The attempt, with its transcript in its environment.
        price: Dollars for a million tokens if the client reports no price.
    """
    files = attempt.files
    texts = (files.given, files.out, attempt.environment.get(TRANSCRIPT, ""))
    sizes = [size for size in map(_size, texts) if size is not None]
    if _size(files.given) is None:  # a simulated agent has no prompt
        return NOTHING
    said = total(_reported(path, os.path.splitext(path)[1]) for path in (files.out, files.errors))
    estimated = 0 if said.reported else -(-sum(sizes) // CHARACTERS)
    return _priced(evolve(said, attempts=1, estimated=estimated), price)


def usages(run: str, prices: Mapping[str, float] | None = None) -> Mapping[str, Usage]:
    """Return the tokens of each agent of a run, by its key, from the files of its attempts.

    Args:
        run: The driver's folder.
        prices: Dollars for a million tokens by attempt, `KEY-NUMBER`, if its client reports no price.
    """
    sizes: dict[tuple[str, str], int] = {}
    said: dict[tuple[str, str], Usage] = {}
    begun = set[tuple[str, str]]()
    for path, name, size in _files(os.path.join(run, AGENTS)):
        stem, suffix = os.path.splitext(name)
        key, _, number = stem.rpartition("-")
        attempt = key, number.rpartition(".")[2]
        if suffix in _TEXTS:
            sizes[attempt] = sizes.get(attempt, 0) + size
        if suffix == ".prompt":
            begun.add(attempt)
        elif size and (found := _reported(path, suffix)) is not NOTHING:
            said[attempt] = said.get(attempt, NOTHING) + found
    works = {key for key, _ in begun}  # a simulated agent has no prompt
    sums: dict[str, Usage] = {}
    for attempt in {**sizes, **said}:
        key, number = attempt
        found = said.get(attempt, NOTHING)
        estimated = 0 if found.reported or key not in works else -(-sizes.get(attempt, 0) // CHARACTERS)
        price = (prices or {}).get(f"{key}-{number}", 0)
        usage = _priced(evolve(found, attempts=int(attempt in begun), estimated=estimated), price)
        sums[key] = sums[key] + usage if key in sums else usage
    return {key: found for key, found in sums.items() if found != NOTHING or key in works}


def total(found: Iterable[Usage]) -> Usage:
    """Return the sum."""
    return sum(found, Usage())


def _priced(usage: Usage, price: float) -> Usage:
    """Return the same tokens with an estimated price, if the client reported none."""
    return usage if usage.dollars or not price else evolve(usage, priced=estimate(usage.tokens, price))


def _size(path: str) -> int | None:
    """Return the size of a plain file; None without one."""
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _files(folder: str) -> Iterable[tuple[str, str, int]]:
    """Yield the paths, names and sizes of the plain files in a folder that can tell what an agent used."""
    try:
        with os.scandir(folder) as found:
            for each in found:
                if each.name.endswith(_TOLD) and each.is_file(follow_symlinks=False):
                    yield each.path, each.name, each.stat(follow_symlinks=False).st_size
    except OSError:
        return


def _reported(path: str, suffix: str) -> Usage:
    """Return the numbers that a client reports in one of its outputs."""
    if suffix == ".errors":
        found = re.search(_REPORT, plain(tail(path, TAIL)))
        return Usage(reported=int(re.sub(r"\D", "", found[1]) or 0)) if found else NOTHING
    envelope = opened(tail(path, 4 * LONGEST_REPLY)) if suffix == ".out" else None
    return NOTHING if envelope is None else Usage(reported=envelope.tokens, dollars=envelope.dollars)
