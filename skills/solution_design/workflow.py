"""Solution design: from a known cause to a chosen solution with its way back. Nine steps; the third dispatches."""

from typing import Final

from lib.workflow.core import Outcome, Roster, Script, StepContext, StepDef, Task, Workflow, with_prompts
from lib.workflow.types import AgentRole, Tier

from . import limits

FRAME: Final = """\
PROBLEM: an order is charged twice when its page is sent twice (3 of 12,000 in May, /srv/shop/charges.csv:40).
CAUSE: pay() looks for a charge and then makes one, with nothing that keeps two requests apart, /srv/shop/pay.py:31-44.
END: one charge an order, whatever the browser sends.
K1: no new service (the operator, /srv/shop/README.md:12). K2: the page answers within 2 s (/srv/shop/contract.md:7).
FIXED: the provider's API. CASES: X1 two requests at once; X2 the provider's answer is lost; X3 two orders at once."""
MINIMAL: Final = """\
Look for: the change of the fewest places, without a new name, that makes a second charge impossible or harmless.
Mind that it does not only mend the place where the fault showed."""
REMOVAL: Final = """\
Look for: what can be deleted so that nobody is charged twice. Mind that somebody may use it: search for them."""
DATA: Final = """\
Look for: a form of the stored data in which a second charge cannot be written. Mind the rows that are there."""
PERSPECTIVES: Final = Roster(
    agent=AgentRole.ARCHITECT,
    tier=Tier.STRONG,
    script=Script(module="skills.solution_design.perspective"),
    least=limits.MIN_PERSPECTIVES,
    most=limits.MAX_PERSPECTIVES,
    at_most=limits.MAX_AT_A_TIME,
    characters=limits.MAX_TASK,
    returns="a PROPOSAL block in the form of the last step, and nothing around it",
    sample=(
        Task("minimal", f"{FRAME}\n{MINIMAL}"),
        Task("removal", f"{FRAME}\n{REMOVAL}"),
        Task("data", f"{FRAME}\n{DATA}"),
    ),
)


def perspectives(context: StepContext) -> str:
    """The perspectives to choose from."""
    from .perspectives import table  # only the step that shows them pays for it

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
            slots={"max_looks": limits.MAX_LOOKS},
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
