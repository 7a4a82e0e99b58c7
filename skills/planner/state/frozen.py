"""Parts of a run that must not change: an approved plan, and a frozen context."""

import os
from typing import TYPE_CHECKING, Final

from lib.workflow.codec import parsed
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import StateError
from lib.workflow.state.run_documents import database_of, documents

from .files import CONTEXT_FILE, KEPT, PLAN_FILE, RUN_FILE, digest_of, plan_store, run_store

if TYPE_CHECKING:
    from lib.workflow.state.store import Store

    from ..schema.context import Context
    from ..schema.plan.document import Plan


NAME: Final = 16
"""Digits of a digest that name the folder of a snapshot."""


def open_plan(state_dir: str) -> "Store[Plan]":
    """Return the store of plan.json for the commands of agents. It refuses changes once the plan is approved."""
    return plan_store(state_dir, lambda _: check_open(state_dir))


def check_open(state_dir: str) -> None:
    """Raise RefusedError for a plan that is approved, so that the executed plan is the reviewed one."""
    if _is_approved(state_dir):
        what = "the plan is approved and must stay as reviewed"
        fix = "if the user agrees, take the approval back, then change it: reopen PHASE --reason 'why'"
        raise RefusedError("frozen", PLAN_FILE, what, fix)


def check_context(state_dir: str, context: "Context", frozen: str | None) -> None:
    """Raise RefusedError for a context that differs from the frozen one; None means that it is not frozen yet."""
    if frozen is not None and digest_of(context) != frozen:
        path = os.path.join(state_dir, CONTEXT_FILE)
        what = "it was changed after it was frozen"
        raise RefusedError("other-context", path, what, f"{put_back(state_dir, CONTEXT_FILE, frozen)}.")


def put_back(state_dir: str, name: str, digest: str) -> str:
    """Return the fix for a file that differs from its snapshot: copy the snapshot over it, if there is one."""
    copy = os.path.join(state_dir, folder_of(digest), name)
    can_copy = database_of(state_dir) is None and os.path.isfile(copy)
    return f"Copy {copy} over it" if can_copy else "Restore its previous content"


def folder_of(digest: str | None) -> str:
    """Return the folder of a snapshot with that digest, relative to that of the run."""
    return f"{KEPT}/{(digest or '')[:NAME]}"


def _is_approved(state_dir: str) -> bool:
    """Return True if run.json has an approval. An odd file is read with all its classes, which report the fault."""
    try:
        found = parsed(documents(state_dir).read(RUN_FILE))
    except FileNotFoundError:
        return False
    except StateError:
        raise
    except (OSError, ValueError):
        found = None
    if isinstance(found, dict) and "approval" in found:
        return found["approval"] is not None
    return run_store(state_dir).load().approval is not None
