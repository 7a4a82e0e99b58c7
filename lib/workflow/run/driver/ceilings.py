"""The ceilings of a run, in agents, minutes, tokens or dollars: beyond one, the user decides if the run goes on."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

from attrs import define

from ...ast.relay import NeedsUserInput, Option, Question, UserResponse
from ..journal.spec import Spec
from ..spending.usage import MICROS, NOT_USED, Used
from .activities import RunError

HEADER: Final = "Ceiling"
KEYS: Final = "0."
"""Beginning of the keys of questions about ceilings: they belong to no page."""
STOP: Final = "Stop"
_RAISED: Final = re.compile(r"Raise to \$?(\d{1,18}(?:\.\d\d)?)")
Ask = Callable[[str, NeedsUserInput], Awaitable[UserResponse]]


@define
class Ceiling:
    """One ceiling; each answer of the user may raise it."""

    unit: str
    """The name of the option, `--max-UNIT`."""
    most: float
    """0 for no ceiling."""
    used: Callable[[], float]
    share: Callable[[], float | None] = lambda: 0.0
    """The most that one attempt has used, which each agent at work may still use; None before one has ended."""
    said: Callable[[float], str] | None = None
    """The amount in words; by default a number with its unit."""
    asked: int = 0
    """Number of questions about it so far."""

    def is_reached(self, at_work: int) -> bool:
        """Return True if no agent may be started beside those at work."""
        if not self.most:
            return False
        share = self.share()
        if share is None and at_work:
            return True
        return self.used() + at_work * (share or 0) >= self.most

    async def raised(self, ask: Ask) -> None:
        """Ask the user for a higher ceiling. Raises RunError if the run must stop, WaitingError."""
        self.asked += 1
        key = f"{KEYS}{self.unit}{self.asked}"
        said = (await ask(key, self._question())).answers[0].text
        found = _RAISED.match(said)
        if found is None:
            raise RunError(f"the run stopped at its ceiling of {self._words(self.most)}", key)
        self.most = max(self.most, float(found[1]))

    def _words(self, amount: float) -> str:
        return self.said(amount) if self.said else f"{amount:,.0f} {self.unit}"

    def _question(self) -> NeedsUserInput:
        used, most = self.used(), 2 * self.most
        while most <= used:
            most *= 2
        text = f"The run has used {self._words(used)}. Its ceiling is {self._words(self.most)} (--max-{self.unit})."
        options = (
            Option(
                label=f"Raise to {self._words(most).replace(',', '')}",
                description="go on, and ask again at the new ceiling",
            ),
            Option(label=STOP, description="stop the run and keep its records; `resume` asks again"),
        )
        return NeedsUserInput((Question(header=HEADER, text=text, options=options),))


class Ceilings:
    """The ceilings of a run, which all of its agents share.

    An agent that would pass one waits until those at work have ended, so that a pause loses no work. The use of an
    agent is known when it has ended. So each agent at work counts as much as the largest one so far, and the first one
    works alone: a run passes its ceiling by one agent at most, unless agents use more than all before them did.
    """

    def __init__(
        self,
        spec: Spec,
        launched: int,
        worked: Callable[[], float],
        used: Used | Callable[[], Used] = NOT_USED,
    ) -> None:
        """Make ceilings.

        Args:
            spec: The specification of the run, with the maxima; 0 for no ceiling.
            launched: Number of attempts so far.
            worked: Returns the seconds that the run was driven so far, over all sessions.
            used: What attempts have used so far, or a function that returns it when the first agent is to start.
        """
        self._launched = launched
        self._used = used
        self._ceilings = (
            Ceiling("agents", spec.max_agents, lambda: self._launched),
            Ceiling("minutes", spec.max_minutes, lambda: worked() / 60),
            Ceiling("tokens", spec.max_tokens, lambda: self.used.tokens, self._share(lambda: self.used.most_tokens)),
            Ceiling(
                "cost",
                spec.max_cents / 100,
                lambda: self.used.micros / MICROS,
                self._share(lambda: self.used.most_micros / MICROS),
                lambda dollars: f"${dollars:,.2f}",
            ),
        )
        self.counts = bool(spec.max_tokens or spec.max_cents)
        """True if the use of attempts is needed."""
        self._at_work = set[str]()
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._end: Exception | None = None

    @property
    def used(self) -> Used:
        """Return what attempts have used so far."""
        if not isinstance(self._used, Used):
            self._used = self._used()
        return self._used

    def _share(self, most: Callable[[], float]) -> Callable[[], float | None]:
        return lambda: most() if self.used.attempts else None

    async def admit(self, key: str, ask: Ask) -> None:
        """Return when an agent may start. Raises RunError, WaitingError, for all agents alike, if none may.

        Args:
            key: The job of the agent.
            ask: Asks the user.
        """
        async with self._turn:
            while reached := [each for each in self._ceilings if each.is_reached(len(self._at_work))]:
                if self._at_work:
                    self._changed.clear()
                    await self._changed.wait()
                else:
                    await self._raised(reached[0], ask)
            self._launched += 1
            self._at_work.add(key)

    def release(self, key: str, used: Used = NOT_USED) -> None:
        """Note that no agent is at work at a job, and what its last attempt has used."""
        if key in self._at_work:
            self._at_work.discard(key)
            if self.counts:
                self._used = self.used + used
            self._changed.set()

    async def _raised(self, ceiling: Ceiling, ask: Ask) -> None:
        if self._end is not None:
            raise self._end
        try:
            await ceiling.raised(ask)
        except Exception as error:
            self._end = error
            raise
