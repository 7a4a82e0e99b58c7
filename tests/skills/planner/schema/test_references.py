"""Invariants between the parts of a plan: every breach is found, with its place and its fix."""

import pytest
from attrs import evolve

from skills.planner.schema.plan.decisions import PlanningContext
from skills.planner.schema.plan.diagram import DiagramEdge
from skills.planner.schema.plan.document import Plan, Wave
from skills.planner.schema.plan.milestone import CodeChange
from tests.skills.planner.plans import CHANGE, CODE, DECISION, DIAGRAM, DOCS, INTENT, PLAN, milestone, with_milestones

CONTEXT = PLAN.planning_context


def context(plan: Plan, made: PlanningContext) -> Plan:
    return evolve(plan, planning_context=made)


def waves(*members: tuple[str, ...]) -> Plan:
    return evolve(PLAN, waves=tuple(Wave(id=f"W-{n:03d}", milestones=m) for n, m in enumerate(members, 1)))


README = CodeChange(id="CC-M-001-002", file="README.md", diff="x")

BROKEN: dict[str, tuple[Plan, str, str]] = {
    "a decision twice": (context(PLAN, evolve(CONTEXT, decisions=(DECISION, DECISION))), "DL-001", "id"),
    "a wave twice": (
        evolve(PLAN, waves=(*PLAN.waves, Wave(id="W-001", milestones=("M-001",)))),
        "W-001",
        "id",
    ),
    "an intent twice": (
        evolve(PLAN, milestones=(evolve(CODE, code_intents=(INTENT, INTENT)), DOCS)),
        "CI-M-001-001",
        "id",
    ),
    "a change twice": (
        evolve(PLAN, milestones=(evolve(CODE, code_changes=(CHANGE, CHANGE)), DOCS)),
        "CC-M-001-001",
        "id",
    ),
    "a rejected alternative's decision": (context(PLAN, evolve(CONTEXT, decisions=())), "RA-001", "decision_ref"),
    "a risk's decision": (context(PLAN, evolve(CONTEXT, decisions=())), "R-001", "decision_ref"),
    "an intent's decision": (context(PLAN, evolve(CONTEXT, decisions=())), "CI-M-001-001", "decision_refs"),
    "a change's intent": (evolve(PLAN, milestones=(evolve(CODE, code_intents=()), DOCS)), "CC-M-001-001", "intent_ref"),
    "an intent of another milestone": (
        evolve(
            PLAN,
            milestones=(CODE, evolve(milestone(2, "b.py"), code_changes=(evolve(CHANGE, id="CC-M-002-001"),))),
        ),
        "CC-M-002-001",
        "intent_ref",
    ),
    "a diagram of no milestone": (
        evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, scope="milestone:M-009"),)),
        "DIAG-001",
        "scope",
    ),
    "an edge from nowhere": (
        evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, edges=(DiagramEdge(source="x", target="api"),)),)),
        "DIAG-001",
        "edges",
    ),
    "a node twice": (evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, nodes=DIAGRAM.nodes * 2),)), "DIAG-001", "nodes"),
    "an edge to nowhere": (
        evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, edges=(DiagramEdge(source="api", target="x"),)),)),
        "DIAG-001",
        "edges",
    ),
    "a wave of no milestone": (waves(("M-001", "M-009")), "W-001", "milestones"),
    "a milestone in two waves": (waves(("M-001",), ("M-001",)), "W-002", "milestones"),
    "a milestone twice in a wave": (waves(("M-001", "M-001")), "W-001", "milestones"),
    "documentation in a wave": (waves(("M-001", "M-002")), "W-001", "milestones"),
    "one file, two milestones": (
        with_milestones(milestone(1, "a.py"), milestone(2, "a.py")),
        "W-001",
        "milestones",
    ),
    "in another case": (with_milestones(milestone(1, "App.py"), milestone(2, "app.py")), "W-001", "milestones"),
    "by an intent": (
        with_milestones(milestone(1, intents=("a.py",)), milestone(2, intents=("./a.py",))),
        "W-001",
        "milestones",
    ),
    "by a change": (
        with_milestones(evolve(CODE, code_changes=(README,)), milestone(2, "readme.md")),
        "W-001",
        "milestones",
    ),
}


def test_plan_with_valid_references_has_no_findings() -> None:
    assert PLAN.validate_refs() == Plan().validate_refs() == ()


@pytest.mark.parametrize("name", BROKEN)
def test_a_breach_is_found_where_it_is(name: str) -> None:
    plan, entity, field = BROKEN[name]
    findings = plan.validate_refs()
    assert (entity, field) in [(finding.id, finding.field) for finding in findings]
    assert all(finding.message and finding.fix for finding in findings)


def test_files_of_different_waves_may_be_the_same() -> None:
    plan = with_milestones(milestone(1, "a.py"), milestone(2, "a.py"))
    apart = evolve(plan, waves=(Wave(id="W-001", milestones=("M-001",)), Wave(id="W-002", milestones=("M-002",))))
    assert apart.validate_refs() == ()


def test_a_milestone_may_name_its_file_as_often_as_it_likes() -> None:
    assert with_milestones(milestone(1, "a.py", "A.py", intents=("a.py", "a.py"))).validate_refs() == ()


def test_duplicates_are_reported_before_broken_references() -> None:
    twice = evolve(CONTEXT, risks=CONTEXT.risks * 2, decisions=())
    assert context(PLAN, twice).validate_refs()[0].field == "id"


def test_all_breaches_are_reported_and_no_list_floods_the_reader() -> None:
    many = tuple(evolve(DECISION, id=f"DL-{n:03d}") for n in range(1, 200))
    refs = tuple(f"DL-{n}" for n in range(500, 510))
    plan = evolve(
        context(PLAN, evolve(CONTEXT, decisions=many)),
        milestones=(evolve(CODE, code_intents=(evolve(INTENT, decision_refs=refs),)), DOCS),
    )
    findings = plan.validate_refs()
    assert len(findings) == 10
    assert all(len(finding.fix) < 200 for finding in findings)
