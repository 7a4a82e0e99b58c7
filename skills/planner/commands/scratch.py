"""Commands on the scratch copy: make it, copy it, and record a milestone's difference as changes of the plan."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError
from lib.workflow.state.run_dirs import check_here
from lib.workflow.util.suggest import expected

from ..phases import EXECUTING
from ..schema.ids import EntityKind, next_id
from ..schema.plan.findings import listed
from ..schema.plan.milestone import CodeChange, Milestone
from ..state.files import SCRATCH
from ..state.frozen import open_plan
from ..state.run_state import RunState

if TYPE_CHECKING:
    from ..execution.scratch import FileDelta
    from ..schema.plan.document import Plan

RESULT: Final = "changes"


def scratch(state_dir: str) -> Node:
    """Make the scratch copy of the project, or find it.

    Planned code is written, run and reviewed there.
    """
    return Element("scratch", {}, _scratch(RunState(state_dir)))


def copy(state_dir: str) -> Node:
    """Make a copy of your own, to probe and mutate.

    While planning it is one of the scratch copy, while executing one of the project. Remove it when you are done.
    """
    from ..execution.scratch import private_copy

    check_here("copy", "Make the copy yourself, with the command that the page of your items names.")
    state = RunState(state_dir)
    executing = any(state.review(row.phase) for row in EXECUTING) or state.run.building is not None
    return Element("copy", {}, private_copy(state.project if executing else _scratch(state)))


def _scratch(state: RunState) -> str:
    from ..execution.scratch import make_scratch

    folder = state.path(SCRATCH)
    make_scratch(state.project, folder)
    return folder


def record_changes(
    state_dir: str,
    milestone: Annotated[
        str, Flag(description="the milestone to which the difference of the copy belongs, such as M-001")
    ],
) -> Node:
    """Record the changes in the scratch copy.

    The difference since the last record is assigned to the milestone. Each file gets one diff; diffs of later
    milestones are rebased.
    """
    from ..execution.scratch import deltas, record

    state = RunState(state_dir)
    known = [each.id for each in state.plan.milestones]
    if milestone not in known:
        raise RefusedError("unknown-id", milestone, "no milestone has this id", expected(milestone, known))
    folder = _scratch(state)
    record(folder, milestone)
    found = deltas(folder)

    def change(plan: "Plan") -> "tuple[Plan, tuple[CodeChange, ...]]":
        after = _with(plan, found)
        old = {each.id: each for item in plan.milestones for each in item.code_changes}
        changed = (each for item in after.milestones for each in item.code_changes if old.get(each.id) != each)
        return after, tuple(changed)

    changed = open_plan(state_dir).change(change)
    lines = [f"{each.id} v{each.version} {each.file} {counted(each.diff)}" for each in changed]
    return Element(RESULT, {"milestone": milestone}, "\n".join(lines) or "unchanged")


def counted(diff: str) -> str:
    """Return how many lines a diff of one file adds and removes."""
    lines = diff.partition("\n@@")[2].split("\n")
    return f"+{sum(line.startswith('+') for line in lines)} -{sum(line.startswith('-') for line in lines)}"


def _with(plan: "Plan", found: "Iterable[FileDelta]") -> "Plan":
    """Return the plan with the changes of the copy. Raises RefusedError if they break the plan."""
    by_milestone: dict[str, list[FileDelta]] = {}
    for delta in found:
        by_milestone.setdefault(delta.milestone, []).append(delta)
    milestones = tuple(
        _changed(each, by_milestone[each.id]) if each.id in by_milestone else each for each in plan.milestones
    )
    after = evolve(plan, milestones=milestones)
    broken = [finding for finding in after.validate_refs() if finding not in plan.validate_refs()]
    if broken:
        fix = "The copy keeps the difference; each line names what to change first."
        raise RefusedError("broken-reference", "plan", listed(broken), fix)
    return after


def _changed(milestone: Milestone, found: "list[FileDelta]") -> Milestone:
    """Return the milestone with one change for each file of its difference."""
    there = {change.file: change for change in milestone.code_changes}
    taken = [change.id for change in milestone.code_changes]
    changes: list[CodeChange] = []
    for delta in found:
        before = there.get(delta.file)
        if before is not None:
            changes.append(before if before.diff == delta.diff else _next(before, delta.diff))
            continue
        id_ = next_id(EntityKind.CHANGE, taken, milestone.id)
        taken.append(id_)
        changes.append(CodeChange(id=id_, intent_ref=_intent(milestone, delta.file), file=delta.file, diff=delta.diff))
    files = (*milestone.files, *(each.file for each in changes if each.file not in milestone.files))
    if tuple(changes) == milestone.code_changes and files == milestone.files:
        return milestone
    version = milestone.version + (files != milestone.files)
    return evolve(milestone, code_changes=tuple(changes), files=files, version=version)


def _next(before: CodeChange, diff: str) -> CodeChange:
    return evolve(before, diff=diff, version=before.version + 1)


def _intent(milestone: Milestone, file: str) -> str | None:
    """Return the file's intent, or None for a file without one."""
    return next((intent.id for intent in milestone.code_intents if intent.file == file), None)
