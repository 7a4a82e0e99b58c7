"""The plan as its commands see it: it can be changed until it is approved."""

import os
from typing import TYPE_CHECKING

from lib.workflow.errors import RefusedError

from .files import PLAN_FILE, RUN_FILE, plan_store, run_store

if TYPE_CHECKING:
    from lib.workflow.store import Store

    from ..schema.plan import Plan


def open_plan(state_dir: str) -> "Store[Plan]":
    """plan.json, for the commands of agents: a change is refused once the plan is approved."""
    return plan_store(state_dir, lambda _: check_open(state_dir))


def check_open(state_dir: str) -> None:
    """Raises RefusedError for a plan that is approved: what is carried out is what was reviewed."""
    if _is_approved(state_dir):
        what = "the plan is approved, and stays as it was reviewed"
        fix = "at the user's word take the approval back, then change it: reopen PHASE --reason 'why'"
        raise RefusedError("frozen", PLAN_FILE, what, fix)


def _is_approved(state_dir: str) -> bool:
    """Whether run.json has an approval. A file that is odd is read with all its classes, which say what is wrong."""
    import json

    try:
        with open(os.path.join(state_dir, RUN_FILE), "rb") as file:
            found: object = json.load(file)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        found = None
    if isinstance(found, dict) and "approval" in found:
        return found["approval"] is not None
    return run_store(state_dir).load().approval is not None
