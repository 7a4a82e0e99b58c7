"""Check that the plan is the approved one. The executor accepts no other."""

from typing import Final

from lib.workflow.command import Command, flags
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import unreadable
from lib.workflow.state.run_documents import documents
from lib.workflow.util.digests import sha256

from ..modules import RESUME
from ..state.files import PLAN_FILE
from ..state.frozen import put_back
from ..state.run_state import RunState

REOPEN: Final = "reopen PHASE --reason 'why'"
"""The command of cli.plan that takes an approval back."""


def check_approved(state: RunState) -> None:
    """Raise RefusedError for a plan that is missing, not approved, or changed since its approval.

    An approved plan is executed, so the user must have started the run, or agreed to it.
    """
    state.check_consent()
    path = state.path(PLAN_FILE)
    approval = state.run.approval
    if approval is None or not state.run.waves:
        following = Command(RESUME, flags({"state_dir": state.state_dir}))
        fix = f"Let the planner finish its gates. Its next command is printed by:  {following}"
        raise RefusedError("not-approved", path, "this run has no approved plan", fix)
    at = documents(state.state_dir)
    if not at.exists(PLAN_FILE):
        raise RefusedError("no-plan", path, "the approved plan is missing", f"{_put_back(state, approval)}.")
    try:
        found = sha256(at.read(PLAN_FILE).removesuffix(b"\n")).hexdigest()
    except OSError as error:
        raise unreadable(path, error) from None
    check_digest(state, found, approval)


def check_digest(state: RunState, found: str, approved: str) -> None:
    """Raise RefusedError for a plan that is not the approved one."""
    if found != approved:
        fix = f"{_put_back(state, approved)}; or, if the user agrees, plan it again: {REOPEN}."
        raise RefusedError("other-plan", state.path(PLAN_FILE), "it was changed after the approval", fix)


def check_valid(state: RunState) -> None:
    """Raise RefusedError for a plan whose parts do not fit together, approved or not."""
    findings = state.plan.validate_refs()
    if findings:
        from ..schema.plan.findings import listed

        fix = f"If the user agrees, plan it again: {REOPEN}."
        raise RefusedError("invalid-plan", "plan", listed(findings), fix)


def _put_back(state: RunState, approved: str) -> str:
    return put_back(state.state_dir, PLAN_FILE, approved)
