"""Content of a round's hand-in: kept by digest, and compared with the current work."""

from typing import TYPE_CHECKING

from attrs import evolve

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError

from ..execution.project_files import changed_files, contents
from ..execution.snapshots import keep_files, keep_plan, kept_marks, kept_plan
from ..modules import PLAN
from ..phases import EXECUTING, PhaseSpec
from ..state.files import change_run, digest_of
from .difference import entity_parts

if TYPE_CHECKING:
    from ..schema.plan.document import Plan
    from ..schema.run import Run
    from ..state.run_state import RunState

MAX_NAMED = 12
"""Most entities or files that a refusal names."""


def keep_content(state: "RunState", row: PhaseSpec) -> str:
    """Keep a snapshot of a phase's current work and return its digest. Raises RefusedError if it cannot be written."""
    if row not in EXECUTING:
        return keep_plan(state.state_dir, state.plan)

    return keep_files(state.state_dir, contents(state))


def gather(state: "RunState", row: PhaseSpec) -> None:
    """Keep the work of several agents with worktrees of their own as it came together: the first round reviews that.

    Args:
        state: The run, in the project's folder. All agents have ended, and nobody has reviewed their work.
        row: The phase.
    """
    digest = keep_content(state, row)

    def record(run: "Run") -> "Run":
        if not run.is_scattered(row.phase):
            return run
        whole = evolve(run.hand_ins(row.phase, 1)[-1], digest=digest, apart=False)
        return evolve(run, submissions=(*run.submissions, whole))

    change_run(state.state_dir, record)


def changes_since(state: "RunState", row: PhaseSpec, digest: str | None) -> tuple[str, ...]:
    """Return the entities, or the files, that differ from the hand-in with that digest.

    A hand-in of an earlier version has no digest, and nothing differs from it.
    """
    if digest is None:
        return ()
    if row in EXECUTING:
        marks = kept_marks(state.state_dir, digest)
        return ("what was handed in (its copy is gone)",) if marks is None else changed_files(state, marks)
    if digest_of(state.plan) == digest:
        return ()

    old = kept_plan(state.state_dir, digest)
    names = () if old is None else tuple(part.name for part in entity_parts(old, state.plan))
    return names or ("plan",)


def check_handed_in(state: "RunState", row: PhaseSpec, iteration: int, again: bool = True) -> None:
    """Raise RefusedError if the work differs from the hand-in of a round, because the difference is not reviewed.

    Args:
        state: The run.
        row: The phase.
        iteration: The round.
        again: True if it can be handed in again; it cannot while the round has failed items.
    """
    changed = changes_since(state, row, state.run.handed_in(row.phase, iteration))
    if not changed:
        return
    what = f"changed after the hand-in of round {iteration} and not reviewed: {listed(changed)}"
    fix = f"Hand it in again, so that the changes are reviewed: {submit_command(state, row)}"
    if not again:
        fix = "Restore the version that was handed in; or grant one more round, to review the changes."
    if row in EXECUTING:
        fix = f"Remove trial files, and let git ignore files that tools write. {fix}"
    raise RefusedError("not-reviewed", row.phase, what, fix)


def submit_command(state: "RunState", row: PhaseSpec) -> Command:
    """Return the command that hands the work of a phase in."""
    return Command(PLAN, ("--state-dir", state.state_dir, "submit", row.phase))


def listed(names: tuple[str, ...]) -> str:
    """Return the names, up to the limit of a line."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def documents_only(plan: "Plan") -> bool:
    """Return True if a plan has milestones, and none with code."""
    return bool(plan.milestones) and all(each.is_documentation_only for each in plan.milestones)
