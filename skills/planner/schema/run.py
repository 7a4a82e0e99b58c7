"""What run.json holds: which run this is, and its ledger of what has been decided (`decisions.md`, "The ledger")."""

import os
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from lib.workflow.characters import one_line
from lib.workflow.structs import Struct

from .depth import Depth
from .ids import IdOf, Kind
from .item_status import ItemStatus
from .phase import PLANNING, Phase
from .values import count, text

if TYPE_CHECKING:
    from attrs import Attribute

DIGEST_LENGTH: Final = 64
"""Hexadecimal digits of a SHA-256."""


def digest(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """An attrs validator: a SHA-256 in lower-case hexadecimal digits, or None."""
    if value is not None and (len(value) != DIGEST_LENGTH or value.strip("0123456789abcdef")):
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.80} is no SHA-256 in hexadecimal")


def _absolute(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    one_line(instance, attribute, value)
    if not os.path.isabs(value):
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.60} must be an absolute path")


def _file_name(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    """The id names a file of the user's project: it must lead nowhere."""
    one_line(instance, attribute, value)
    if value in (".", "..") or "/" in value or "\\" in value:
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.60} must name one folder")


@frozen(kw_only=True, eq=False, repr=False)
class Verdict(Struct):
    """What a round found about one item."""

    item: str = field(validator=one_line)
    status: ItemStatus
    finding: str | None = field(default=None, validator=text)


@frozen(kw_only=True, eq=False, repr=False)
class Entry(Struct):
    """What all that is recorded of a phase has in common: when it was."""

    phase: Phase
    wave: str | None = field(default=None, validator=IdOf(Kind.WAVE))
    """None while planning."""
    lap: int = field(default=1, validator=count)
    """Of the wave."""

    @property
    def at(self) -> tuple[Phase, str | None, int]:
        """Phase, wave and lap: what is recorded of one serves no other."""
        return self.phase, self.wave, self.lap


@frozen(kw_only=True, eq=False, repr=False)
class Round(Entry):
    """One verification of a review, closed."""

    iteration: int = field(validator=count)
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> frozenset[str]:
        """The items that failed."""
        return frozenset(verdict.item for verdict in self.verdicts if verdict.status is not ItemStatus.PASS)


@frozen(kw_only=True, eq=False, repr=False)
class Submission(Entry):
    """Work that its agent has finished and validated: what the review of a round looks at."""

    iteration: int = field(validator=count)
    """1 for the first execution, the round that is to follow for a repair."""
    milestone: str | None = field(default=None, validator=IdOf(Kind.MILESTONE))
    """The one that a developer has built; None where an agent does all of a phase."""


@frozen(kw_only=True, eq=False, repr=False)
class PassedGate(Entry):
    """A review that was passed, and the plan that it passed."""

    plan_digest: str = field(validator=digest)
    accepted: tuple[str, ...] = ()
    """Items that had failed, and that the user accepted as they are."""


@frozen(kw_only=True, eq=False, repr=False)
class Grant(Entry):
    """One more round, granted by the user after the last that there is."""

    iteration: int = field(validator=count)
    """The round that it allows."""


@frozen(kw_only=True, eq=False, repr=False)
class Answer(Entry):
    """What the user said to a question that was relayed."""

    header: str = field(validator=one_line)
    text: str = field(validator=text)


@frozen(kw_only=True, eq=False, repr=False)
class Building(Struct):
    """The wave that is being built, its milestones divided by who builds them."""

    wave: str = field(validator=IdOf(Kind.WAVE))
    lap: int = field(default=1, validator=count)
    """Where the project's own checks fail after the last wave, it is mended and reviewed in another lap."""
    code: tuple[str, ...] = field(default=(), validator=IdOf(Kind.MILESTONE))
    documentation: tuple[str, ...] = field(default=(), validator=IdOf(Kind.MILESTONE))

    @property
    def milestones(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.code, *self.documentation)


