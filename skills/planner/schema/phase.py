"""Table of phases: each row is a phase that ends in a review."""

from enum import StrEnum
from typing import Final, Self

from lib.workflow.types import AgentRole


class Phase(StrEnum):
    """A phase with a review of its own, in the order in which a run goes through them.

    A row holds its name, the role that does the work, the base name of its scripts in the role's package, and True if
    the phase changes the plan rather than the project.
    """

    PLAN_DESIGN = "plan-design", AgentRole.ARCHITECT, "plan_design", True
    PLAN_CODE = "plan-code", AgentRole.DEVELOPER, "plan_code", True
    PLAN_DOCS = "plan-docs", AgentRole.TECHNICAL_WRITER, "plan_docs", True
    IMPL_CODE = "impl-code", AgentRole.DEVELOPER, "exec_implement", False
    IMPL_DOCS = "impl-docs", AgentRole.TECHNICAL_WRITER, "exec_docs", False

    role: AgentRole
    stem: str
    plans: bool

    def __new__(cls, name: str, role: AgentRole, stem: str, plans: bool) -> Self:
        phase = str.__new__(cls, name)
        phase._value_ = name
        phase.role, phase.stem, phase.plans = role, stem, plans
        return phase

    @property
    def review_file(self) -> str:
        """Return the name of the file of its review."""
        return f"qr-{self}.json"


PLANNING: Final = tuple(phase for phase in Phase if phase.plans)
"""The phases that change the plan."""
BUILDING: Final = tuple(phase for phase in Phase if not phase.plans)
"""The phases of a wave."""
