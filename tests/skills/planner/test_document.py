"""plan.md, read back by a parser of Markdown."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from attrs import evolve
from markdown_it import MarkdownIt
from markdown_it.token import Token

from lib.workflow.render.prose import render_prose
from skills.planner.reports.plan_document import document
from skills.planner.schema.plan.decisions import Decision, PlanningContext, RejectedAlternative, Risk
from skills.planner.schema.plan.diagram import Diagram, DiagramEdge, DiagramNode
from skills.planner.schema.plan.document import InvisibleKnowledge, Overview, Plan, Wave
from skills.planner.schema.plan.milestone import CodeChange, CodeIntent, Milestone

from .plans import DIFF, PLAN, README

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = (
    "a | b\n---|---",
    "# Milestones",
    "```\n# out\n```",
    "text\n===",
    "- [ ] todo\n1. one",
    "</details><script>x</script> <!-- ",
    "[a](http://x) ![b](c) [d]: e",
    "*x* _y_ ~~z~~ `code",
    "    indented\n\n\n~~~\nfence",
    "ends in a backslash\\",
)


def structure(plan: Plan) -> list[tuple[str, str]]:
    """Return the structural tokens of plan.md: all but those of paragraphs, fences and texts."""
    tokens = PARSER.parse(render_prose(document(plan)))
    return [
        (token.type, token.markup)
        for token in tokens
        if token.type not in ("inline", "paragraph_open", "paragraph_close", "fence")
    ]


def marks(plan: Plan) -> set[str]:
    """Return the kinds of inline tokens."""
    tokens = PARSER.parse(render_prose(document(plan)))
    return {child.type for token in tokens for child in token.children or ()}


def with_text(text: str) -> Plan:
    """Return a plan with every field, and the text in all that accept one."""
    line = " ".join(text.split())
    node, edge = DiagramNode(id="a", label="A"), DiagramEdge(source="a", target="a", label="e")
    change = CodeChange(id="CC-M-001-001", intent_ref="CI-M-001-001", file="a.py", diff=text, comments=text)
    return Plan(
        overview=Overview(problem=text, approach=text),
        planning_context=PlanningContext(
            decisions=(Decision(id="DL-001", decision=text, reasoning=text),),
            rejected_alternatives=(
                RejectedAlternative(id="RA-001", alternative=text, reason=text, decision_ref="DL-001"),
            ),
            constraints=(text, text),
            risks=(Risk(id="R-001", risk=text, mitigation=text, anchor="a.py:L1-L2", decision_ref="DL-001"),),
        ),
        invisible_knowledge=InvisibleKnowledge(system=text, invariants=(text,), tradeoffs=(text,)),
        diagram_graphs=tuple(
            Diagram(id=f"DIAG-00{n}", scope=scope, title=line, nodes=(node,), edges=(edge,), ascii_render=text)
            for n, scope in enumerate(("overview", "invisible_knowledge", "milestone:M-001"), 1)
        ),
        milestones=(
            Milestone(
                id="M-001",
                name=line,
                files=("a.py",),
                requirements=(text,),
                acceptance_criteria=(text,),
                tests=(text,),
                code_intents=(CodeIntent(id="CI-M-001-001", file="a.py", behavior=text, decision_refs=("DL-001",)),),
                code_changes=(change,),
                delegated_to=line,
            ),
        ),
        waves=(Wave(id="W-001", milestones=("M-001",)),),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_plan_changes_the_structure_of_its_page(text: str) -> None:
    assert structure(with_text(text)) == structure(with_text("plain"))
    assert marks(with_text(text)) <= {
        "text",
        "text_special",
        "strong_open",
        "strong_close",
        "code_inline",
        "softbreak",
        "hardbreak",
    }


@pytest.mark.parametrize("text", HOSTILE)
def test_every_text_of_a_plan_is_on_its_page(text: str) -> None:
    shown = "".join(_shown(PARSER.parse(render_prose(document(with_text(text))))))
    letters = "".join(text.replace("`", "").split())
    assert "".join(shown.replace("`", "").split()).count(letters) >= 24


def _shown(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "fence":
            yield token.content
        yield from (child.content for child in token.children or ())


def headings(plan: Plan) -> list[tuple[str, str]]:
    tokens = PARSER.parse(render_prose(document(plan)))
    return [(token.tag, after.content) for token, after in pairwise(tokens) if token.type == "heading_open"]


def test_a_page_has_a_heading_for_each_part_that_is_there() -> None:
    found = headings(PLAN)
    assert [tag for tag, _ in found] == ["h1", "h2", "h2", "h3", "h3", "h3", "h3", "h2", "h2", "h3", "h4", "h3", "h4"]
    assert [text for _, text in found if text.startswith("M-")] == ["M-001: Verify tokens", "M-002: Describe"]


@pytest.mark.parametrize("scope", ["overview", "invisible_knowledge", "milestone:M-001"])
def test_diagrams_are_placed_by_scope_and_in_order(scope: str) -> None:
    [diagram] = PLAN.diagram_graphs
    plan = evolve(
        PLAN, diagram_graphs=(evolve(diagram, scope=scope), evolve(diagram, id="DIAG-002", scope=scope, title="Second"))
    )
    page = render_prose(document(plan))
    before = page[: page.index(f"**{diagram.title}:**")]
    assert before.rstrip().splitlines()[-1].startswith("**Approach" if scope == "overview" else "#")
    above = [line.lstrip("# ") for line in before.splitlines() if line.startswith("#")][-1]
    assert above.lower().replace(" ", "_").startswith(scope.partition(":")[2].lower() or scope.partition("_")[0][:4])
    assert diagram.ascii_render
    assert page.count(diagram.ascii_render) == 2
    assert page.index("**Second:**") > len(before)


def test_diagram_without_a_drawing_is_drawn_for_the_page() -> None:
    [diagram] = PLAN.diagram_graphs
    page = render_prose(document(evolve(PLAN, diagram_graphs=(evolve(diagram, ascii_render=None),))))
    assert "| API |" in page


def test_a_diagram_that_cannot_be_drawn_says_why_in_its_place() -> None:
    [diagram] = PLAN.diagram_graphs
    node = DiagramNode(id="api", label="\u05d0")
    page = render_prose(
        document(evolve(PLAN, diagram_graphs=(evolve(diagram, ascii_render=None, nodes=(node, diagram.nodes[1])),)))
    )
    assert "U+05D0" in page


def test_diff_is_on_the_page_unchanged() -> None:
    fences = [token for token in PARSER.parse(render_prose(document(PLAN))) if token.type == "fence"]
    assert [token.content for token in fences if token.info == "diff"] == [DIFF, README.diff]


def test_an_empty_plan_has_a_page() -> None:
    assert render_prose(document(Plan())).strip()
