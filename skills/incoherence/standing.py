"""Statuses of a run's entries, apart from the record, whose classes only its readers need."""

from enum import StrEnum


class Standing(StrEnum):
    """The status of a candidate."""

    FOUND = "found"
    SELECTED = "selected"
    DROPPED = "dropped"
    SLIP = "slip"
    """One line evidently says something else than it should. The user confirms it, and nobody examines it."""


class Progress(StrEnum):
    """The status of a task."""

    OPEN = "open"
    DELIVERED = "delivered"
    ACCEPTED = "accepted"
    FAILED = "failed"
