"""Work of a phase: the router, the first execution, and the fix of a review's findings."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.command import Command
from lib.workflow.core import Outcome, RefusedError, Script, StepContext, StepDef, Workflow

from ..phases import EXECUTING, IMPL_CODE, PhaseScript, PhaseSpec
from ..review.findings import phase_at_work, to_fix
from ..schema.ids import EntityKind
from ..schema.plan.entities import entities
from ..schema.plan.milestone import TEST_FORMS
from ..schema.plan.versions import version_of
from ..schema.review.document import ItemStatus, ReviewItem
from ..state.run_state import state_of
from ..texts import for_phase, sections
from .slots import FAILURES, SlotContext, SlotResolver, passage
from .steps import PARAMS, Going, Milestone, StateDir, linear, start, workflow
from .wave_slots import TAGS, WAVE_FACTS, check_building, milestones_told

Way: TypeAlias = tuple[Literal[Outcome.OK, Outcome.FAIL], dict[str, str]]
MAX_UNDRAWN: Final = 2
"""Most files of a plan that needs no diagram."""
MAX_FAILURES: Final = 12_000
"""Most characters of findings on a page. Findings beyond that are named by their ids."""


def route(row: PhaseSpec) -> Workflow:
    """Return a workflow of one step: to the fix if a review has findings, else to the first execution."""

    def way(context: StepContext, state_dir: StateDir) -> Way:
        return (Outcome.FAIL if to_fix(state_of(context), row) else Outcome.OK), {}

    def way_of_one(context: StepContext, state_dir: StateDir, milestone: Milestone | None = None) -> Way:
        if milestone is not None:
            milestones_told(state_of(context), row.phase, milestone)
        return way(context, state_dir)

    params = _params(row)
    next_ = {
        Outcome.OK: Script(module=row.module(PhaseScript.EXECUTE), passes=params),
        Outcome.FAIL: Script(module=row.module(PhaseScript.FIX), passes=PARAMS),
    }
    handler = way if params == PARAMS else way_of_one
    only = StepDef(
        id="route", title="Route", handler=handler, next=next_, forwards=dict.fromkeys(next_), phase=row.phase
    )
    does = f"The work of {row.phase}: its first execution, or a repair."
    return workflow(row, PhaseScript.ROUTE, does, [only], (*TAGS, *FAILURES), params=params)


def execute(row: PhaseSpec) -> Workflow:
    """Return the steps of the phase's own file."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        if row in EXECUTING:
            check_building(state_of(context), row.phase)
        if to_fix(state_of(context), row):
            what = "its review has findings: fix them, and keep what passed"
            raise RefusedError(
                "repair-due", row.phase, what, "Start with its first step.", start(row, PhaseScript.ROUTE, context)
            )
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
    steps = linear(row, PhaseScript.EXECUTE, sections(f"{row.phase}-execute"), handlers[0], FACTS, handlers[1])
    return workflow(row, PhaseScript.EXECUTE, f"The first execution of {row.phase}.", steps, TAGS, params)


def _params(row: PhaseSpec) -> tuple[str, ...]:
    """Return the parameters of the phase. In impl-code, one agent per milestone gets its own `milestone`."""
    return (*PARAMS, "milestone") if row is IMPL_CODE else PARAMS


def fix(row: PhaseSpec) -> Workflow:
    """Return a workflow of one page: the findings, the fix, the hand-in."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        if not to_fix(state_of(context), row):
            router = start(row, PhaseScript.ROUTE, context)
            raise RefusedError(
                "nothing-failed", row.phase, "its review has no findings", "Start with its first step.", router
            )
        return Outcome.OK, {}

    steps = linear(row, PhaseScript.FIX, for_phase("fix", row.phase), begin, FACTS)
    tags = (*TAGS, *FAILURES)
    return workflow(row, PhaseScript.FIX, f"The repair of what a review of {row.phase} has found.", steps, tags)


def _failures(where: SlotContext) -> Element:
    """Return the failed items, each with its finding, up to the limit of a page."""
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
    before = where.state.round(_at_work(where).row.phase) - 1  # zero in a lap that failed checks started
    return Element("failures", {"round": str(before) if before else None}, shown)


def _at_work(where: SlotContext) -> SlotContext:
    """Return the phase whose findings are fixed: a later one if its review found a fault of this role."""
    return where._replace(row=phase_at_work(where.state, where.row) or where.row)


def _failure(item: ReviewItem) -> Element:
    attributes = {"id": item.id, "scope": item.scope, "category": item.category}
    parts = [Element("check", {}, item.check), Element("finding", {}, item.finding or "")]
    return Element("failure", attributes, parts)


def _stalled(where: SlotContext) -> str:
    rounds = where.state.run.rounds_of(_at_work(where).row.phase)
    if len(rounds) < 2 or rounds[-1].failed != rounds[-2].failed:
        return ""
    return "The same items failed in the round before, so the last fix missed the cause."


def _contest(where: SlotContext) -> Command:
    """Return the command that contests a finding, with the first one as an example."""
    failed = to_fix(where.state, where.row)
    item = failed[0].id if failed else "qa-001"
    return where.plan("submit", where.row.phase, "--contest", item, "--case", "a run that shows the opposite")


def _versions(where: SlotContext) -> str:
    """Return the version of each entity, which an update must name."""
    plan = where.state.plan
    named = [(each.id, each.version) for kind in EntityKind for each in entities(plan, kind)]
    parts = (("overview", version_of(plan.overview)), ("knowledge", version_of(plan.invisible_knowledge)))
    return ", ".join(f"{name} v{version}" for name, version in (*parts, *named))


def _present(where: SlotContext) -> str:
    """Return a text on what an earlier agent left in the plan."""
    plan = where.state.plan
    if not (plan.milestones or plan.planning_context.decisions):
        return ""
    show = where.plan("get", "--id", "plan")
    return f"An earlier agent left a plan. Keep what is right and add what is missing:\n\n{show}"


def _picture(where: SlotContext) -> tuple[Node, ...]:
    """Return the passage on diagrams, for a plan of several files."""
    plan = where.state.plan
    files = {path for milestone in plan.milestones for path in milestone.files}
    return passage(sections("diagrams")["draw"].text, where) if len(files) > MAX_UNDRAWN else ()


def _drawings(where: SlotContext) -> str:
    """Return the commands for missing drawings, or a line to go on if none is missing."""
    commands = [
        str(where.plan("set-diagram-render", "--id", each.id, "--version", str(each.version)))
        for each in where.state.plan.diagram_graphs
        if each.ascii_render is None
    ]
    if not commands:
        return "Nothing here: go on."
    return "\n".join(
        ["Each command draws a diagram and stores it. Check that the drawing shows what its title says:", "", *commands]
    )


def _test_forms(where: SlotContext) -> str:
    return ", ".join(f"`{form}` ({meaning})" for form, meaning in TEST_FORMS.items()) + "."


FACTS: Final[Mapping[str, SlotResolver]] = {
    **WAVE_FACTS,
    "failures": _failures,
    "stalled": _stalled,
    "contest": _contest,
    "present": _present,
    "versions": _versions,
    "picture": _picture,
    "drawings": _drawings,
    "test_forms": _test_forms,
}