@frozen(kw_only=True, eq=False, repr=False)
class Run(Struct):
    """A run of the planner, from the user's task to the last wave."""

    id: str = field(validator=_file_name)
    task: str = field(validator=text)
    """In the user's words."""
    project_root: str = field(validator=_absolute)
    context_digest: str | None = field(default=None, validator=digest)
    """Of the frozen context; None until it is frozen."""
    depth: Depth | None = None
    """None until the user has chosen, and in runs of earlier versions: such a run is full."""
    submissions: tuple[Submission, ...] = ()
    gates: tuple[PassedGate, ...] = ()
    rounds: tuple[Round, ...] = ()
    answers: tuple[Answer, ...] = ()
    grants: tuple[Grant, ...] = ()
    approval: str | None = field(default=None, validator=digest)
    """The digest of the approved plan: the executor takes no other."""
    reconciling: bool = False
    """A reviewer is to find out, before the first wave, what is done already of a project that was left half-done."""
    done: tuple[str, ...] | None = field(default=None, validator=IdOf(Kind.MILESTONE))
    """The milestones that it found done; None until it has looked."""
    building: Building | None = None
    """None before the first wave."""
    checks: tuple[Round, ...] = ()
    """What the project's own checks came to after the last wave, lap by lap; an item is a command."""
    finished: bool = False
    """The plan is carried out."""
    waves: tuple[Building, ...] = ()
    """Those of the approved plan, in their order; recorded with the approval."""
    aborted: bool = False
    """The user has ended the run."""

    @property
    def left(self) -> tuple[Building, ...]:
        """The waves without what was found done; the last stays in any case, so that there is a review at the end."""
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
        """The wave after that one, the first where it is None; None after the last."""
        names = [None, *(each.wave for each in self.left)]
        place = names.index(wave)
        return self.left[place] if place < len(self.left) else None

    def at(self, phase: Phase) -> tuple[Phase, str | None, int]:
        """Where a phase stands now: an entry with the same `at` is of this wave and lap."""
        if phase in PLANNING or self.building is None:
            return phase, None, 1
        return phase, self.building.wave, self.building.lap

    @property
    def is_light(self) -> bool:
        """Whether the run plans in one phase and builds each wave in one."""
        return self.depth is Depth.LIGHT

    @property
    def reviews_code(self) -> bool:
        """Whether the wave has code to be built or mended; one with documentation alone skips that phase."""
        return self.building is not None and bool(self.building.code or self.building.lap > 1)

    @property
    def wave_phases(self) -> tuple[Phase, ...]:
        """Those that the wave goes through, in their order."""
        return (Phase.IMPL_CODE, Phase.IMPL_DOCS) if self.reviews_code else (Phase.IMPL_DOCS,)

    @property
    def checked(self) -> Round | None:
        """What the project's checks came to in this lap; None where they were not run."""
        lap = self.building.lap if self.building else 1
        return next((each for each in self.checks if each.lap == lap), None)

    @property
    def failing(self) -> tuple[Verdict, ...]:
        """The project's checks that have failed in this lap."""
        verdicts = self.checked.verdicts if self.checked else ()
        return tuple(each for each in verdicts if each.status is ItemStatus.FAIL)

    def gate(self, phase: Phase) -> PassedGate | None:
        """The gate of a phase, if it was passed."""
        return next((gate for gate in self.gates if gate.at == self.at(phase)), None)

    def submitted(self, phase: Phase, iteration: int) -> bool:
        """Whether the work that a round looks at is finished."""
        return not self.awaited(phase, iteration)

    def awaited(self, phase: Phase, iteration: int) -> tuple[str | None, ...]:
        """The milestones that are not handed in yet for a round; None stands for the work of a single agent."""
        building, at = self.building, self.at(phase)
        each = building is not None and phase is Phase.IMPL_CODE and iteration == building.lap == 1
        needed: tuple[str | None, ...] = building.code if each and building else (None,)
        there = {entry.milestone for entry in self.submissions if (entry.at, entry.iteration) == (at, iteration)}
        return tuple(name for name in needed if name not in there)

    def rounds_of(self, phase: Phase) -> tuple[Round, ...]:
        """The closed rounds of a phase, in their order."""
        return tuple(each for each in self.rounds if each.at == self.at(phase))

    def granted(self, phase: Phase) -> int:
        """How many rounds the user has granted to a phase."""
        return sum(grant.at == self.at(phase) for grant in self.grants)
