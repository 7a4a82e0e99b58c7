"""The state of one client during a run: no agent starts before its limit ends, and none again if all fail."""

from typing import Final

from attrs import define

MOST_FAILURES: Final = 5
"""Consecutive attempts without a reply after which another one is pointless."""


@define
class Breaker:
    """What the attempts of all agents with one client have shown."""

    until: float = 0
    """End of its usage limit, in seconds since the epoch."""
    why: str = ""
    """Reason of the limit."""
    failures: int = 0
    """Number of consecutive attempts without a reply."""

    @property
    def is_open(self) -> bool:
        """Return True if too many attempts in a row had no reply."""
        return self.failures >= MOST_FAILURES
