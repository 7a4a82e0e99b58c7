"""What a check of the plan has to say: where, what, and what to do about it."""

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
