"""Whether the plan is the approved one: the executor takes no other (decisions.md, "Approval")."""

import os

from lib.workflow.codec import MAX_SIZE
from lib.workflow.errors import RefusedError
from lib.workflow.files import read_whole

from ..state.files import PLAN_FILE
from ..state.run_state import RunState


def check_approved(state: RunState) -> None:
    """Raises RefusedError for a plan that is missing, not approved, or not as it was when it was.

    What is approved is carried out, so the user must have begun the run, or agreed to it.
    """
    from hashlib import sha256

    state.check_consent()
    path = state.path(PLAN_FILE)
    approval = state.run.approval
    if approval is None or not state.run.waves:
        fix = "Let the planner lead it through its gates; `resume` prints the command that is due."
        raise RefusedError("not-approved", path, "no plan of this run is approved", fix)
    if not os.path.lexists(path):
        fix = "Put the approved plan back, or begin a run anew with the planner."
        raise RefusedError("no-plan", path, "the approved plan is not there", fix)
    try:
        found = sha256(read_whole(path, MAX_SIZE).removesuffix(b"\n")).hexdigest()
    except OSError as error:
        raise RefusedError("unreadable-state", path, error.strerror or str(error), "Make it readable.") from None
    check_digest(state, found, approval)


def check_digest(state: RunState, found: str, approved: str) -> None:
    """Raises RefusedError for a plan that is not the one that was approved."""
    if found != approved:
        fix = "Put the approved plan back as it was, or have the changed one planned and approved in a run of its own."
        raise RefusedError("other-plan", state.path(PLAN_FILE), "it was changed after it was approved", fix)


def check_valid(state: RunState) -> None:
    """Raises RefusedError for a plan whose parts do not fit together, approved or not."""
    findings = state.plan.validate_refs()
    if findings:
        from ..schema.findings import listed

        fix = "Have it mended and approved by the planner, in a run of its own."
        raise RefusedError("invalid-plan", "plan", listed(findings), fix)
