"""The state of a run as its scripts see it: each file read when it is asked for, once a process."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from lib.workflow.errors import RefusedError, UsageError
from lib.workflow.handlers.base import StepContext
from lib.workflow.state import consent

from ..schema.phase import Phase
from .files import RUN_FILE, context_store, plan_store, run_store

if TYPE_CHECKING:
    from ..schema.context import Context
    from ..schema.plan import Plan
    from ..schema.review import Review
    from ..schema.run import Run


class RunState:
    """What is on record in a state directory. Raises StateError for a file that is missing or cannot be used."""

    def __init__(self, state_dir: str) -> None:
        self.state_dir = os.path.abspath(state_dir)

    @cached_property
    def run(self) -> "Run":
        """Which run this is, and its ledger."""
        return run_store(self.state_dir).load()

    def check_begun(self) -> None:
        """Raises StateError where no run has begun in the folder, RefusedError for one that was copied or moved."""
        self.check_place()

    def check_place(self) -> None:
        """Raise RefusedError for a run that lies elsewhere than in the project that its file names."""
        found, root = consent.begun(self.state_dir), consent.root_of(self.state_dir, self.run.project_root)
        if root != self.run.project_root or (found and not consent.is_here(self.state_dir, found)):
            why = f"its file names the project {self.run.project_root}, and it lies in {root}: it was copied or moved"
            raise RefusedError(consent.CODE, self.state_dir, why, consent.how(self.state_dir))

    def check_consent(self) -> None:
        """Raise RefusedError for a run that this user has neither begun nor agreed to, where it lies now."""
        self.check_place()
        consent.check(self.state_dir, self.run.project_root)

    @property
    def is_yours(self) -> bool:
        """Whether this user has begun the run, or agreed to it, where it lies now."""
        return consent.is_marked(self.state_dir, self.run.project_root)

    @property
    def project(self) -> str:
        """The project's folder, for whoever reads or changes it. Raises RefusedError as `check_consent` does."""
        self.check_consent()
        return self.run.project_root

    @cached_property
    def plan(self) -> "Plan":
        """The plan as it stands."""
        return plan_store(self.state_dir).load()

    @cached_property
    def context(self) -> "Context":
        """What the user asked for. Raises RefusedError if it is not as it was frozen."""
        from .frozen import check_context

        found = context_store(self.state_dir).load()
        check_context(self.state_dir, found, self.run.context_digest)
        return found

    def review(self, phase: Phase) -> "Review | None":
        """The review of a phase; None where none has begun, or where it was passed."""
        from .reviews import load_qr_state

        return load_qr_state(self.state_dir, phase)

    def round(self, phase: Phase) -> int:
        """The round in which a phase is."""
        from .reviews import get_qr_iteration

        return get_qr_iteration(self.state_dir, phase)

    def path(self, name: str) -> str:
        """A file of the run."""
        return os.path.join(self.state_dir, name)


def state_of(context: StepContext) -> RunState:
    """The state that a step is told of.

    Raises UsageError if it is told of none, RefusedError for a run that was copied or moved.
    """
    given = context.workflow_params.get("state_dir")
    if not isinstance(given, str) or not given:
        raise UsageError(
            "--state-dir is missing; give it the folder of a run, which the first step of the planner names"
        )
    state = RunState(given)
    if os.path.lexists(state.path(RUN_FILE)):
        state.check_place()
    return state
