"""The content that is handed in for a round: kept by digest, and compared with the work as it is."""

from typing import TYPE_CHECKING

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError

from ..modules import PLAN
from ..phases import EXECUTING, PhaseSpec
from ..state.files import digest_of

if TYPE_CHECKING:
    from ..schema.plan import Plan
    from ..state.run_state import RunState

MAX_NAMED = 12
"""Entities or files that a refusal names at most."""


def keep_content(state: "RunState", row: PhaseSpec) -> str:
    """Keep a copy of the work of a phase as it is; its digest. Raises RefusedError if it cannot be written."""
    from ..execution.snapshots import keep_files, keep_plan

    if row not in EXECUTING:
        return keep_plan(state.state_dir, state.plan)
    from ..execution.project_files import contents

    return keep_files(state.state_dir, contents(state))


def changes_since(state: "RunState", row: PhaseSpec, digest: str | None) -> tuple[str, ...]:
    """The entities, or the files, that are not as they were handed in under a digest.

    A hand-in of an earlier version has no digest, and nothing differs from it.
    """
    from ..execution.snapshots import kept_marks, kept_plan

    if digest is None:
        return ()
    if row in EXECUTING:
        from ..execution.project_files import changed_files

        marks = kept_marks(state.state_dir, digest)
        return ("what was handed in (its copy is gone)",) if marks is None else changed_files(state, marks)
    if digest_of(state.plan) == digest:
        return ()
    from .difference import entity_parts

    old = kept_plan(state.state_dir, digest)
    names = () if old is None else tuple(part.name for part in entity_parts(old, state.plan))
    return names or ("plan",)


def check_handed_in(state: "RunState", row: PhaseSpec, iteration: int, again: bool = True) -> None:
    """Raises RefusedError if the work is not what was handed in for a round: nobody has reviewed what differs.

    Args:
        again: whether it can be handed in again; it cannot while the round has failed items.
    """
    changed = changes_since(state, row, state.run.handed_in(row.phase, iteration))
    if not changed:
        return
    what = f"changed after the hand-in of round {iteration}, so nobody has reviewed it: {listed(changed)}"
    fix = f"Hand it in again, so that what changed is reviewed: {submit_command(state, row)}"
    if not again:
        fix = "Put back what was handed in; or grant one more round, which reviews what changed."
    if row in EXECUTING:
        fix = f"Remove what was only for trying, and let git ignore what tools write. {fix}"
    raise RefusedError("not-reviewed", row.phase, what, fix)


def submit_command(state: "RunState", row: PhaseSpec) -> Command:
    """The command that hands the work of a phase in."""
    return Command(PLAN, ("--state-dir", state.state_dir, "submit", row.phase))


def listed(names: tuple[str, ...]) -> str:
    """The names, as many as a line has room for."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def documents_only(plan: "Plan") -> bool:
    """Whether a plan has milestones, and none with code."""
    return bool(plan.milestones) and all(each.is_documentation_only for each in plan.milestones)
