"""The user's choice after a gate has failed for the last time."""

from enum import StrEnum


class Choice(StrEnum):
    """The user's choices after the last round has failed."""

    ACCEPT = "accept"
    GRANT = "grant"
    ABORT = "abort"

    @classmethod
    def of(cls, accept: bool, grant: bool, abort: bool) -> "Choice | None":
        """Return the choice that the flags name; of several the most cautious one."""
        return cls.ABORT if abort else cls.GRANT if grant else cls.ACCEPT if accept else None
