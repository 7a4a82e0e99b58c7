"""Faults that simulated agents can commit."""

from enum import StrEnum


class Fault(StrEnum):
    """A fault of a simulated agent."""

    FAIL = "fail"
    """A failing review; the simulator decides how."""
    ASK = "ask"
    NONSENSE = "nonsense"
    CRASH = "crash"
    HANG = "hang"
