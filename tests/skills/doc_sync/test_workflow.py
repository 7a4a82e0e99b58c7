"""The graph of the documentation sync, and the commands that its steps show."""

import os

import pytest

from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.core import AgentChoice, Outcome
from skills.doc_sync.check import accepts
from skills.doc_sync.workflow import MAX_ROUNDS, WORKFLOW


def test_it_has_five_steps() -> None:
    assert list(WORKFLOW.steps) == ["discover", "audit", "migrate", "update", "verify"]


@pytest.mark.parametrize(
    ("step_id", "outcome", "target"),
    [
        ("discover", Outcome.FAIL, "verify"),
        ("audit", Outcome.OK, "migrate"),
        ("audit", Outcome.SKIP, "update"),
        ("update", Outcome.ITERATE, "update"),
        ("verify", Outcome.OK, None),
    ],
)
def test_an_outcome_leads_where_its_condition_says(step_id: str, outcome: Outcome, target: str | None) -> None:
    assert WORKFLOW.steps[step_id].target(outcome) == target


def test_rounds_of_updates_end() -> None:
    first = WORKFLOW.outcomes("update", WORKFLOW.context("update", {"iteration": 1}))
    assert isinstance(first, AgentChoice)
    assert first.ways == {Outcome.OK: {}, Outcome.ITERATE: {"iteration": 2}}
    last = WORKFLOW.outcomes("update", WORKFLOW.context("update", {"iteration": MAX_ROUNDS}))
    assert last == (Outcome.OK, {})


@pytest.mark.parametrize("scope", [".", "/srv/a b", "-x"])
def test_the_check_is_shown_with_the_scope_and_takes_it(scope: str) -> None:
    shown = {}
    for step_id in WORKFLOW.steps:
        document = WORKFLOW.run(step_id, WORKFLOW.context(step_id, {"scope": scope}))
        commands = [node.command for node in walk(document) if isinstance(node, Invoke)]
        shown[step_id] = [command for command in commands if command.module == "skills.doc_sync.check"]
    assert [len(shown[step_id]) for step_id in WORKFLOW.steps] == [1, 1, 0, 1, 1]
    for command in (command for commands in shown.values() for command in commands):
        accepts(command.words)
        assert command.words[-1] == os.path.join(os.getcwd(), scope).removesuffix("/.")
    assert "--folders" in shown["discover"][0].words
