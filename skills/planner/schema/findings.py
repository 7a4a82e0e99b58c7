"""What a check of the plan has to say: where, what, and what to do about it."""

from collections.abc import Iterable
from typing import NamedTuple


class Finding(NamedTuple):
    """Something wrong with a plan."""

    id: str
    """The entity that it is about; `plan` for what has no id."""
    field: str
    message: str
    fix: str
    """What to do instead."""

    def __str__(self) -> str:
        return f"{self.id}.{self.field}: {self.message}; {self.fix}"


def listed(findings: Iterable[Finding]) -> str:
    """The findings, a line each: no text in one can make a line of its own."""
    return "\n".join(" ".join(str(finding).split()) for finding in findings)
