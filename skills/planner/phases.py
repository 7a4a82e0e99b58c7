"""The table of phases: each row gives the five scripts that a phase has (002, "Script Organization")."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from attrs import frozen

from lib.workflow.types import AgentRole, Tier
from lib.workflow.util.structs import Struct

from .limits import Policy
from .schema.phase import Phase

if TYPE_CHECKING:
    from .schema.run import Run

PACKAGE: Final = "skills.planner"
RECONCILE: Final = f"{PACKAGE}.quality_reviewer.exec_reconcile"
"""The one script beside the table: it belongs to no phase."""


class PhaseScript(StrEnum):
    """The five scripts of a phase."""

    ROUTE = "route"
    EXECUTE = "execute"
    FIX = "fix"
    DECOMPOSE = "decompose"
    VERIFY = "verify"


_SUFFIX: Final = {
    PhaseScript.ROUTE: "",
    PhaseScript.EXECUTE: "_execute",
    PhaseScript.FIX: "_qr_fix",
    PhaseScript.DECOMPOSE: "_qr_decompose",
    PhaseScript.VERIFY: "_qr_verify",
}
REVIEWING: Final = frozenset({PhaseScript.DECOMPOSE, PhaseScript.VERIFY})
"""The parts of the quality reviewer; the others are the role's whose work is reviewed."""


@frozen(kw_only=True, eq=False, repr=False)
class PhaseSpec(Struct):
    """A phase: who works in it, and what its scripts are called."""

    phase: Phase
    role: AgentRole
    tier: Tier = Tier.STRONG
    stem: str
    """Of the scripts of the role's own package."""
    policy: Policy = Policy.STRICT

    def module(self, part: PhaseScript) -> str:
        """The script of a part."""
        if part in REVIEWING:
            return f"{PACKAGE}.quality_reviewer.{self.phase.replace('-', '_')}{_SUFFIX[part]}"
        return f"{PACKAGE}.{self.role.replace('-', '_')}.{self.stem}{_SUFFIX[part]}"

    def name(self, part: PhaseScript) -> str:
        """The workflow of a part."""
        return f"{self.phase}{_SUFFIX[part].replace('_', '-')}"

    def agent(self, part: PhaseScript) -> AgentRole:
        """Who runs the script of a part."""
        return AgentRole.QUALITY_REVIEWER if part in REVIEWING else self.role


PLAN_DESIGN: Final = PhaseSpec(phase=Phase.PLAN_DESIGN, role=AgentRole.ARCHITECT, stem="plan_design")
PLAN_CODE: Final = PhaseSpec(phase=Phase.PLAN_CODE, role=AgentRole.DEVELOPER, stem="plan_code")
PLAN_DOCS: Final = PhaseSpec(phase=Phase.PLAN_DOCS, role=AgentRole.TECHNICAL_WRITER, stem="plan_docs")
PLANNING: Final = (PLAN_DESIGN, PLAN_CODE, PLAN_DOCS)
"""In the order in which a plan goes through them."""
IMPL_CODE: Final = PhaseSpec(phase=Phase.IMPL_CODE, role=AgentRole.DEVELOPER, stem="exec_implement")
IMPL_DOCS: Final = PhaseSpec(phase=Phase.IMPL_DOCS, role=AgentRole.TECHNICAL_WRITER, stem="exec_docs")
EXECUTING: Final = (IMPL_CODE, IMPL_DOCS)
"""In the order in which a wave goes through them."""
ROWS: Final = (*PLANNING, *EXECUTING)


def planning_of(run: "Run") -> tuple[PhaseSpec, ...]:
    """The rows of planning that a run goes through, in order."""
    return tuple(row for row in PLANNING if row.phase in run.planning)


def wave_of(run: "Run") -> tuple[PhaseSpec, ...]:
    """The rows that the wave at work goes through, in order."""
    return tuple(row for row in EXECUTING if row.phase in run.wave_phases)


def phases_of(run: "Run") -> tuple[PhaseSpec, ...]:
    """All rows that a run goes through: those of planning, then those of the wave at work."""
    return (*planning_of(run), *(wave_of(run) if run.building else ()))


def row_of(phase: Phase) -> PhaseSpec:
    """The row of a phase."""
    return next(row for row in ROWS if row.phase is phase)
