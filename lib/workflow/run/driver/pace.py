"""The clock of a run's retries. An engine has its own, so that a run that is repeated takes the same path."""

import asyncio
import time
from random import SystemRandom
from typing import Final, Protocol

SLICE: Final = 30.0
"""Maximum seconds of one sleep: the clock of sleeps stops while a computer is suspended."""
FIRST: Final = 8
"""Delay after the first overload, in units of a run's backoff."""
LONGEST: Final = 300
"""Maximum delay after an overload, in the same units."""
LATE: Final = 30
"""Seconds after a limit's end: clocks differ, and agents that wait for one limit do not start together."""


class Pace(Protocol):
    """A clock and a source of random numbers."""

    def now(self) -> float:
        """Return the time in seconds since the epoch."""

    async def until(self, moment: float) -> None:
        """Wait until a time."""

    def random(self) -> float:
        """Return a random number from 0 to 1."""


class WallClock:
    """The clock of this machine."""

    def now(self) -> float:
        """Return the time in seconds since the epoch."""
        return time.time()

    async def until(self, moment: float) -> None:
        """Wait until a time."""
        while (left := moment - self.now()) > 0:
            await asyncio.sleep(min(left, SLICE))

    def random(self) -> float:
        """Return a random number from 0 to 1."""
        return SystemRandom().random()


def slowed(count: int, unit: float, chance: float) -> float:
    """Return the seconds to wait after an overload: doubled each time, between half and all of it.

    Args:
        count: Number of overloads so far, at least 1.
        unit: The run's backoff in seconds.
        chance: A random number from 0 to 1.
    """
    return unit * min(FIRST << (count - 1), LONGEST) * (1 + chance) / 2


def reset(until: int, chance: float) -> float:
    """Return the time at which an agent starts again after a limit that ends at `until`."""
    return until + LATE * (1 + chance)
