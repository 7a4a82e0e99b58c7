"""What a plan shows: to people, to agents, as a whole and in parts."""

import os
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Code, Element, FileContent, Text
from lib.workflow.codec import codec
from skills.planner.schema.plan import InvisibleKnowledge, Overview, Plan, Wave
from skills.planner.schema.references import ids
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import CODE, PLAN


def test_plan_md_is_written_and_what_is_shown_is_the_same(state: str) -> None:
    assert console.plan(state, "render").status == 0
    written = Path(state, "plan.md").read_text(encoding="utf-8")
    shown = [node for node in console.plan(state, "render", "--show").nodes if isinstance(node, FileContent)]
    assert [f"{node.text}\n" for node in shown] == [written]
    assert all(name in written for name in ("DL-001", "M-001", "+-----+ asks +------+"))


def test_plan_md_that_cannot_be_written_is_told(state: str) -> None:
    os.mkdir(Path(state, "plan.md"))
    assert console.plan(state, "render").refusal.code == "unwritable-state"


def test_a_diagram_is_drawn_and_told_in_mermaid(state: str) -> None:
    for words, language in (((), None), (("--mermaid",), "mermaid")):
        (code,) = [
            n for n in console.plan(state, "render-diagram", "--id", "DIAG-001", *words).nodes if isinstance(n, Code)
        ]
        assert code.language == language
        assert "Auth" in code.text


def test_the_drawing_that_is_made_for_somebody_is_kept(state: str) -> None:
    assert console.plan(state, "set-diagram-render", "--id", "DIAG-001", "--version", "1").status == 0
    (code,) = [n for n in console.plan(state, "render-diagram", "--id", "DIAG-001").nodes if isinstance(n, Code)]
    assert plan_store(state).load().diagram_graphs[0].ascii_render == code.text


def test_a_plan_of_structure_without_a_diagram_is_remarked_on(state: str) -> None:
    overview = Overview(problem="x", approach="Two services and a queue")
    more = evolve(CODE, files=("src/auth.py", "src/more.py"))
    plan_store(state).change(
        lambda plan: (evolve(plan, overview=overview, diagram_graphs=(), milestones=(more, PLAN.milestones[1])), None)
    )
    ran = console.plan(state, "validate", "--phase", "plan-design")
    assert ran.status == 0
    assert [node.tag for node in ran.nodes if isinstance(node, Element)] == ["valid", "note"]


@pytest.mark.parametrize(
    ("name", "cls"), [("plan", Plan), ("overview", Overview), ("knowledge", InvisibleKnowledge), ("W-001", Wave)]
)
def test_a_part_is_shown_as_json_with_the_version_of_an_update(state: str, name: str, cls: type[object]) -> None:
    nodes = console.plan(state, "get", "--id", name).nodes
    (entity,) = [node for node in nodes if isinstance(node, Element)]
    (code,) = [node for node in nodes if isinstance(node, Code)]
    assert dict(entity.attributes) == {"id": name, "version": "1"}
    assert isinstance(codec(cls).loads(code.text), cls)


def test_a_constraint_is_shown_as_it_is(state: str) -> None:
    assert "MUST: Python 3.11" in [
        node.value for node in console.plan(state, "get", "--id", "C-001").nodes if isinstance(node, Text)
    ]


def test_a_list_holds_everything_once_on_a_line_each(state: str) -> None:
    long = "x" * 200
    console.plan(state, "set-decision", "--decision", f"a\nb {long}", "--reasoning", "y")
    rows = [node for node in console.plan(state, "list").nodes if isinstance(node, Element) and node.tag == "entity"]
    named = [dict(row.attributes)["id"] for row in rows]
    assert sorted(named) == sorted([*ids(PLAN), "C-001", "DL-002"])
    texts = [child.value for row in rows for child in row.children if isinstance(child, Text)]
    assert all(len(text) <= 100 and "\n" not in text for text in texts)


def test_a_diagram_without_nodes_is_not_drawn(state: str) -> None:
    console.plan(state, "set-diagram", "--scope", "overview", "--title", "x")
    refusal = console.plan(state, "render-diagram", "--id", "DIAG-002").refusal
    assert (refusal.code, refusal.target) == ("incomplete", "DIAG-002")
