"""The work of a phase: the router, the first execution, the repair of what a review has found."""

from collections.abc import Mapping
from typing import Final, Literal

from lib.workflow.ast.nodes import Element
from lib.workflow.core import Outcome, RefusedError, Script, StepContext, Workflow

from .facts import Fact, Where
from .phases import Part, Row
from .schema.review import ItemStatus, ReviewItem
from .state.reviews import has_qr_failures
from .steps import PARAMS, Going, StateDir, linear, start, step, workflow
from .texts import for_phase, sections

MAX_FAILURES: Final = 6000
"""Characters of findings in a print; what exceeds them is named by its id."""


def route(row: Row) -> Workflow:
    """One step: to the repair where a review has findings, else to the first execution."""

    def way(context: StepContext, state_dir: StateDir) -> tuple[Literal[Outcome.OK, Outcome.FAIL], dict[str, str]]:
        return (Outcome.FAIL if has_qr_failures(state_dir, row.phase) else Outcome.OK), {}

    next_ = {
        Outcome.OK: Script(module=row.module(Part.EXECUTE), passes=PARAMS),
        Outcome.FAIL: Script(module=row.module(Part.FIX), passes=PARAMS),
    }
    prompts = for_phase("router", row.phase)
    steps = [step(row, Part.ROUTE, name, prompt, way, next_, {}) for name, prompt in prompts.items()]
    return workflow(row, Part.ROUTE, f"The work of {row.phase}: its first execution, or a repair.", steps)


def execute(row: Row) -> Workflow:
    """The steps of the phase's own file."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        if has_qr_failures(state_dir, row.phase):
            what = "its review has findings: they are to be repaired, and what passed is to stay"
            raise RefusedError("repair-due", row.phase, what, "Start there.", start(row, Part.ROUTE, context))
        return Outcome.OK, {}

    steps = linear(row, Part.EXECUTE, sections(f"{row.phase}-execute"), begin, FACTS)
    return workflow(row, Part.EXECUTE, f"The first execution of {row.phase}.", steps)


def fix(row: Row) -> Workflow:
    """Read the findings, repair, validate."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        if not has_qr_failures(state_dir, row.phase):
            router = start(row, Part.ROUTE, context)
            raise RefusedError("nothing-failed", row.phase, "its review has no findings", "Start there.", router)
        return Outcome.OK, {}

    steps = linear(row, Part.FIX, for_phase("fix", row.phase), begin, FACTS)
    tags = ("failures", "failure", "check", "finding", "more")
    return workflow(row, Part.FIX, f"The repair of what a review of {row.phase} has found.", steps, tags)


def _failures(where: Where) -> Element:
    """The items that have failed, each with its finding; as many as a print has room for."""
    review = where.state.review(where.row.phase)
    failed = review.of(ItemStatus.FAIL) if review else ()
    shown: list[Element] = []
    left = MAX_FAILURES
    for item in failed:
        left -= len(item.check) + len(item.finding or "")
        if left < 0 and shown:
            break
        shown.append(_failure(item))
    rest = [item.id for item in failed[len(shown) :]]
    if rest:
        command = where.qr("list-items", "--status", ItemStatus.FAIL)
        shown.append(Element("more", {"ids": ",".join(rest)}, str(command)))
    return Element("failures", {"round": str(review.iteration - 1 if review else 0)}, shown)


def _failure(item: ReviewItem) -> Element:
    told = {"id": item.id, "scope": item.scope, "category": item.category}
    return Element("failure", told, [Element("check", {}, item.check), Element("finding", {}, item.finding or "")])


def _stalled(where: Where) -> str:
    rounds = where.state.run.rounds_of(where.row.phase)
    if len(rounds) < 2 or rounds[-1].failed != rounds[-2].failed:
        return ""
    return "Exactly these items failed in the round before, too: the last repair did not reach what is wrong."


FACTS: Final[Mapping[str, Fact]] = {"failures": _failures, "stalled": _stalled}
