"""Faults that users of such systems met, in drawings, diffs and plan.md; each value by the id of its fault.

Other tests cover the whole kind.
"""

from pathlib import Path

import pytest
from attrs import evolve
from markdown_it import MarkdownIt

from lib.workflow.render.prose import render_prose
from skills.planner.diagrams.verify import faults
from skills.planner.diffs.parse import parsed
from skills.planner.diffs.trial import tried
from skills.planner.reports.plan_document import document
from skills.planner.schema.plan.decisions import Decision, PlanningContext
from skills.planner.schema.plan.diagram import Diagram, DiagramNode, DiagramType, succeeding

from .diagrams.graphs import graph
from .plans import CHANGE, DIAGRAM, PLAN

PAIR = "+----+   +-----+\n| w1 |-->| w10 |\n+----+   +-----+"


def test_fence_in_a_drawing_stays_in_its_fence() -> None:
    drawing = f"```\n{DIAGRAM.ascii_render}\n````"
    page = render_prose(document(evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, ascii_render=drawing),))))
    fences = [token.content for token in MarkdownIt().parse(page) if token.type == "fence"]
    assert f"{drawing}\n" in fences


def test_decision_of_two_lines_does_not_break_its_list() -> None:
    decision = Decision(id="DL-001", decision="l1\nl2 | x", reasoning="|-|-|")
    page = render_prose(document(evolve(PLAN, planning_context=PlanningContext(decisions=(decision,)))))
    tokens = MarkdownIt("commonmark").enable("table").parse(page)
    assert [token.level for token in tokens if token.type == "inline" and "l1" in token.content] == [3]
    assert "table_open" not in {token.type for token in tokens}


def test_adding_a_node_drops_the_drawing() -> None:
    after = evolve(DIAGRAM, nodes=(*DIAGRAM.nodes, DiagramNode(id="new", label="New")))
    assert succeeding(after, DIAGRAM).ascii_render is None


LABELS = [
    ("w1 is not w10", graph(DiagramType.STATE, "a=w1 b=w10"), PAIR.replace("| w1 |", "|    |"), 1),
    ("both are there", graph(DiagramType.STATE, "a=w1 b=w10"), PAIR, 0),
    (
        "punctuation before a border",
        graph(DiagramType.STATE, "a=Cache_(L1)"),
        "+----------+\n|Cache (L1)|\n+----------+",
        0,
    ),
]


@pytest.mark.parametrize(("diagram", "drawing", "count"), [row[1:] for row in LABELS], ids=[row[0] for row in LABELS])
def test_similar_labels_in_drawings_are_distinguished(diagram: Diagram, drawing: str, count: int) -> None:
    assert len(faults(diagram, drawing)) == count


def test_context_lines_of_a_diff_must_match_the_file(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / CHANGE.file).write_text("other\n")
    [finding] = tried([CHANGE], str(tmp_path))
    assert "hunk 1" in finding.message
    (tmp_path / CHANGE.file).write_text("old\n")
    assert tried([CHANGE], str(tmp_path)) == ()


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x"])
def test_diff_outside_the_project_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="diff, line 1"):
        parsed(f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n", path)
