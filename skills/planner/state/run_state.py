"""The state of a run for its scripts: each file is read on first use, once per process."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from lib.workflow.errors import RefusedError, UsageError
from lib.workflow.handlers.base import StepContext
from lib.workflow.state import consent
from lib.workflow.state.run_dirs import here
from lib.workflow.state.run_documents import has_document

from ..schema.phase import Phase
from .files import RUN_FILE, context_store, plan_store, run_store, text_path
from .frozen import check_context

if TYPE_CHECKING:
    from ..schema.context import Context
    from ..schema.plan.document import Plan
    from ..schema.review.document import Review
    from ..schema.run import Run


class RunState:
    """The files of a state directory. Raises StateError for a file that is missing or unusable."""

    def __init__(self, state_dir: str) -> None:
        self.state_dir = os.path.abspath(state_dir)

    @cached_property
    def run(self) -> "Run":
        """Return the run's identity and its ledger."""
        return run_store(self.state_dir).load()

    def check_begun(self) -> None:
        """Raise StateError if the folder has no run, RefusedError for a run that was copied or moved."""
        self.check_place()

    def check_place(self) -> None:
        """Raise RefusedError for a run that is not in the project that its file names."""
        found = consent.begun(self.state_dir)
        root = consent.root_of(self.state_dir, self.run.project_root, found)
        if root != self.run.project_root or (found and not consent.is_here(self.state_dir, found)):
            why = (
                f"the run was copied or moved: its file names the project {self.run.project_root}, but it is in {root}"
            )
            raise RefusedError(consent.CODE, self.state_dir, why, consent.how(self.state_dir))

    def check_consent(self) -> None:
        """Raise RefusedError for a run that this user has neither started nor agreed to, in its current place."""
        self.check_place()
        consent.check(self.state_dir, self.run.project_root)

    @property
    def is_yours(self) -> bool:
        """Return True if this user has started the run, or agreed to it, in its current place."""
        return consent.is_marked(self.state_dir, self.run.project_root)

    @property
    def project(self) -> str:
        """Return the project's folder, to read or change it. Raises RefusedError as `check_consent` does."""
        self.check_consent()
        return self.root

    @property
    def root(self) -> str:
        """Return the project's folder, for pages: that of the agent, if it has its own worktree."""
        return here(self.run.project_root)

    @property
    def is_apart(self) -> bool:
        """Return True if the agent of this process has a worktree of its own."""
        return self.root != self.run.project_root

    @cached_property
    def plan(self) -> "Plan":
        """Return the current plan."""
        return plan_store(self.state_dir).load()

    @cached_property
    def context(self) -> "Context":
        """Return the user's request. Raises RefusedError if it differs from the frozen one."""
        found = context_store(self.state_dir).load()
        check_context(self.state_dir, found, self.run.context_digest)
        return found

    def review(self, phase: Phase) -> "Review | None":
        """Return the review of a phase; None if none exists, or if it has passed."""
        from .reviews import load_qr_state

        return load_qr_state(self.state_dir, phase)

    def round(self, phase: Phase) -> int:
        """Return the current round of a phase."""
        from .reviews import get_qr_iteration

        return get_qr_iteration(self.state_dir, phase)

    def path(self, name: str) -> str:
        """Return the path of a file of the run."""
        return os.path.join(self.state_dir, name)

    def text(self, name: str) -> str:
        """Return the path of a text of the run, for agents or people on this host. Raises RefusedError."""
        return text_path(self.state_dir, name)


def state_of(context: StepContext) -> RunState:
    """Return the state that a step's parameters name.

    Raises UsageError if they name none, RefusedError for a run that was copied or moved.
    """
    given = context.workflow_params.get("state_dir")
    if not isinstance(given, str) or not given:
        raise UsageError(
            "--state-dir is missing; give it the run directory, which the first step of the planner prints"
        )
    state = RunState(given)
    if has_document(state.path(RUN_FILE)):
        state.check_place()
    return state
