"""JSON: refusals, with their paths."""

import json

import pytest

from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.step import Complete, CurrentAction, Invoke
from lib.workflow.command import Command
from lib.workflow.render import json as module
from lib.workflow.render.json import JsonError, parse_json, render_json
from lib.workflow.util.documents import SCHEMA
from tests.wording import elided


def document(*blocks: object) -> str:
    return json.dumps({"type": "Document", "blocks": list(blocks)})


def test_a_node_is_an_object_and_a_text_a_string() -> None:
    tree = Document([CurrentAction(["a", Element("x", {"y": "z"})]), Invoke(Command("a", launcher=("p",))), Complete()])
    assert json.loads(render_json(tree)) == {
        "schema": SCHEMA,
        "type": "Document",
        "blocks": [
            {
                "type": "CurrentAction",
                "children": ["a", {"type": "Element", "tag": "x", "attributes": {"y": "z"}, "children": []}],
            },
            {"type": "Invoke", "command": "p -m a"},
            {"type": "Complete"},
        ],
    }
    assert render_json(Text("é<")) == '"é<"'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "$: Expecting value"),
        ('{"schema": 99, "type": "Document", "blocks": []}', "$.schema: … 1"),
        ("[]", "$:"),
        ('"x"', "$:"),
        ('{"type": "Nope"}', "$: … 'Nope'"),
        (document({"type": "Complete", "x": 1}), "$.blocks[0]:"),
        (document({"type": "CurrentAction", "children": "x"}), "$.blocks[0].children:"),
        (document({"type": "CurrentAction", "children": [1]}), "$.blocks[0].children[0]:"),
        (document({"type": "GateResult", "status": "PASS"}), "$.blocks[0].status: 'PASS' … valid GateStatus"),
        (document({"type": "Invoke", "command": "ls"}), "$.blocks[0].command: 'ls'"),
        (document({"type": "StepHeader", "script": 1}), "$.blocks[0]: "),
        (document({"type": "Invoke"}), "$.blocks[0]: "),
        (document({"type": "Forbidden", "items": [1]}), "$.blocks[0]: Forbidden.items: … str, got int"),
        ('{"type": "Document", "type": "Document"}', "$:"),
        ('{"type": "Document", "blocks": NaN}', "$: NaN … JSON"),
        ("[" * 100_000, "$:"),
        ('{"type": "Document", "blocks": [' + '{"type": "Element", "tag": "a", "children": [' * 900, "$: "),
    ],
)
def test_malformed_document_is_refused_with_its_path(text: str, says: str) -> None:
    with pytest.raises(JsonError, match=elided(says)):
        parse_json(text)


def test_a_deep_tree_is_refused() -> None:
    deep = '{"type": "Element", "tag": "a", "children": [' * 300 + "]}" * 300
    with pytest.raises(JsonError, match=r"64 levels|nested too deeply"):
        parse_json(f'{{"type": "Document", "blocks": [{deep}]}}')


def test_a_size_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SIZE", 10)
    with pytest.raises(JsonError, match="10"):
        parse_json('{"type": "Document"}')
