"""The content of run.json: the identity of a run, and its ledger of hand-ins, reviews and decisions."""

import os
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from lib.workflow.types import AgentRole
from lib.workflow.util.characters import one_line
from lib.workflow.util.structs import Struct

from .depth import Depth
from .ids import EntityKind, IdOf
from .phase import BUILDING, PLANNING, Phase
from .review.item_status import ItemStatus
from .review.ledger import Answer as Answer
from .review.ledger import Contest as Contest
from .review.ledger import Entry as Entry
from .review.ledger import Grant as Grant
from .review.ledger import PassedGate as PassedGate
from .review.ledger import Reopening as Reopening
from .review.ledger import Round as Round
from .review.ledger import Submission as Submission
from .review.ledger import Verdict as Verdict
from .review.ledger import digest
from .values import count, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attrs import Attribute


def _absolute(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    one_line(instance, attribute, value)
    if not os.path.isabs(value):
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.60} must be an absolute path")


def _file_name(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    """Check that the id is a plain file name, because it names a file of the user's project."""
    one_line(instance, attribute, value)
    if value in (".", "..") or "/" in value or "\\" in value:
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.60} must name one folder")


@frozen(kw_only=True)
class Building(Struct):
    """The wave being built, its milestones divided by their builders."""

    wave: str = field(validator=IdOf(EntityKind.WAVE))
    lap: int = field(default=1, validator=count)
    """The lap. If the project's own checks fail after the last wave, another lap fixes and reviews it."""
    code: tuple[str, ...] = field(default=(), validator=IdOf(EntityKind.MILESTONE))
    documentation: tuple[str, ...] = field(default=(), validator=IdOf(EntityKind.MILESTONE))
    applied: bool = False
    """Its approved diffs, documents included, were applied unchanged. Its review asked for all later changes."""

    @property
    def milestones(self) -> tuple[str, ...]:
        """Return all milestones of the wave."""
        return (*self.code, *self.documentation)


