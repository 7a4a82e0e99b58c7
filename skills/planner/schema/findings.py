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
    """The findings, a line each, which no text in one can break. Blanks stay: they can be what is wrong with a diff."""
    return "\n".join(" ".join(str(finding).splitlines()) for finding in findings)
