"""The actions that a run would take in the user's name, for a user who has not agreed to it yet."""

from lib.workflow.errors import RefusedError
from lib.workflow.state.consent import Wish, begun, root_of

from ..execution.waves import checks_of
from ..state.run_state import RunState


def wish(state: RunState) -> Wish:
    """Return the task, the project that holds the run, and the checks. Raises StateError for a broken run."""
    run = state.run
    root = root_of(state.state_dir, run.project_root, begun(state.state_dir))
    return Wish(run.task, root, _checks(state))


def _checks(state: RunState) -> tuple[str, ...]:
    try:
        return checks_of(state.plan)
    except RefusedError:  # a plan that cannot be read runs nothing
        return ()


def check_consent(state: RunState) -> None:
    """Raise RefusedError, with the intended actions, for a run that this user has neither started nor agreed to."""
    try:
        state.check_consent()
    except RefusedError as error:
        would = "\n".join(wish(state).lines())
        raise RefusedError(error.code, error.target, f"{error}\n{would}", error.fix) from None