@frozen(kw_only=True)
class Run(Struct):
    """A run of the planner, from the user's task to the last wave."""

    id: str = field(validator=_file_name)
    task: str = field(validator=text)
    """The task in the user's words."""
    project_root: str = field(validator=_absolute)
    context_digest: str | None = field(default=None, validator=digest)
    """The digest of the frozen context; None until it is frozen."""
    depth: Depth | None = None
    """None until the user has chosen, and in runs of earlier versions, which are full."""
    documents_only: bool = False
    """The plan that was handed in last has no milestone with code."""
    submissions: tuple[Submission, ...] = ()
    gates: tuple[PassedGate, ...] = ()
    rounds: tuple[Round, ...] = ()
    answers: tuple[Answer, ...] = ()
    grants: tuple[Grant, ...] = ()
    contests: tuple[Contest, ...] = ()
    reopened: tuple[Reopening, ...] = ()
    approval: str | None = field(default=None, validator=digest)
    """The digest of the approved plan; the executor accepts no other."""
    reconciling: bool = False
    """True if a reviewer must find, before the first wave, what is already done in a half-finished project."""
    done: tuple[str, ...] | None = field(default=None, validator=IdOf(EntityKind.MILESTONE))
    """The milestones that the reviewer found done; None before that."""
    building: Building | None = None
    """None before the first wave."""
    checks: tuple[Round, ...] = ()
    """The results of the project's own checks after the last wave, lap by lap; an item is a command."""
    finished: bool = False
    """The plan is complete."""
    waves: tuple[Building, ...] = ()
    """The waves of the approved plan, in their order; recorded with the approval."""
    aborted: bool = False
    """The user has ended the run."""

    @property
    def left(self) -> tuple[Building, ...]:
        """Return the waves without the milestones found done. The last wave always stays, for a final review."""
        done = self.done or ()
        cut = tuple(
            Building(
                wave=each.wave,
                code=tuple(name for name in each.code if name not in done),
                documentation=tuple(name for name in each.documentation if name not in done),
            )
            for each in self.waves
        )
        some = tuple(each for each in cut[:-1] if each.code)
        return (*some, *cut[-1:])

    def after(self, wave: str | None) -> Building | None:
        """Return the wave after that one, the first for None; None after the last."""
        names = [None, *(each.wave for each in self.left)]
        place = names.index(wave)
        return self.left[place] if place < len(self.left) else None

    def at(self, phase: Phase) -> tuple[Phase, str | None, int]:
        """Return the phase's current place: an entry with the same `at` is of this wave and lap."""
        if phase in PLANNING or self.building is None:
            return phase, None, 1
        return phase, self.building.wave, self.building.lap

    @property
    def is_light(self) -> bool:
        """Return True if the run plans in one phase and builds each wave in one."""
        return self.depth is Depth.LIGHT

    @property
    def planning(self) -> tuple[Phase, ...]:
        """Return the phases of planning that the run goes through, in order. A plan without code skips that of code."""
        if self.is_light:
            return (Phase.PLAN_DESIGN,)
        return tuple(phase for phase in PLANNING if not (self.documents_only and phase is Phase.PLAN_CODE))

    @property
    def wave_phases(self) -> tuple[Phase, ...]:
        """Return the phases that the wave goes through, in order. A wave without code skips that of code."""
        if self.is_light:
            return (Phase.IMPL_CODE,)
        return tuple(phase for phase in BUILDING if self.reviews_code or phase is not Phase.IMPL_CODE)

    @property
    def reviews_code(self) -> bool:
        """Return True if the wave goes through impl-code: it has code to build or to fix, or the run is light."""
        return self.building is not None and bool(self.is_light or self.building.code or self.building.lap > 1)

    @property
    def waves_passed(self) -> tuple[str, ...]:
        """Return the waves that have passed their last phase, in order, without one that a later lap works on again."""
        last = Phase.IMPL_CODE if self.is_light else BUILDING[-1]
        passed = dict.fromkeys(gate.wave for gate in self.gates if gate.phase is last and gate.wave)
        at_work = self.building.wave if self.building is not None and self.gate(last) is None else None
        return tuple(wave for wave in passed if wave != at_work)

    @property
    def checked(self) -> Round | None:
        """Return the results of the project's checks in this lap; None if they were not run."""
        lap = self.building.lap if self.building else 1
        return next((each for each in self.checks if each.lap == lap), None)

    @property
    def failing(self) -> tuple[Verdict, ...]:
        """Return the project's checks that have failed in this lap."""
        verdicts = self.checked.verdicts if self.checked else ()
        return tuple(each for each in verdicts if each.status is ItemStatus.FAIL)

    def gate(self, phase: Phase) -> PassedGate | None:
        """Return the gate of a phase, if it has passed."""
        return next((gate for gate in self.gates if gate.at == self.at(phase)), None)

    def submitted(self, phase: Phase, iteration: int) -> bool:
        """Return True if all the work that a round reviews is handed in."""
        return not self.awaited(phase, iteration) and not self.awaited_owners(phase, iteration)

    def awaited(self, phase: Phase, iteration: int) -> tuple[str | None, ...]:
        """Return the milestones that are not handed in yet for a round; None means the work of a single agent."""
        building = self.building
        each = building is not None and phase is Phase.IMPL_CODE and iteration == building.lap == 1
        names = () if building is None else building.milestones if self.is_light else building.code
        needed: tuple[str | None, ...] = names if each and names else (None,)
        there = {entry.milestone for entry in self.hand_ins(phase, iteration) if entry.owner is None}
        return tuple(name for name in needed if name not in there)

    def awaited_owners(self, phase: Phase, iteration: int) -> tuple[AgentRole, ...]:
        """Return the roles of other phases that have not handed in the fixes of the round before."""
        there = {entry.owner for entry in self.hand_ins(phase, iteration)}
        return tuple(role for role in self.owners(phase, iteration) if role not in there)

    def owners(self, phase: Phase, iteration: int) -> tuple[AgentRole, ...]:
        """Return the roles of other phases that the round before found faults of, in the order of the phases."""
        closed = (each for each in self.rounds_of(phase) if each.iteration == iteration - 1)
        found = {verdict.owner for each in closed for verdict in each.verdicts}
        return tuple(role for role in AgentRole if role in found)

    def hand_ins(self, phase: Phase, iteration: int) -> tuple[Submission, ...]:
        """Return the hand-ins for a round, in order. The last one has the content that the round reviews."""
        at = self.at(phase)
        return tuple(entry for entry in self.submissions if (entry.at, entry.iteration) == (at, iteration))

    def is_scattered(self, phase: Phase) -> bool:
        """Return True if several agents have handed the first round in, each from a worktree of its own."""
        there = self.hand_ins(phase, 1)
        return len({entry.milestone for entry in there}) > 1 and there[-1].apart

    def handed_in(self, phase: Phase, iteration: int) -> str | None:
        """Return the digest that a round reviews; None if nothing is handed in, or by an earlier version."""
        return next((entry.digest for entry in reversed(self.hand_ins(phase, iteration))), None)

    def rounds_of(self, phase: Phase) -> tuple[Round, ...]:
        """Return the closed rounds of a phase, in their order."""
        return tuple(each for each in self.rounds if each.at == self.at(phase))

    @property
    def remarks(self) -> tuple[tuple[Phase, str], ...]:
        """The remarks of reviewers, each with its phase."""
        return tuple((gate.phase, remark) for gate in self.gates for remark in gate.remarks)

    def contested(self, phase: Phase, iteration: int) -> "Mapping[str, str]":
        """Return the cases of authors against findings that a round judges, by item."""
        at = self.at(phase)
        return {each.item: each.case for each in self.contests if (each.at, each.iteration) == (at, iteration)}

    def granted(self, phase: Phase) -> int:
        """Return the number of rounds that the user has granted to a phase."""
        return sum(grant.at == self.at(phase) for grant in self.grants)
