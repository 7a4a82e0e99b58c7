"""Changes of files: the developer's, which implement intents, and the technical writer's documentation."""

from typing import Annotated, TypeAlias

from lib.workflow.cli.table.arguments import UNSET, Flag, Unset, needed
from lib.workflow.errors import RefusedError

from ...schema.plan.document import Plan
from ...schema.plan.entities import milestone_of
from ...schema.plan.milestone import CodeChange, CodeIntent, Milestone
from .entity import Id, Replacements, Result, Version, at, born, created, known, revised, updated
from .milestones import File, MilestoneId, check_place

Diff: TypeAlias = Annotated[str, Flag(long=True, description="a unified diff of this file only")]
Comments: TypeAlias = Annotated[str, Flag(long=True, description="comments on the whole change")]


def set_change(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    intent_ref: Annotated[str, Flag(ref=True, description="the intent that it implements, such as CI-M-001-001")]
    | Unset = UNSET,
    file: File | Unset = UNSET,
    diff: Diff | Unset = UNSET,
    comments: Comments | Unset | None = UNSET,
    replace: Replacements = (),
) -> Result:
    """Write the change that implements an intent.

    Its file is the intent's unless you name another.
    """
    values = {"intent_ref": intent_ref, "file": file, **_written(diff, comments)}
    if id_ is not None:
        before = at(plan, CodeChange, id_, version)
        if before.intent_ref is None:
            fix = "it is documentation: the technical writer changes it (set-doc)"
            raise RefusedError("invalid-value", id_, "it has no intent", fix)
        return updated(plan, _checked(revised(before, replace, **values)))
    intent = known(plan, CodeIntent, needed(intent_ref))
    if isinstance(file, Unset):
        values["file"] = intent.file
    return created(plan, _checked(born(plan, CodeChange, milestone_of(intent.id), **values)))


def set_doc(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    milestone: MilestoneId | Unset = UNSET,
    file: File | Unset = UNSET,
    diff: Diff | Unset = UNSET,
    comments: Comments | Unset | None = UNSET,
    replace: Replacements = (),
) -> Result:
    """Document a change, or add documentation.

    With an id, the new diff replaces that change's diff and documents it. Without one, you add documentation that no
    intent asks for, such as a README.
    """
    values = {"file": file, **_written(diff, comments)}
    if id_ is None:
        owner = known(plan, Milestone, needed(milestone))
        return created(plan, _checked(born(plan, CodeChange, owner.id, **values)))
    check_place(id_, milestone)
    before = at(plan, CodeChange, id_, version)
    after = revised(before, replace, **values)
    if after.file != before.file:
        fix = "leave the file out; or add documentation of the other file"
        raise RefusedError("invalid-value", id_, f"it changes {before.file}", fix)
    return updated(plan, _checked(after))


def _written(diff: str | Unset, comments: str | Unset | None) -> dict[str, str | Unset]:
    """Return both texts as they are stored. The diff gets back the final newline that texts lose on input."""
    whole = diff if isinstance(diff, Unset) or diff.endswith("\n") else f"{diff}\n"
    return {"diff": whole, "comments": "" if comments is None else comments}


def _checked(change: CodeChange) -> CodeChange:
    """Return the change. Raises RefusedError, with hunk and line, if its diff is not a diff of its file."""
    from ...diffs.parse import parsed  # no other command reads diffs

    try:
        parsed(change.diff, change.file)
    except ValueError as error:
        raise RefusedError("invalid-diff", change.id, str(error), "nothing was changed; send the whole diff") from None
    return change
