"""Unfinished work of a phase is found before the next phase needs it."""

import pytest
from attrs import evolve

from skills.planner.commands.plan.completeness import missing
from skills.planner.schema.phase import PLANNING, Phase
from skills.planner.schema.plan.document import Overview, Plan
from tests.skills.planner.plans import CODE, DIAGRAM, DOCS, PLAN

DESIGN, CODING, DOCUMENTING = PLANNING

LACKING: dict[str, tuple[Plan, Phase, str, str]] = {
    "no problem": (evolve(PLAN, overview=Overview(approach="x")), DESIGN, "plan", "overview.problem"),
    "no approach": (evolve(PLAN, overview=Overview(problem="x")), DESIGN, "plan", "overview.approach"),
    "no milestone": (evolve(PLAN, milestones=(), waves=(), diagram_graphs=()), DESIGN, "plan", "milestones"),
    "no wave": (evolve(PLAN, waves=()), DESIGN, "M-001", "waves"),
    "no intent": (
        evolve(PLAN, milestones=(evolve(CODE, code_intents=(), code_changes=()), DOCS)),
        DESIGN,
        "M-001",
        "code_intents",
    ),
    "no criterion": (
        evolve(PLAN, milestones=(CODE, evolve(DOCS, acceptance_criteria=()))),
        DESIGN,
        "M-002",
        "acceptance_criteria",
    ),
    "no change": (
        evolve(PLAN, milestones=(evolve(CODE, code_changes=()), DOCS)),
        CODING,
        "CI-M-001-001",
        "code_changes",
    ),
    "no drawing": (
        evolve(PLAN, diagram_graphs=(evolve(DIAGRAM, ascii_render=None),)),
        DOCUMENTING,
        "DIAG-001",
        "ascii_render",
    ),
}


@pytest.mark.parametrize("phase", PLANNING)
def test_complete_plan_has_nothing_missing(phase: Phase) -> None:
    assert missing(PLAN, phase) == ()


@pytest.mark.parametrize("name", LACKING)
def test_missing_part_is_reported_from_its_phase_on(name: str) -> None:
    plan, phase, entity, field = LACKING[name]
    for each in PLANNING:
        found = (entity, field) in [(finding.id, finding.field) for finding in missing(plan, each)]
        assert found == (PLANNING.index(each) >= PLANNING.index(phase))


@pytest.mark.parametrize("phase", sorted(set(Phase) - set(PLANNING)))
def test_phase_that_plans_nothing_is_refused(phase: Phase) -> None:
    with pytest.raises(ValueError, match="plan-design, plan-code, plan-docs"):
        missing(PLAN, phase)
