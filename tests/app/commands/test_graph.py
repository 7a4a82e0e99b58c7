"""The graph by name, in every format, and with the results of a walk."""

import json

import pytest

from lib.workflow.app.commands.graph import FORMS
from lib.workflow.app.main import main
from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import Outcome, StepDef, Workflow
from lib.workflow.types import AgentRole
from tests.plugins.sites import only
from tests.workflows.review import workflow as review

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use only the tests' own workflows."""
    only("tests.workflows", monkeypatch)


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("text", "desk\n"),
        ("mermaid", "flowchart TD\n"),
        ("dot", "digraph {\n"),
        ("json", '{\n  "schema": 1,\n  "name": "desk",'),
        ("html", "<!DOCTYPE html>\n"),
    ],
)
def test_every_form_is_printed_by_name(form: str, begins: str, capsys: Captured) -> None:
    assert main(["graph", "desk", "--format", form]) == 0
    assert capsys.readouterr().out.startswith(begins)
    assert form in FORMS


def test_format_defaults_to_text_and_json_flag_selects_json(capsys: Captured) -> None:
    printed = []
    for words in ([], ["--format", "text"], ["--json"], ["--format", "json"]):
        assert main(["graph", "desk", *words]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[2] == printed[3]


def test_a_walk_adds_what_steps_launch_by_a_decision_of_their_own(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = Invoke(Command("tests.workflows.review.run", ("--step", "1", "--state-dir", "x")))
    roster = RosterDispatchNode(agent=AgentRole.EXPLORE, agents=(Agent(invoke=launch),))
    step = StepDef(id="a", title="A", actions="{{sent}}", slots={"sent": lambda _: roster}, next={Outcome.OK: None})
    monkeypatch.setattr(review, "WORKFLOW", Workflow("review", step, module="tests.workflows.review.run"))
    sent = []
    for words in ([], ["--walked"]):
        assert main(["graph", "review", "--json", *words]) == 0
        sent.append([node["dispatches"] for node in json.loads(capsys.readouterr().out)["nodes"]])
    assert sent[0] == [[]]
    assert [dispatch["agent"] for dispatch in sent[1][0]] == ["explore"]
