"""The files of a run in its state directory: plan.json, context.json, run.json."""

import os
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, TypeVar

from lib.workflow.codec import codec
from lib.workflow.command import Command, flags
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import PRIVATE, private_folder, replace_whole
from lib.workflow.state.run_dirs import check_unlinked
from lib.workflow.state.run_documents import database_of
from lib.workflow.state.store import Store
from lib.workflow.util.digests import sha256

from ..modules import PLANNER

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..schema.context import Context
    from ..schema.plan.document import Plan
    from ..schema.run import Run

PLAN_FILE: Final = "plan.json"
CONTEXT_FILE: Final = "context.json"
RUN_FILE: Final = "run.json"
DIFFERENCE_FILE: Final = "difference.md"
"""The earlier findings and the changes, for the reviewers of a further round."""
BRIEF: Final = "brief.md"
"""The request with the plan, for agents."""
PLAN_TEXT: Final = "plan.md"
"""The plan for people."""
SCRATCH: Final = "scratch"
"""The copy of the project in which planned code is written and run."""
KEPT: Final = "kept"
"""The folder of snapshots of what a later phase overwrites."""

# Each function imports only its own classes: a class costs every start 1/200 of Python's own start.


S = TypeVar("S")


def remedy() -> str:
    """Return the hint for a state directory without a run."""
    begin = Command(PLANNER, flags({"step": 1}))
    return f"start a run with `{begin} --task …`, or name another --state-dir"


def plan_store(state_dir: str, guard: "Callable[[Plan], None] | None" = None) -> "Store[Plan]":
    """Return the store of plan.json. References in it may be broken: `validate` lists them, and commands fix them.

    `guard` raises RefusedError for a plan that must not be changed now.
    """
    from ..schema.plan.document import Plan

    return _store(state_dir, PLAN_FILE, Plan, remedy(), guard)


def context_store(state_dir: str) -> "Store[Context]":
    """Return the store of context.json."""
    from ..schema.context import Context

    return _store(state_dir, CONTEXT_FILE, Context, "write it with `set-context`")


def run_store(state_dir: str) -> "Store[Run]":
    """Return the store of run.json."""
    from ..schema.run import Run

    return _store(state_dir, RUN_FILE, Run, remedy())


def change_run(state_dir: str, by: "Callable[[Run], Run]") -> "Run":
    """Replace run.json by the function's result, and return that. Raises StateError."""

    def changed(run: "Run") -> "tuple[Run, Run]":
        after = by(run)
        return after, after

    return run_store(state_dir).change(changed)


def _store(
    state_dir: str, name: str, cls: type[S], remedy: str, guard: "Callable[[S], None] | None" = None
) -> "Store[S]":
    return Store(os.path.join(state_dir, name), codec(cls), remedy=remedy, guard=guard or _anything)


def write_text(state_dir: str, name: str, text: str, lock: AbstractContextManager[object] | None = None) -> None:
    """Write a text for agents or people into the state directory, whole, and into the run's database if it has one.

    Raises RefusedError.
    """
    path, data, database = os.path.join(state_dir, name), f"{text}\n".encode(), database_of(state_dir)
    check_unlinked(state_dir)
    try:
        if database is not None:
            database.replace(name, data)
            private_folder(state_dir)
        with lock or nullcontext():
            replace_whole(path, data, PRIVATE)
    except OSError as error:
        fix = "make the folder writable, or free space, and run the same command"
        raise RefusedError("unwritable-state", path, f"it cannot be written: {error.strerror or error}", fix) from None


def text_path(state_dir: str, name: str) -> str:
    """Return the path of a text in the state directory. A text in the run's database is copied there first.

    Raises RefusedError if it cannot be copied.
    """
    database = database_of(state_dir)
    if database is not None:
        database.copy(name, state_dir)
    return os.path.join(state_dir, name)


def _anything(_: object) -> None:
    """Accept any value."""


def digest_of(value: "Plan | Context") -> str:
    """Return the value's identity: the SHA-256 of its JSON, as written."""
    return sha256(codec(type(value)).dumps(value).encode()).hexdigest()
