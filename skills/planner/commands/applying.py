"""Command that applies an approved diff to the project with git."""

from typing import TYPE_CHECKING, Annotated, Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError
from lib.workflow.util.suggest import expected

from ..execution.approval import check_approved
from ..state.run_state import RunState

if TYPE_CHECKING:
    from ..schema.plan.milestone import CodeChange

SECONDS: Final = 60.0


def apply(state_dir: str, id_: Annotated[str, Flag(description="the id of an approved change")]) -> Node:
    """Apply an approved change of the wave to its file.

    git applies it exactly as it was reviewed, in the project's folder. A change that is already applied is left alone.
    """
    from ..diffs import git, trial  # the other commands on the plan do not pay for them

    state = RunState(state_dir)
    check_approved(state)
    change = _change(state, id_)
    root = state.project
    try:
        findings = trial.tried((change,), root)
        if findings and git.applied(change.diff, root, SECONDS, *git.IN_ALREADY) is None:
            return Element("applied", {"id": id_, "file": change.file, "operation": "unchanged"})
        said = findings[0].message if findings else git.applied(change.diff, root, SECONDS)
    except ValueError as error:
        said = str(error)
    if said is not None:
        fix = "Bring the same lines in by hand, in their new surroundings; the intent outranks the diff."
        raise RefusedError("stale-diff", id_, f"{change.file}: {said}", fix)
    return Element("applied", {"id": id_, "file": change.file, "operation": "applied"})


def _change(state: RunState, id_: str) -> "CodeChange":
    """Return the change of the wave being built. Raises RefusedError if the wave has no change of that id."""
    building = state.run.building
    names = building.milestones if building else ()
    changes = {change.id: change for each in state.plan.milestones if each.id in names for change in each.code_changes}
    if id_ not in changes:
        raise RefusedError("unknown-id", id_, "it is not a change of the wave", expected(id_, tuple(changes)))
    return changes[id_]
