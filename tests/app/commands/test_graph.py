"""The graph by name, in every form, and with what only a walk tells."""

import json

import pytest

from lib.workflow.app.commands.graph import FORMS
from lib.workflow.app.main import main
from tests.plugins.sites import only

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own workflows."""
    only("tests.workflows", monkeypatch)


@pytest.mark.parametrize(
    ("form", "begins"),
    [("text", "desk\n"), ("mermaid", "flowchart TD\n"), ("dot", "digraph {\n"), ("json", '{\n  "name": "desk",')],
)
def test_every_form_is_printed_by_name(form: str, begins: str, capsys: Captured) -> None:
    assert main(["graph", "desk", "--format", form]) == 0
    assert capsys.readouterr().out.startswith(begins)
    assert form in FORMS


def test_without_a_format_it_is_text_and_with_json_json(capsys: Captured) -> None:
    printed = []
    for words in ([], ["--format", "text"], ["--json"], ["--format", "json"]):
        assert main(["graph", "desk", *words]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[2] == printed[3]


def test_a_walk_tells_who_is_asked(capsys: Captured) -> None:
    deciders = []
    for words in ([], ["--walked"]):
        assert main(["graph", "desk", "--json", *words]) == 0
        deciders.append({node["id"]: node["decider"] for node in json.loads(capsys.readouterr().out)["nodes"]})
    assert (deciders[0]["ask"], deciders[1]["ask"]) == ("agent", "user")
