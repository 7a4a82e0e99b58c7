"""Statuses of a check, apart from the review, whose classes a reader of the ledger does not need."""

from enum import StrEnum


class ItemStatus(StrEnum):
    """The result of an item's check."""

    TODO = "TODO"
    PASS = "PASS"
    FAIL = "FAIL"
