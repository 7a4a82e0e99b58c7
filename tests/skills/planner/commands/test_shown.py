"""Output of a plan: to people, to agents, as a whole and in parts."""

import json
import os
import re
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Element, FileContent
from lib.workflow.codec import codec
from skills.planner.schema.plan.decisions import Decision, PlanningContext, RejectedAlternative, Risk
from skills.planner.schema.plan.document import InvisibleKnowledge, Overview, Plan, Wave
from skills.planner.schema.plan.references import ids
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import CHANGE, CODE, PLAN


def test_plan_md_equals_the_shown_plan(state: str) -> None:
    assert console.plan(state, "render").status == 0
    written = Path(state, "plan.md").read_text(encoding="utf-8")
    shown = [node for node in console.plan(state, "render", "--show").nodes if isinstance(node, FileContent)]
    assert [f"{node.text}\n" for node in shown] == [written]
    assert all(name in written for name in ("DL-001", "M-001", "+-----+ asks +------+"))


def test_plan_md_that_cannot_be_written_is_refused(state: str) -> None:
    os.mkdir(Path(state, "plan.md"))
    assert console.plan(state, "render").refusal.code == "unwritable-state"


def test_diagram_is_drawn_or_written_as_mermaid(state: str) -> None:
    drawn = console.plan(state, "render-diagram", "--id", "DIAG-001").out
    output = console.plan(state, "render-diagram", "--id", "DIAG-001", "--mermaid").out
    assert "| Auth |" in drawn
    assert output.startswith("flowchart")
    assert "Auth" in output


def test_generated_drawing_is_stored_in_the_plan(state: str) -> None:
    assert console.plan(state, "set-diagram-render", "--id", "DIAG-001", "--version", "1").status == 0
    drawn = console.plan(state, "render-diagram", "--id", "DIAG-001").out
    assert f"{plan_store(state).load().diagram_graphs[0].ascii_render}\n" == drawn


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
@pytest.mark.parametrize("words", [("--json",), ("--format", "json")], ids=" ".join)
def test_a_part_is_shown_as_json(state: str, name: str, cls: type[object], words: tuple[str, ...]) -> None:
    assert isinstance(codec(cls).loads(console.plan(state, "get", "--id", name, *words).out), cls)


