"""The closed sets of values."""

from lib.workflow.types import AgentRole, Outcome


def test_outcomes_and_roles_have_the_names_of_the_specification() -> None:
    assert [*Outcome] == ["ok", "fail", "skip", "iterate", "_default"]
    assert {"architect", "developer", "technical-writer", "quality-reviewer", "explore"} < {*AgentRole}
