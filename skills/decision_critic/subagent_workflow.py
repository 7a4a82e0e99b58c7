"""Questions, answered by an agent that knows neither the claims that they test nor the decision."""

from typing import Final

from lib.workflow.core import Outcome, StepDef, Workflow, with_prompts

MAX_LOOKS: Final = 6

WORKFLOW = Workflow(
    "answer-question",
    *with_prompts(
        __file__,
        "subagent.md",
        StepDef(id="answer", next={Outcome.OK: None}, slots={"max_looks": MAX_LOOKS}),
    ),
    module="skills.decision_critic.subagent",
    description="Answer questions by evidence, for an agent that was launched with them.",
)
