"""The state of one client during a run: no agent starts before its limit ends, and none again if all fail."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import define

from ...types import AgentRole

Clients: TypeAlias = Callable[[AgentRole], tuple[str, ...]]
"""Function that returns the names of a role's programs, the preferred one first."""

MOST_FAILURES: Final = 5
"""Consecutive attempts without a reply after which another one is pointless."""


@define
class Breaker:
    """The state of one client, from the attempts of all its agents."""

    until: float = 0
    """End of its usage limit, in seconds since the epoch."""
    why: str = ""
    """Reason of the limit."""
    failures: int = 0
    """Number of consecutive attempts without a reply."""

    is_down: bool = False
    """True if another client does its work, because of a condition that no retry can fix."""

    @property
    def is_open(self) -> bool:
        """Return True if too many attempts in a row had no reply."""
        return self.failures >= MOST_FAILURES


class Breakers:
    """The states of all clients of a run."""

    def __init__(self) -> None:
        self._known: dict[str, Breaker] = {}

    def of(self, clients: Sequence[str]) -> tuple[Breaker, ...]:
        """Return the states of these clients."""
        return tuple(self._known.setdefault(client, Breaker()) for client in clients)
