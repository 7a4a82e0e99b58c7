"""Statuses of a run's entries, apart from the record, whose classes only its readers need."""

from enum import StrEnum


class Standing(StrEnum):
    """The status of a candidate."""

    FOUND = "found"
    SELECTED = "selected"
    DROPPED = "dropped"


class Progress(StrEnum):
    """The status of a task."""

    OPEN = "open"
    DELIVERED = "delivered"
    ACCEPTED = "accepted"
    FAILED = "failed"
