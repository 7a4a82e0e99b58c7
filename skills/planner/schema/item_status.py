"""What can come of a check. Apart from the review, whose classes a reader of the ledger does not pay for."""

from enum import StrEnum


class ItemStatus(StrEnum):
    """What came of an item's check."""

    TODO = "TODO"
    PASS = "PASS"
    FAIL = "FAIL"
