"""One line of inquiry into a question, followed by an agent that knows neither the other lines nor a leaning."""

from typing import Final

from lib.workflow.core import Outcome, StepDef, Workflow, with_prompts

MAX_GROUNDS: Final = 10
MAX_LOOKS: Final = 12
"""Most checks to gather the grounds."""
MAX_CASES: Final = 2
MAX_PARTS: Final = 5
MAX_TESTED: Final = 4
"""Most findings that are tested again."""
MAX_FINDINGS: Final = 7
MAX_FAILURES: Final = 4


WORKFLOW = Workflow(
    "follow-line",
    *with_prompts(
        __file__,
        "subagent.md",
        StepDef(
            id="ground",
            next={Outcome.OK: "plan", Outcome.FAIL: "output"},
            when={Outcome.OK: "GROUNDS has a fact", Outcome.FAIL: "GROUNDS is none"},
            slots={"max_grounds": MAX_GROUNDS, "max_looks": MAX_LOOKS, "max_cases": MAX_CASES},
        ),
        StepDef(id="plan", next={Outcome.OK: "analyse"}, slots={"max_parts": MAX_PARTS}),
        StepDef(id="analyse", next={Outcome.OK: "verify"}, slots={"max_findings": MAX_FINDINGS}),
        StepDef(
            id="verify",
            next={Outcome.OK: "output"},
            slots={"max_tested": MAX_TESTED, "max_failures": MAX_FAILURES},
        ),
        StepDef(id="output", next={Outcome.OK: None}),
    ),
    module="skills.deepthink.subagent",
    description="Follow one line of inquiry into a question, for an agent that was launched with it.",
)
