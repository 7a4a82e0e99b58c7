"""The closed sets of values."""

import pytest

from lib.workflow.types import AgentRole, LoopState, Outcome


@pytest.mark.parametrize(
    ("state", "passed", "after"),
    [
        (LoopState.INITIAL, True, LoopState.COMPLETE),
        (LoopState.INITIAL, False, LoopState.RETRY),
        (LoopState.RETRY, True, LoopState.COMPLETE),
        (LoopState.RETRY, False, LoopState.RETRY),
    ],
)
def test_a_loop_goes_on_until_it_passes(state: LoopState, passed: bool, after: LoopState) -> None:
    assert state.after(passed) is after


@pytest.mark.parametrize("passed", [True, False])
def test_a_complete_loop_stays_complete(passed: bool) -> None:
    with pytest.raises(ValueError, match="new loop"):
        LoopState.COMPLETE.after(passed)


def test_outcomes_and_roles_have_the_names_of_the_specification() -> None:
    assert [*Outcome] == ["ok", "fail", "skip", "iterate", "_default"]
    assert {"architect", "developer", "technical-writer", "quality-reviewer", "explore"} < {*AgentRole}
