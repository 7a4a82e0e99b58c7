"""Table of phases: each row gives the five scripts of a phase."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from attrs import frozen

from lib.workflow.types import AgentRole, Tier
from lib.workflow.util.structs import Struct

from .limits import LIGHT_ROUNDS, MAX_ROUNDS, Policy
from .schema.phase import Phase

if TYPE_CHECKING:
    from .schema.run import Run

PACKAGE: Final = "skills.planner"
RECONCILE: Final = f"{PACKAGE}.quality_reviewer.exec_reconcile"
"""The one script outside the table, because it belongs to no phase."""


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
"""The parts of the quality reviewer. The others belong to the role whose work is reviewed."""


@frozen(kw_only=True)
class PhaseSpec(Struct):
    """A phase: its role, and the names of its scripts."""

    phase: Phase
    role: AgentRole
    tier: Tier = Tier.STRONG
    stem: str
    """The base name of the scripts in the role's own package."""
    policy: Policy = Policy.STRICT

    def module(self, part: PhaseScript) -> str:
        """Return the module of a part's script."""
        if part in REVIEWING:
            return f"{PACKAGE}.quality_reviewer.{self.phase.replace('-', '_')}{_SUFFIX[part]}"
        return f"{PACKAGE}.{self.role.replace('-', '_')}.{self.stem}{_SUFFIX[part]}"

    def name(self, part: PhaseScript) -> str:
        """Return the name of a part's workflow."""
        return f"{self.phase}{_SUFFIX[part].replace('_', '-')}"

    def agent(self, part: PhaseScript) -> AgentRole:
        """Return the role that runs a part's script."""
        return AgentRole.QUALITY_REVIEWER if part in REVIEWING else self.role


PLAN_DESIGN: Final = PhaseSpec(phase=Phase.PLAN_DESIGN, role=AgentRole.ARCHITECT, stem="plan_design")
PLAN_CODE: Final = PhaseSpec(phase=Phase.PLAN_CODE, role=AgentRole.DEVELOPER, stem="plan_code")
PLAN_DOCS: Final = PhaseSpec(phase=Phase.PLAN_DOCS, role=AgentRole.TECHNICAL_WRITER, stem="plan_docs")
PLANNING: Final = (PLAN_DESIGN, PLAN_CODE, PLAN_DOCS)
"""The phases of planning, in their order."""
IMPL_CODE: Final = PhaseSpec(phase=Phase.IMPL_CODE, role=AgentRole.DEVELOPER, stem="exec_implement")
IMPL_DOCS: Final = PhaseSpec(phase=Phase.IMPL_DOCS, role=AgentRole.TECHNICAL_WRITER, stem="exec_docs")
EXECUTING: Final = (IMPL_CODE, IMPL_DOCS)
"""The phases of a wave, in their order."""
ROWS: Final = (*PLANNING, *EXECUTING)


def max_rounds(run: "Run", row: PhaseSpec) -> int:
    """Return how many rounds the review of a row has at most, with those that the user has granted."""
    most = LIGHT_ROUNDS if run.is_light else MAX_ROUNDS
    return most + run.granted(row.phase)


def planning_of(run: "Run") -> tuple[PhaseSpec, ...]:
    """Return the rows of planning that a run goes through, in order."""
    return tuple(row for row in PLANNING if row.phase in run.planning)


def wave_of(run: "Run") -> tuple[PhaseSpec, ...]:
    """Return the rows that the current wave goes through, in order."""
    return tuple(row for row in EXECUTING if row.phase in run.wave_phases)


def phases_of(run: "Run") -> tuple[PhaseSpec, ...]:
    """Return all rows that a run goes through: those of planning, then those of the current wave."""
    return (*planning_of(run), *(wave_of(run) if run.building else ()))


def row_of(phase: Phase) -> PhaseSpec:
    """Return the row of a phase."""
    return next(row for row in ROWS if row.phase is phase)
