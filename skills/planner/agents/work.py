"""The work of a phase: the router, the first execution, the repair of what a review has found."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from lib.workflow.ast.nodes import Element
from lib.workflow.core import Outcome, RefusedError, Script, StepContext, Workflow

from ..limits import MAX_ROUNDS
from ..phases import EXECUTING, IMPL_CODE, Part, Row
from ..review.findings import phase_at_work, to_fix
from ..schema.review import ItemStatus, ReviewItem
from ..state.run_state import state_of
from ..texts import for_phase, sections
from .slots import Fact, Where
from .steps import PARAMS, Going, Milestone, StateDir, linear, start, step, workflow
from .wave_slots import TAGS, WAVE_FACTS, check_building, milestones_told

Way: TypeAlias = tuple[Literal[Outcome.OK, Outcome.FAIL], dict[str, str]]
MAX_FAILURES: Final = 6000
"""Characters of findings in a print; what exceeds them is named by its id."""


def route(row: Row) -> Workflow:
    """One step: to the repair where a review has findings, else to the first execution."""

    def way(context: StepContext, state_dir: StateDir) -> Way:
        return (Outcome.FAIL if to_fix(state_of(context), row) else Outcome.OK), {}

    def way_of_one(context: StepContext, state_dir: StateDir, milestone: Milestone | None = None) -> Way:
        if milestone is not None:
            milestones_told(state_of(context), row.phase, milestone)
        return way(context, state_dir)

    params = _params(row)
    next_ = {
        Outcome.OK: Script(module=row.module(Part.EXECUTE), passes=params),
        Outcome.FAIL: Script(module=row.module(Part.FIX), passes=PARAMS),
    }
    handler = way if params == PARAMS else way_of_one
    prompts = for_phase("router", row.phase)
    steps = [step(row, Part.ROUTE, name, prompt, handler, next_, {}) for name, prompt in prompts.items()]
    does = f"The work of {row.phase}: its first execution, or a repair."
    return workflow(row, Part.ROUTE, does, steps, params=params)


def execute(row: Row) -> Workflow:
    """The steps of the phase's own file."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        if row in EXECUTING:
            check_building(state_of(context), row.phase)
        if to_fix(state_of(context), row):
            what = "its review has findings: they are to be repaired, and what passed is to stay"
            raise RefusedError("repair-due", row.phase, what, "Start there.", start(row, Part.ROUTE, context))
        return Outcome.OK, {}

    def begin_one(context: StepContext, state_dir: StateDir, milestone: Milestone | None = None) -> Going:
        begin(context, state_dir)
        return go_on(context, state_dir, milestone)

    def go_on(context: StepContext, state_dir: StateDir, milestone: Milestone | None = None) -> Going:
        if milestone is not None:
            milestones_told(state_of(context), row.phase, milestone)
        return Outcome.OK, {}

    params = _params(row)
    handlers = (begin, None) if params == PARAMS else (begin_one, go_on)
    steps = linear(row, Part.EXECUTE, sections(f"{row.phase}-execute"), handlers[0], FACTS, handlers[1])
    return workflow(row, Part.EXECUTE, f"The first execution of {row.phase}.", steps, TAGS, params)


def _params(row: Row) -> tuple[str, ...]:
    """A wave's code is built by as many agents as it has milestones; each is told its own."""
    return (*PARAMS, "milestone") if row is IMPL_CODE else PARAMS


def fix(row: Row) -> Workflow:
    """Read the findings, repair, validate."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        if not to_fix(state_of(context), row):
            router = start(row, Part.ROUTE, context)
            raise RefusedError("nothing-failed", row.phase, "its review has no findings", "Start there.", router)
        return Outcome.OK, {}

    steps = linear(row, Part.FIX, for_phase(row.fix, row.phase), begin, FACTS)
    tags = ("failures", "failure", "check", "finding", "more")
    return workflow(row, Part.FIX, f"The repair of what a review of {row.phase} has found.", steps, tags)


def _failures(where: Where) -> Element:
    """The items that have failed, each with its finding; as many as a print has room for."""
    failed = to_fix(where.state, where.row)
    shown: list[Element] = []
    left = MAX_FAILURES
    for item in failed:
        left -= len(item.check) + len(item.finding or "")
        if left < 0 and shown:
            break
        shown.append(_failure(item))
    rest = [item.id for item in failed[len(shown) :]]
    if rest:
        command = _at_work(where).qr("list-items", "--status", ItemStatus.FAIL)
        shown.append(Element("more", {"ids": ",".join(rest)}, str(command)))
    before = where.state.round(_at_work(where).row.phase) - 1  # none in a lap that failed checks have begun
    return Element("failures", {"round": str(before) if before else None}, shown)


def _at_work(where: Where) -> Where:
    """The place in the phase whose findings are fixed: a later one, if that has found something of this role's."""
    return where._replace(row=phase_at_work(where.state, where.row) or where.row)


def _failure(item: ReviewItem) -> Element:
    told = {"id": item.id, "scope": item.scope, "category": item.category}
    return Element("failure", told, [Element("check", {}, item.check), Element("finding", {}, item.finding or "")])


def _stalled(where: Where) -> str:
    rounds = where.state.run.rounds_of(_at_work(where).row.phase)
    if len(rounds) < 2 or rounds[-1].failed != rounds[-2].failed:
        return ""
    return "Exactly these items failed in the round before, too: the last repair did not reach what is wrong."


FACTS: Final[Mapping[str, Fact]] = {
    **WAVE_FACTS,
    "failures": _failures,
    "stalled": _stalled,
    "qr": lambda where: _at_work(where).qr(),
    "round": lambda where: where.state.round(_at_work(where).row.phase),
    "max_rounds": lambda where: MAX_ROUNDS + where.state.run.granted(_at_work(where).row.phase),
}
