"""Slots of the executor's own two steps."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.step import GateResult, Invoke
from lib.workflow.command import Command, flags
from lib.workflow.handlers.base import StepContext
from lib.workflow.types import AgentRole, GateStatus

from ..agents.slots import SlotContext, SlotResolver, passage, remarks_listed
from ..agents.wave_slots import listed
from ..execution.waves import files_of
from ..phases import IMPL_CODE, RECONCILE
from ..schema.review.item_status import ItemStatus
from ..state.run_state import state_of
from ..texts import sections
from .gate.gate_stand import GATE, Decided, Stand
from .passages import passages

if TYPE_CHECKING:
    from ..schema.run import Verdict

COMMIT: Final = "commit"
NONE: Final = "(The plan names no file: see `git status`.)"
MAX_FINDING: Final = 1500
"""Most characters of the output of a failed check."""


def _waves(where: SlotContext) -> str:
    """Return the milestones, wave by wave."""
    names = {each.id: each.name for each in where.state.plan.milestones}
    lines: list[str] = []
    for wave in where.state.run.left:
        labels = [f"{each} {names.get(each, '')}".rstrip() for each in (*wave.code, *wave.documentation)]
        built = [*labels[: len(wave.code)], *(f"{each} (documentation)" for each in labels[len(wave.code) :])]
        lines.append(f"- {wave.wave}: {', '.join(built) or 'documentation of what is there'}")
    return "\n".join(lines)


def begun(context: StepContext) -> GateResult | None:
    """Announce the milestones that were found done; nothing if no reviewer was asked."""
    done = state_of(context).run.done
    if done is None:
        return None
    return GateResult(GateStatus.PASS, f"Found done and not built again: {', '.join(done) or 'nothing'}.")


def _looking(where: SlotContext) -> Node:
    """Return the dispatch of the reviewer who finds what is done."""
    from lib.workflow.ast.dispatch import SubagentDispatchNode  # only the page that dispatches pays for this import

    command = Command(RECONCILE, flags({"step": 1, "state_dir": where.state.state_dir}))
    return SubagentDispatchNode(
        agent=AgentRole.QUALITY_REVIEWER,
        invoke=Invoke(command),
        returns="the block RECONCILED, or one line that says why nothing can be relied on",
    )


def commit(where: SlotContext) -> tuple[Node, ...]:
    """Return the passage that asks for a commit of the wave that has just passed its reviews."""
    facts = {"wave_files": _wave_files, "wave": _wave, "remarked": _remarked, "detached": _detached}
    return passage(sections(GATE)[COMMIT].text, where, facts)


def _detached(where: SlotContext) -> str:
    from ..execution.worktree import is_detached

    if not is_detached(where.state.project):
        return ""
    return "No branch is checked out, so a commit would be on none. Ask the user first which branch it belongs to."


def _remarked(where: SlotContext) -> str:
    """Return the remarks on the wave, in a light run, whose agent leads and builds; nothing in a full one."""
    gate = where.state.run.gate(IMPL_CODE.phase)
    if gate is None or not where.state.run.is_light:
        return ""
    head = "Reviewers left these remarks. Before you commit, follow those that help, and run the checks again:"
    return remarks_listed(head, [(gate.phase, remark) for remark in gate.remarks])


def _wave(where: SlotContext) -> str:
    building = where.state.run.building
    return building.wave if building else ""


def _wave_files(where: SlotContext) -> str:
    """Return the files of the wave, each with its milestone, and others that have changed."""
    from ..execution.project_files import changed_beside, wave_files

    building = where.state.run.building
    names = building.milestones if building else ()
    milestones = [each for each in where.state.plan.milestones if each.id in names]
    lines = (f"{path} ({each.id}: {each.name})" for each in milestones for path in files_of((each,)))
    planned = listed(tuple(lines)) or NONE
    try:
        others = listed(changed_beside(where.state, wave_files(where.state)))
    except ValueError:  # the commit, which needs git too, says more
        others = ""
    return (
        f"{planned}\n\nAlso changed, but not in the plan. Commit those that the wave needs:\n\n{others}"
        if others
        else planned
    )


def _findings(verdicts: "Iterable[Verdict]") -> str:
    """Return the output of the failed checks, one per line."""
    return "".join(f"\n- `{each.item}`: {' '.join((each.finding or '').split())[:MAX_FINDING]}" for each in verdicts)


def decided(where: SlotContext) -> Decided:
    """Return the status of the run, from its ledger."""
    run = where.state.run
    if run.aborted:
        return Decided(Stand.ENDED, "The user has ended this run.")
    failed = ", ".join(f"`{each.item}`" for each in run.failing)
    if run.finished:
        red = f" The user has accepted that these checks fail: {failed}." if failed else ""
        said = f"Every wave is built, reviewed and documented: the plan is carried out.{red}"
        return Decided(Stand.CARRIED_OUT, said)
    assert run.building is not None
    if failed:
        head = "The project's own checks fail after the last wave, so the user must decide:"
        return Decided(Stand.ASKED, f"{head}{_findings(run.failing)}")
    if run.building.lap > 1:
        before = ", ".join(f"`{each.item}`" for each in run.checks[-1].verdicts if each.status is ItemStatus.FAIL)
        said = f"These checks of the project have failed: {before}; lap {run.building.lap} fixes them."
        return Decided(Stand.LAP, said)
    return Decided(Stand.NEXT, f"{run.building.wave} is next.")


BEGINNING: Final[Mapping[str, SlotResolver]] = {
    "dispatch": _looking,
    "waves": _waves,
}
ENDING: Final[Mapping[str, SlotResolver]] = {"decision": lambda where: decided(where).said}
MOVING: Final[Mapping[str, SlotResolver]] = {
    **passages(GATE, lambda where: decided(where).stand, ENDING),
}
