"""Findings of `stepscript doctor`."""

from enum import StrEnum

from attrs import frozen


class State(StrEnum):
    """The result of a check."""

    GOOD = "good"
    NOTE = "note"
    """Worth knowing, but nothing fails."""
    BAD = "bad"


@frozen
class Finding:
    """The result of one check."""

    subject: str
    state: State
    what: str
    fix: str = ""
    """The command that fixes it, if necessary."""