MILESTONE = """\
## M-001 v1: Verify tokens
- files: src/auth.py
- criterion: a forged token gives 401
### CI-M-001-001 v1: src/auth.py (DL-001)
- behavior: verify(token) -> User
### CC-M-001-001 v1: src/auth.py, for CI-M-001-001, """
SHOWN: dict[str, str] = {
    "DL-001": "## DL-001 v1\n- decision: Sign tokens with HMAC\n- reasoning: many calls -> bcrypt is slow -> HMAC\n",
    "RA-001": "## RA-001 v1 for DL-001\n- alternative: Sessions\n- reason: a store more\n",
    "R-001": "## R-001 v1 of DL-001\n- risk: The key leaks\n- mitigation: Rotate it\n",
    "C-001": "- C-001 v345915: MUST: Python 3.11\n",
    "W-001": "## W-001 v1: M-001\n",
    "overview": "## overview v658689\n- problem: Anybody gets in\n- approach: Signed tokens\n",
    "knowledge": "## knowledge v1\n",
    "CC-M-001-001": f"## CC-M-001-001 v1: src/auth.py, for CI-M-001-001\n```diff\n{CHANGE.diff}```\n",
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_part_is_shown_as_markdown_with_its_id_and_version(state: str, name: str) -> None:
    assert console.plan(state, "get", "--id", name).out == SHOWN[name]


def test_a_milestone_is_shown_with_its_intents_and_changes(state: str) -> None:
    assert console.plan(state, "get", "--id", "M-001").out.startswith(MILESTONE)


def test_a_plan_is_shown_whole_and_its_diffs_where_they_are_asked_for(state: str) -> None:
    whole = console.plan(state, "get", "--id", "plan").out
    assert [name for name in (*ids(PLAN), "C-001") if name not in whole] == []
    assert MILESTONE in whole
    assert "-old" not in whole
    for part in ("plan", "M-001"):
        assert f"```diff\n{CHANGE.diff}```\n" in console.plan(state, "get", "--id", part, "--diffs").out


RAW: dict[str, tuple[tuple[str, ...], str]] = {
    "a diff": (("CC-M-001-001",), CHANGE.diff),
    "the behavior of an intent": (("CI-M-001-001",), "verify(token) -> User\n"),
    "a field": (("DL-001", "--field", "reasoning"), "many calls -> bcrypt is slow -> HMAC\n"),
    "a list": (("M-001", "--field", "acceptance_criteria"), "a forged token gives 401\n"),
    "a constraint": (("C-001",), "MUST: Python 3.11\n"),
    "a text of the overview": (("overview", "--field", "problem"), "Anybody gets in\n"),
}


@pytest.mark.parametrize("name", RAW)
def test_a_text_is_shown_as_it_is(state: str, name: str) -> None:
    words, text = RAW[name]
    assert console.plan(state, "get", "--raw", "--id", *words).out == text


def test_the_bytes_of_a_diff_are_shown_and_nothing_else(state: str) -> None:
    diff = CHANGE.diff.replace("-old\n+new\n", "-old\r\n+```\t</x> & ]]>\u2028é\r\n")
    set_diff = ("set-change", "--id", "CC-M-001-001", "--version", "1", "--diff-file", "-")
    assert console.plan(state, *set_diff, given=diff).status == 0
    assert console.plan(state, "get", "--id", "CC-M-001-001", "--raw").out == diff


@pytest.mark.parametrize("words", [("DL-001",), ("DL-001", "--field", "x"), ("plan",), ("R-001", "--field", "anchor")])
def test_a_text_that_is_not_there_is_refused_with_the_fields(state: str, words: tuple[str, ...]) -> None:
    ran = console.plan(state, "get", "--raw", "--id", *words)
    assert (ran.status, ran.refusal.code) == (1, "unknown-field")


def lines_of(text: str) -> list[str]:
    """Return the lines in the first column outside of fences, by any reader's definition of a line."""
    found: list[str] = []
    fence = ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.rstrip("dif")
        elif line[:1].strip():
            found.append(line)
    return found


@pytest.mark.parametrize("harm", ["\n## DL-999 v1\n- decision: x", "\n```\n# plan\n````\n- a", "\u2028## M-009 v1: x"])
def test_no_text_passes_for_a_part_of_the_plan(state: str, harm: str) -> None:
    plain, forged = shown_with(state, "x"), shown_with(state, f"x{harm}")
    assert [beginning(line) for line in lines_of(forged)] == [beginning(line) for line in lines_of(plain)]


def beginning(line: str) -> str:
    """Return the program's words on a line, before the text and without versions, which depend on it."""
    return re.sub(r"(v|of )\d+", "", line).partition("x")[0]


def shown_with(state: str, text: str) -> str:
    """Return the plan, with a text in every field that may have several lines."""
    diff = "--- a/src/auth.py\n+++ b/src/auth.py\n@@ -0,0 +1 @@\n" + "".join(f"+{line}\n" for line in text.split("\n"))
    context = PlanningContext(
        decisions=(Decision(id="DL-001", decision=text, reasoning=text),),
        rejected_alternatives=(RejectedAlternative(id="RA-001", alternative=text, reason=text, decision_ref="DL-001"),),
        constraints=(text,),
        risks=(Risk(id="R-001", risk=text, mitigation=text),),
    )
    intent = evolve(CODE.code_intents[0], behavior=text)
    change = evolve(CHANGE, diff=diff, comments=text)
    milestone = evolve(
        CODE,
        requirements=(text,),
        acceptance_criteria=(text,),
        tests=(text,),
        code_intents=(intent,),
        code_changes=(change,),
    )
    plan = evolve(
        PLAN,
        overview=Overview(problem=text, approach=text),
        planning_context=context,
        invisible_knowledge=InvisibleKnowledge(system=text, invariants=(text,), tradeoffs=(text,)),
        milestones=(milestone, PLAN.milestones[1]),
    )
    plan_store(state).change(lambda _: (plan, None))
    return console.plan(state, "get", "--id", "plan", "--diffs").out


def test_a_list_holds_everything_once_on_a_line_each(state: str) -> None:
    long = "x" * 200
    console.plan(state, "set-decision", "--decision", f"a\nb {long}", "--reasoning", "y")
    lines = console.plan(state, "list").out.splitlines()
    named = [line.removeprefix("- ").partition(" v")[0] for line in lines]
    assert sorted(named) == sorted([*ids(PLAN), "C-001", "DL-002"])
    assert all(len(line.partition(": ")[2]) <= 100 for line in lines)
    rows = json.loads(console.plan(state, "list", "--json").out)["entities"]
    assert [f"- {row['id']} v{row['version']}: {row['title']}" for row in rows] == lines
    assert console.plan(state, "list", "--kind", "waves").out == "- W-001 v1: M-001\n"


def test_a_diagram_without_nodes_is_not_drawn(state: str) -> None:
    console.plan(state, "set-diagram", "--scope", "overview", "--title", "x")
    refusal = console.plan(state, "render-diagram", "--id", "DIAG-002").refusal
    assert (refusal.code, refusal.target) == ("incomplete", "DIAG-002")
