"""The phases that end in a review."""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """A phase with a review of its own, in the order in which a run goes through them."""

    PLAN_DESIGN = "plan-design"
    PLAN_CODE = "plan-code"
    PLAN_DOCS = "plan-docs"
    IMPL_CODE = "impl-code"
    IMPL_DOCS = "impl-docs"

    @property
    def review_file(self) -> str:
        """Return the name of the file of its review."""
        return f"qr-{self}.json"


PLANNING: Final = (Phase.PLAN_DESIGN, Phase.PLAN_CODE, Phase.PLAN_DOCS)
"""The phases that change the plan."""
