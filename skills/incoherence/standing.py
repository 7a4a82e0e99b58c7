"""How far what a run has on record can have come. Apart from the record, whose classes only its readers pay for."""

from enum import StrEnum


class Standing(StrEnum):
    """How far a candidate has come."""

    FOUND = "found"
    SELECTED = "selected"
    DROPPED = "dropped"


class Progress(StrEnum):
    """How far a task has come."""

    OPEN = "open"
    DELIVERED = "delivered"
    ACCEPTED = "accepted"
    FAILED = "failed"
