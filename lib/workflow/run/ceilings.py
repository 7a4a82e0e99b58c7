"""The ceilings of a run: a number of agents, or of minutes, beyond which the user decides whether it goes on."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

from attrs import define

from ..ast.relay import NeedsUserInput, Option, Question, UserResponse
from .activities import RunError

HEADER: Final = "Ceiling"
KEYS: Final = "0."
"""Beginning of the keys of questions about ceilings: they belong to no page."""
STOP: Final = "Stop"
_RAISED: Final = re.compile(r"Raise to (\d{1,12})")
Ask = Callable[[str, NeedsUserInput], Awaitable[UserResponse]]


@define
class Ceiling:
    """One ceiling; each answer of the user may raise it."""

    unit: str
    """The unit in words, which also names the option `--max-UNIT`."""
    most: int
    """0 for no ceiling."""
    used: Callable[[], float]
    asked: int = 0
    """Number of questions about it so far."""

    @property
    def is_reached(self) -> bool:
        """Return True if no agent may be started."""
        return bool(self.most) and self.used() >= self.most

    async def raised(self, ask: Ask) -> None:
        """Ask the user for a higher ceiling. Raises RunError if the run must stop, WaitingError."""
        self.asked += 1
        key = f"{KEYS}{self.unit}{self.asked}"
        said = (await ask(key, self._question())).answers[0].text
        found = _RAISED.match(said)
        if found is None:
            raise RunError(f"the run stopped at its ceiling of {self.most:,} {self.unit}", key)
        self.most = max(self.most, int(found[1]))

    def _question(self) -> NeedsUserInput:
        used, most = self.used(), 2 * self.most
        while most <= used:
            most *= 2
        text = f"The run has used {used:,.0f} {self.unit}. Its ceiling is {self.most:,} (--max-{self.unit})."
        options = (
            Option(label=f"Raise to {most} {self.unit}", description="go on, and ask again at the new ceiling"),
            Option(label=STOP, description="stop the run and keep its records; `resume` asks again"),
        )
        return NeedsUserInput((Question(header=HEADER, text=text, options=options),))


class Ceilings:
    """The ceilings of a run, which all of its agents share.

    An agent that would pass one waits until those at work have ended, so that a pause loses no work.
    """

    def __init__(self, agents: int, minutes: int, launched: int, worked: Callable[[], float]) -> None:
        """Make ceilings.

        Args:
            agents: Maximum attempts of agents; 0 for no ceiling.
            minutes: Maximum minutes; 0 for no ceiling.
            launched: Number of attempts so far.
            worked: Returns the seconds that the run was driven so far, over all sessions.
        """
        self._launched = launched
        self._ceilings = (
            Ceiling("agents", agents, lambda: self._launched),
            Ceiling("minutes", minutes, lambda: worked() / 60),
        )
        self._at_work = set[str]()
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._end: Exception | None = None

    async def admit(self, key: str, ask: Ask) -> None:
        """Return when an agent may start. Raises RunError, WaitingError, for all agents alike, if none may.

        Args:
            key: The job of the agent.
            ask: Asks the user.
        """
        async with self._turn:
            for ceiling in self._ceilings:
                while ceiling.is_reached:
                    await self._idle()
                    await self._raised(ceiling, ask)
            self._launched += 1
            self._at_work.add(key)

    def release(self, key: str) -> None:
        """Note that no agent is at work at a job."""
        self._at_work.discard(key)
        self._changed.set()

    async def _idle(self) -> None:
        while self._at_work:
            self._changed.clear()
            await self._changed.wait()

    async def _raised(self, ceiling: Ceiling, ask: Ask) -> None:
        if self._end is not None:
            raise self._end
        try:
            await ceiling.raised(ask)
        except Exception as error:
            self._end = error
            raise
