"""The difference between two hand-ins: complete, compact, and safe from its texts."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Element, Text
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from skills.planner.orchestrator.acceptance import again
from skills.planner.phases import IMPL_CODE, PLAN_CODE, PLAN_DESIGN, PLAN_DOCS
from skills.planner.review.difference import (
    UNCHANGED,
    entity_parts,
    item,
    reaches_back,
    round_of_item,
    since_last_round,
    since_round,
)
from skills.planner.schema.plan.decisions import PlanningContext
from skills.planner.schema.plan.diagram import DiagramNode
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.review.document import ItemStatus
from skills.planner.schema.run import Verdict
from skills.planner.simulation.project import LIMIT
from skills.planner.state.run_state import RunState
from tests.skills.planner import console
from tests.skills.planner.plans import CHANGE, CODE, DECISION, DIAGRAM, PLAN
from tests.skills.planner.reviewing import (
    FAILED,
    PASSED,
    at_work,
    building,
    change_plan,
    gate,
    project,
    qr,
    renamed,
    review_of,
    reviewed,
    submit,
    through,
)

CONTEXT = PLAN.planning_context


def milestone(**values: object) -> Plan:
    return evolve(PLAN, milestones=(evolve(CODE, **values), *PLAN.milestones[1:]))  # type: ignore[arg-type]  # a row's


def planning(**values: object) -> Plan:
    return evolve(PLAN, planning_context=evolve(CONTEXT, **values))  # type: ignore[arg-type]  # a row's values


CHANGES: Mapping[str, tuple[Plan, str, str, list[str]]] = {
    "a text of one line": (
        milestone(name="Check tokens"),
        "M-001",
        "changed",
        ["@@ name", "-Verify tokens", "+Check tokens"],
    ),
    "a list": (
        milestone(acceptance_criteria=("a forged token gives 401", "an expired one, too")),
        "M-001",
        "changed",
        ["@@ acceptance_criteria", " a forged token gives 401", "+an expired one, too"],
    ),
    "yes or no": (
        milestone(is_documentation_only=True, code_intents=(), code_changes=()),
        "M-001",
        "changed",
        ["@@ is_documentation_only", "-no", "+yes"],
    ),
    "a diff": (
        milestone(code_changes=(evolve(CHANGE, diff=CHANGE.diff.replace("+new", "+newer")),)),
        "CC-M-001-001",
        "changed",
        ["@@ diff", " @@ -1 +1 @@", " -old", "-+new", "++newer"],
    ),
    "a decision": (
        planning(decisions=(evolve(DECISION, reasoning="because"),)),
        "DL-001",
        "changed",
        ["@@ reasoning", "-many calls -> bcrypt is slow -> HMAC", "+because"],
    ),
    "a constraint before another": (
        planning(constraints=("MUST: no store", *CONTEXT.constraints)),
        "constraints",
        "changed",
        ["@@ constraints", "+MUST: no store", " MUST: Python 3.11"],
    ),
    "a risk that is gone": (planning(risks=()), "R-001", "removed", ["-The key leaks", "-Rotate it", "-DL-001"]),
    "the overview": (
        evolve(PLAN, overview=evolve(PLAN.overview, approach="Sessions")),
        "overview",
        "changed",
        ["@@ approach", "-Signed tokens", "+Sessions"],
    ),
    "a node of a diagram": (
        evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, nodes=(*DIAGRAM.nodes, DiagramNode(id="key", label="Key"))),)),
        "DIAG-001",
        "changed",
        ["@@ nodes", "+id key, label Key"],
    ),
    "a wave that is new": (
        evolve(PLAN, waves=(*PLAN.waves, evolve(PLAN.waves[0], id="W-002"))),
        "W-002",
        "new",
        ["@@ milestones", "+M-001"],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_difference_of_two_plans_is_shown_by_entity_and_field(name: str) -> None:
    after, entity, how, lines = CHANGES[name]
    parts = {part.name: part for part in entity_parts(PLAN, after)}
    assert parts[entity].how == how
    assert [line for line in lines if line not in parts[entity].diff.splitlines()] == []


def test_version_numbers_alone_give_no_difference() -> None:
    assert (
        list(entity_parts(PLAN, evolve(PLAN, version=9, milestones=(evolve(CODE, version=9), *PLAN.milestones[1:]))))
        == []
    )


@pytest.mark.parametrize("text", ["```\n# out", "````", "a\n```````diff\nb"])
def test_text_cannot_close_its_own_fence(text: str) -> None:
    after = evolve(PLAN, planning_context=PlanningContext(decisions=(evolve(DECISION, reasoning=text),)))
    shown = next(part.markdown for part in entity_parts(evolve(PLAN, planning_context=PlanningContext()), after))
    heading, _, fenced = shown.partition("\n\n")
    fence = fenced.partition("diff\n")[0]
    assert set(fence) == {"`"}
    assert not [line for line in fenced.splitlines()[1:-1] if line.lstrip(" +-").startswith(fence)]
    assert heading == "### DL-001: new"


def twice(folder: Path, *by: Callable[[Plan], Plan]) -> str:
    """Make a run of plan-design with a failed round for each change, the last one handed in."""
    state_dir = at_work(folder, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    for change in by:
        reviewed(state_dir, PLAN_DESIGN, FAILED)
        gate(state_dir, PLAN_DESIGN)
        change_plan(state_dir, change)
        submit(state_dir, PLAN_DESIGN)
    return state_dir


def test_round_shows_only_the_changes_of_its_submission(tmp_path: Path) -> None:
    state = RunState(twice(tmp_path, renamed("Second"), renamed("Third")))
    assert "-Second\n+Third" in since_last_round(state, PLAN_DESIGN)
    assert "-Limiter\n+Third" in since_round(state, PLAN_DESIGN, 1)
    change_plan(state.state_dir, renamed("Fourth"))
    assert "Fourth" not in since_last_round(RunState(state.state_dir), PLAN_DESIGN)


def test_difference_between_rounds_uses_the_current_plan(tmp_path: Path) -> None:
    state_dir = twice(tmp_path, renamed("Second"))
    reviewed(state_dir, PLAN_DESIGN, FAILED)
    gate(state_dir, PLAN_DESIGN)
    assert since_last_round(RunState(state_dir), PLAN_DESIGN) == UNCHANGED
    change_plan(state_dir, renamed("Third"))
    assert "-Second\n+Third" in since_last_round(RunState(state_dir), PLAN_DESIGN)


def test_the_difference_of_one_entity_is_shown_alone(tmp_path: Path) -> None:
    state_dir = twice(
        tmp_path, lambda plan: evolve(renamed("Second")(plan), overview=evolve(plan.overview, problem="x" * 900))
    )
    shown = since_last_round(RunState(state_dir), PLAN_DESIGN, only="overview")
    assert ("Second" in shown, "x" * 900 in shown) == (False, True)
    ran = console.plan(state_dir, "difference", "plan-design", "--since", "1", "--only", "overview")
    (node,) = [each for each in ran.nodes if isinstance(each, Element)]
    assert "x" * 900 in "".join(each.value for each in walk(node) if isinstance(each, Text))


def test_a_wave_is_shown_as_files(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    (project(state_dir) / LIMIT).write_text("LIMIT = 10\n")
    (project(state_dir) / "gone.py").write_text("x = 1\n")
    submit(state_dir, IMPL_CODE)
    reviewed(state_dir, IMPL_CODE, FAILED)
    gate(state_dir, IMPL_CODE)
    (project(state_dir) / LIMIT).write_text("LIMIT = 11\n")
    (project(state_dir) / "gone.py").unlink()
    (project(state_dir) / "new.py").write_text("y = 1\n")
    as_it_is = since_last_round(RunState(state_dir), IMPL_CODE)
    submit(state_dir, IMPL_CODE)
    shown = since_last_round(RunState(state_dir), IMPL_CODE)
    assert shown == as_it_is
    assert [line for line in shown.splitlines() if line.startswith("###")] == [
        "### gone.py: removed",
        "### new.py: new",
        f"### {LIMIT}: changed",
    ]
    assert "-LIMIT = 10\n+LIMIT = 11" in shown


def test_the_page_of_a_further_round_names_a_file_with_its_difference(tmp_path: Path) -> None:
    state_dir = twice(tmp_path, renamed("Second"))
    words = ("--step", "1", "--state-dir", state_dir, "--qr-items", "change-2")
    file = Path(state_dir, "difference.md")
    assert str(file) in run_here(Command("skills.planner.quality_reviewer.plan_design_qr_verify", words)).out
    difference = file.read_text(encoding="utf-8")
    assert "-Limiter\n" in difference
    assert "+Second" in difference
    assert [line for line in difference.splitlines() if line.startswith("- ")] == [f"- qa-002: {FAILED['qa-002']}"]


def create(state_dir: str, name: str = "qa-001") -> int:
    given = f'[{{"id": "{name}", "scope": "*", "check": "c"}}]'
    return qr(state_dir, PLAN_CODE.phase, "create", "--items-file", "-", given=given).status


@pytest.mark.parametrize(
    ("by", "ids"),
    [
        (lambda plan: plan, ["qa-001"]),
        (lambda plan: written(plan, "+LIMIT = 11\n"), ["qa-001"]),
        (renamed("Another"), ["qa-001", "change-1"]),
        (lambda plan: evolve(plan, overview=evolve(plan.overview, problem="Other")), ["qa-001", "change-1"]),
    ],
    ids=["nothing", "a change of code", "a milestone", "the overview"],
)
def test_a_first_round_reviews_what_its_hand_in_changes_of_what_had_passed(
    tmp_path: Path, by: Callable[[Plan], Plan], ids: list[str]
) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    through(state_dir, PLAN_DESIGN)
    change_plan(state_dir, by)
    submit(state_dir, PLAN_CODE)
    assert [create(state_dir) for _ in "12"] == [0, 0]
    review = review_of(state_dir, PLAN_CODE)
    assert [each.id for each in review.items] == ids
    shown = since_round(RunState(state_dir), PLAN_CODE, 0)
    assert (shown == UNCHANGED) is (len(ids) == 1)


@pytest.mark.parametrize(
    ("values", "is_back"),
    [
        ({"ascii_render": "[Client] -> [API]"}, False),
        ({"title": "Another"}, True),
        ({"ascii_render": "[Client] -> [API]", "title": "Another"}, True),
    ],
    ids=["drawing", "title", "both"],
)
def test_drawing_of_a_diagram_is_own_work_of_the_phase_of_documents(
    tmp_path: Path, values: dict[str, str], is_back: bool
) -> None:
    diagram = evolve(DIAGRAM, ascii_render="")
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    change_plan(state_dir, lambda plan: evolve(plan, diagram_graphs=(diagram,)))
    for row in (PLAN_DESIGN, PLAN_CODE):
        through(state_dir, row)
    change_plan(state_dir, lambda plan: evolve(plan, diagram_graphs=(evolve(diagram, **values),)))  # type: ignore[arg-type]  # a row's values
    submit(state_dir, PLAN_DOCS)
    assert reaches_back(RunState(state_dir), PLAN_DOCS) is is_back


def written(plan: Plan, line: str) -> Plan:
    """Return the plan with another diff in its one change."""
    (first,) = plan.milestones
    change = evolve(first.code_changes[0], diff=first.code_changes[0].diff.replace("+LIMIT = 10\n", line))
    return evolve(plan, milestones=(evolve(first, code_changes=(change,)),))


def test_no_reviewer_takes_an_id_of_the_gate(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_CODE)
    submit(state_dir, PLAN_CODE)
    assert create(state_dir, "change-2") == 2
    assert create(state_dir, "change-of-name") == 0


@pytest.mark.parametrize("number", [1, 2, 12])
def test_an_item_of_the_gate_says_its_round(number: int) -> None:
    assert round_of_item(item(number).id) == number
    assert item(number).status is ItemStatus.TODO


def test_a_lap_reviews_what_its_fix_changes(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    (project(state_dir) / LIMIT).write_text("LIMIT = 10\n")
    through(state_dir, IMPL_CODE)
    building_ = RunState(state_dir).run.building
    assert building_ is not None
    again(RunState(state_dir), (Verdict(item="make test", status=ItemStatus.FAIL, finding="red"),), building_)
    assert [each.id for each in review_of(state_dir, IMPL_CODE).items] == ["check-001", "change-1"]
    refusal = submit(state_dir, IMPL_CODE).refusal
    assert (refusal.code, "check-001" in refusal.message) == ("nothing-changed", True)
    (project(state_dir) / LIMIT).write_text("LIMIT = 11\n")
    assert submit(state_dir, IMPL_CODE).status == 0
    assert "-LIMIT = 10\n+LIMIT = 11" in since_last_round(RunState(state_dir), IMPL_CODE)
    reviewed(state_dir, IMPL_CODE, PASSED)
    assert gate(state_dir, IMPL_CODE).status == 0
