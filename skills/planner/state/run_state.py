"""The state of a run as its scripts see it: each file read when it is asked for, once a process."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from lib.workflow.errors import UsageError
from lib.workflow.handling import StepContext

from ..schema.phase import Phase
from .files import context_store, plan_store, run_store

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
        """Raises StateError where no run has begun in the folder."""
        run_store(self.state_dir).load()

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
    """The state that a step is told of. Raises UsageError where it is told of none."""
    given = context.workflow_params.get("state_dir")
    if not isinstance(given, str) or not given:
        raise UsageError(
            "--state-dir is missing; give it the folder of a run, which the first step of the planner names"
        )
    return RunState(given)
