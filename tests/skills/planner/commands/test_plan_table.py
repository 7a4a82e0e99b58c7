"""Each role may use its own commands, and the list of them is readable."""

import json
from collections.abc import Mapping

import pytest

from lib.workflow.ast.results import Refusal
from lib.workflow.types import AgentRole
from skills.planner.commands.examples import EXAMPLES
from skills.planner.commands.plan_table import TABLE
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import DIFF, PLAN

READS = {"scratch", "copy", "get", "list", "render-diagram", "validate", "compare", "difference", "render"}
OWN: Mapping[AgentRole, set[str]] = {
    AgentRole.ORCHESTRATOR: {"init", "set-context", "freeze-context", "set-depth", "set-answer", "reopen"},
    AgentRole.ARCHITECT: {
        *("set-overview", "set-knowledge", "set-constraint", "set-decision", "set-rejected-alternative", "set-risk"),
        *("set-milestone", "set-intent", "set-wave", "set-diagram", "add-diagram-node", "add-diagram-edge", "remove"),
        "submit",
    },
    AgentRole.DEVELOPER: {"set-change", "remove-change", "record-changes", "submit", "apply"},
    AgentRole.TECHNICAL_WRITER: {"set-doc", "set-diagram-render", "remove-change", "record-changes", "submit", "apply"},
    AgentRole.QUALITY_REVIEWER: {"reconciled"},
}
TRIES: Mapping[str, tuple[str, ...]] = {
    "set-decision": ("--decision", "x", "--reasoning", "y"),
    "set-change": ("--intent-ref", "CI-M-001-001", "--diff", DIFF),
    "set-wave": ("--milestone", "M-001"),
    "remove": ("--id", "RA-001", "--version", "1"),
}


@pytest.mark.parametrize("role", AgentRole)
def test_a_role_has_its_commands_and_reads(role: AgentRole) -> None:
    assert set(TABLE.of(role)) == OWN.get(role, set()) | READS


@pytest.mark.parametrize("name", TRIES)
@pytest.mark.parametrize("by", ["flag", "environment"])
def test_command_of_another_role_is_refused(state: str, name: str, by: str) -> None:
    flag = ("--role", "quality-reviewer") if by == "flag" else ()
    environment = {} if by == "flag" else {"STEPSCRIPT_ROLE": "quality-reviewer"}
    ran = console.plan(state, *flag, name, *TRIES[name], environment=environment)
    assert (ran.status, ran.refusal.code) == (1, "wrong-role")
    assert plan_store(state).load() == PLAN


def test_command_of_another_role_is_refused_in_a_batch(state: str) -> None:
    requests = [
        {"command": "get", "id": "plan"},
        {"command": "set-decision", "decision": "x", "reasoning": "y"},
    ]
    ran = console.plan(state, "--role", "developer", "batch", given=json.dumps(requests))
    assert ran.status == 1
    assert [node.code for node in ran.nodes if isinstance(node, Refusal)] == ["wrong-role"]
    assert plan_store(state).load() == PLAN


def test_call_without_a_role_may_use_every_command(state: str) -> None:
    for name in TRIES:
        if name != "set-wave":
            assert console.plan(state, name, *TRIES[name]).status == 0


def test_the_list_of_commands_fits_into_a_terminal() -> None:
    longest = max(map(len, TABLE.rows))
    for name, row in TABLE.rows.items():
        assert longest + 4 + len(row.help.partition("\n")[0]) <= 80, name


def test_examples_follow_the_order_of_the_table() -> None:
    assert list(EXAMPLES) == list(TABLE.rows)
