"""Solution design: from a known cause to a chosen solution with a way back. It has nine steps; the third dispatches."""

from typing import Final

from lib.workflow.core import Outcome, Roster, Script, StepContext, StepDef, Task, Workflow, with_prompts
from lib.workflow.types import AgentRole, Tier

from . import limits
from .perspectives import table

FRAME: Final = "Frame: /tmp/frame-7c1.md. Read it first."
"""The start of each entry: the file holds the frame, so no entry repeats it."""
PERSPECTIVES: Final = Roster(
    agent=AgentRole.ARCHITECT,
    tier=Tier.STRONG,
    script=Script(module="skills.solution_design.perspective"),
    least=limits.MIN_PERSPECTIVES,
    most=limits.MAX_PERSPECTIVES,
    at_most=limits.MAX_AT_A_TIME,
    characters=limits.MAX_TASK,
    returns="a PROPOSAL block alone",
    sample=(
        Task(
            "minimal",
            f"{FRAME} Look for the change, in the fewest places and without new names, that makes a second charge\n"
            "impossible or harmless. Trap: similar places keep the fault.",
        ),
        Task(
            "removal",
            f"{FRAME} Look for what can be deleted so that nobody is charged twice. Trap: somebody may use it.",
        ),
        Task(
            "data",
            f"{FRAME} Look for a form of the stored data in which a second charge cannot be written. Trap: old rows.",
        ),
    ),
)


def perspectives(context: StepContext) -> str:
    """Return the perspectives to choose from."""
    return table()


WORKFLOW = Workflow(
    "solution-design",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="frame",
            next={Outcome.OK: "dispatch", Outcome.FAIL: "output"},
            when={Outcome.OK: "CAUSE names a mechanism, seen or assumed", Outcome.FAIL: "CAUSE is none"},
            slots={"max_constraints": limits.MAX_CONSTRAINTS, "max_cases": limits.MAX_CASES},
        ),
        StepDef(
            id="dispatch",
            next={Outcome.OK: "collect"},
            slots={
                "perspectives": perspectives,
                "min_perspectives": limits.MIN_PERSPECTIVES,
                "max_perspectives": limits.MAX_PERSPECTIVES,
            },
        ),
        StepDef(id="collect", handler=PERSPECTIVES, next={Outcome.OK: "challenge"}),
        StepDef(
            id="challenge",
            next={Outcome.OK: "combine", Outcome.FAIL: "output"},
            when={Outcome.OK: "LEFT is 1 or more", Outcome.FAIL: "LEFT is 0"},
            slots={"max_looks": limits.MAX_LOOKS, "max_cases": limits.MAX_CASES},
        ),
        StepDef(
            id="combine",
            next={Outcome.OK: "compare"},
            slots={"min_field": limits.MIN_FIELD, "max_field": limits.MAX_FIELD},
        ),
        StepDef(
            id="compare",
            next={Outcome.OK: "choose"},
            slots={"min_criteria": limits.MIN_CRITERIA, "max_criteria": limits.MAX_CRITERIA},
        ),
        StepDef(id="choose", next={Outcome.OK: "risk"}, slots={"max_looks": limits.MAX_LOOKS}),
        StepDef(
            id="risk",
            next={Outcome.OK: "output"},
            slots={"max_risks": limits.MAX_RISKS, "max_stages": limits.MAX_STAGES, "max_looks": limits.MAX_LOOKS},
        ),
        StepDef(id="output", next={Outcome.OK: None}, slots={"max_words": limits.MAX_WORDS}),
    ),
    module="skills.solution_design.design",
    description="Design the solution of a problem whose cause is known: a choice, its risks, a way back.",
)
