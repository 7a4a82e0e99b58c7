"""The five scripts of each phase."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from attrs import frozen

from lib.workflow.types import AgentRole, Tier
from lib.workflow.util.structs import Struct

from .limits import LIGHT_ROUNDS, MAX_ROUNDS, Policy
from .schema.phase import Phase as Phase

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
    """The names, roles and limits of the five scripts of a phase."""

    phase: Phase
    tier: Tier = Tier.STRONG
    policy: Policy = Policy.STRICT

    @property
    def role(self) -> AgentRole:
        """Return the role that does the work of the phase."""
        return self.phase.role

    def module(self, part: PhaseScript) -> str:
        """Return the module of a part's script."""
        if part in REVIEWING:
            return f"{PACKAGE}.quality_reviewer.{self.phase.replace('-', '_')}{_SUFFIX[part]}"
        return f"{PACKAGE}.{self.role.replace('-', '_')}.{self.phase.stem}{_SUFFIX[part]}"

    def name(self, part: PhaseScript) -> str:
        """Return the name of a part's workflow."""
        return f"{self.phase}{_SUFFIX[part].replace('_', '-')}"

    def agent(self, part: PhaseScript) -> AgentRole:
        """Return the role that runs a part's script."""
        return AgentRole.QUALITY_REVIEWER if part in REVIEWING else self.role


ROWS: Final = tuple(PhaseSpec(phase=phase) for phase in Phase)


def row_of(phase: Phase) -> PhaseSpec:
    """Return the row of a phase."""
    return next(row for row in ROWS if row.phase is phase)


PLAN_DESIGN: Final = row_of(Phase.PLAN_DESIGN)
PLAN_CODE: Final = row_of(Phase.PLAN_CODE)
PLAN_DOCS: Final = row_of(Phase.PLAN_DOCS)
PLANNING: Final = tuple(row for row in ROWS if row.phase.plans)
"""The phases of planning, in their order."""
IMPL_CODE: Final = row_of(Phase.IMPL_CODE)
IMPL_DOCS: Final = row_of(Phase.IMPL_DOCS)
EXECUTING: Final = tuple(row for row in ROWS if not row.phase.plans)
"""The phases of a wave, in their order."""


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
