"""Findings of a check of the plan: the place, the fault, and the fix."""

from collections.abc import Iterable
from typing import NamedTuple


class Finding(NamedTuple):
    """A fault of a plan."""

    id: str
    """The entity that it is about; `plan` for a part without an id."""
    field: str
    message: str
    fix: str
    """The fix."""

    def __str__(self) -> str:
        return f"{self.id}.{self.field}: {self.message}; {self.fix}"


def listed(findings: Iterable[Finding]) -> str:
    """Return the findings, one per line, even if texts contain line breaks. Blanks stay: they can be a diff's fault."""
    return "\n".join(" ".join(str(finding).splitlines()) for finding in findings)
