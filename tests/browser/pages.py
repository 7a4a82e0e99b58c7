"""`python3 -m tests.browser.pages FOLDER`: runs of the planner, each with its report, for a browser to open."""

import os
import sys

from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.discovery import discover_workflows
from skills.planner.due import Block, step_id
from skills.planner.phases import PLANNING
from skills.planner.schema.milestone import Milestone
from skills.planner.schema.plan import Overview, Plan, Wave
from skills.planner.schema.review import ItemStatus
from skills.planner.schema.run import Round, Verdict
from skills.planner.staging import stage
from skills.planner.state.files import plan_store, run_store
from tests.skills.planner.plans import CHANGE, CODE, DECISION, DIAGRAM, DIFF, DOCS, INTENT, PLAN

HOSTILE = (
    "</p></style></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1> \"'"
    " javascript:window.hacked=1 [a](javascript:alert(1)) DL-001 &lt;b&gt;"
)
MILESTONES = 300
WAVE = 10
"""Milestones in each wave of the large plan."""


def large() -> Plan:
    """A plan of MILESTONES milestones."""
    milestones = tuple(map(_milestone, range(1, MILESTONES + 1)))
    waves = (
        Wave(id=f"W-{first // WAVE + 1:03d}", milestones=tuple(each.id for each in milestones[first : first + WAVE]))
        for first in range(0, MILESTONES, WAVE)
    )
    return evolve(PLAN, milestones=milestones, waves=tuple(waves))


def _milestone(number: int) -> Milestone:
    name = f"M-{number:03d}"
    intent = evolve(INTENT, id=f"CI-{name}-001")
    change = evolve(CHANGE, id=f"CC-{name}-001", intent_ref=intent.id)
    return evolve(CODE, id=name, code_intents=(intent,), code_changes=(change,))


def hostile() -> Plan:
    """A plan that says HOSTILE wherever it may say anything."""
    context, text = PLAN.planning_context, (HOSTILE,)
    return evolve(
        PLAN,
        overview=Overview(problem=HOSTILE, approach=HOSTILE),
        diagram_graphs=(evolve(DIAGRAM, title=HOSTILE, ascii_render=HOSTILE),),
        planning_context=evolve(
            context,
            decisions=(evolve(DECISION, decision=HOSTILE, reasoning=HOSTILE),),
            rejected_alternatives=tuple(
                evolve(each, alternative=HOSTILE, reason=HOSTILE) for each in context.rejected_alternatives
            ),
            risks=tuple(evolve(each, risk=HOSTILE, mitigation=HOSTILE) for each in context.risks),
            constraints=text,
        ),
        invisible_knowledge=evolve(PLAN.invisible_knowledge, system=HOSTILE, invariants=text, tradeoffs=text),
        milestones=(
            evolve(
                CODE,
                name=HOSTILE,
                delegated_to=HOSTILE,
                requirements=text,
                acceptance_criteria=text,
                tests=text,
                code_intents=(evolve(INTENT, behavior=HOSTILE),),
                code_changes=(evolve(CHANGE, diff=DIFF + HOSTILE, comments=HOSTILE),),
            ),
            DOCS,
        ),
    )


def make(folder: str, plan: Plan, said: str) -> None:
    """A run at a gate of its last round, and its report."""
    os.makedirs(folder)
    row = PLANNING[0]
    stage(discover_workflows()["planner"], step_id(row, Block.ROUTE), folder)
    verdicts = (
        Verdict(item="qa-001", status=ItemStatus.FAIL, finding=said),
        Verdict(item="qa-002", status=ItemStatus.PASS),
    )
    first = Round(phase=row.phase, iteration=1, verdicts=verdicts)
    plan_store(folder).change(lambda _: (plan, None))
    run_store(folder).change(lambda run: (evolve(run, task=said, rounds=(first,)), None))
    assert main(["report", "--state-dir", folder]) == 0


if __name__ == "__main__":
    for name, plan, said in (("plain", PLAN, "as asked"), ("hostile", hostile(), HOSTILE), ("large", large(), "all")):
        make(os.path.join(os.path.abspath(sys.argv[1]), name), plan, said)
