"""One perspective: an agent looks for solutions of one kind, for its frame. Four steps."""

from typing import Final

from lib.workflow.core import Outcome, StepDef, Workflow, with_prompts

MAX_FILES: Final = 12
MIN_DRAFTS: Final = 2
MAX_DRAFTS: Final = 4
MAX_LOOKS: Final = 5
"""Most checks to decide between drafts."""
MAX_PROPOSED: Final = 2


WORKFLOW = Workflow(
    "design-perspective",
    *with_prompts(
        __file__,
        "perspective.md",
        StepDef(
            id="ground",
            next={Outcome.OK: "draft"},
            slots={"max_files": MAX_FILES},
        ),
        StepDef(
            id="draft",
            next={Outcome.OK: "trial"},
            slots={"min_drafts": MIN_DRAFTS, "max_drafts": MAX_DRAFTS},
        ),
        StepDef(id="trial", next={Outcome.OK: "propose"}, slots={"max_looks": MAX_LOOKS}),
        StepDef(id="propose", next={Outcome.OK: None}, slots={"max_proposed": MAX_PROPOSED}),
    ),
    module="skills.solution_design.perspective",
    description="Look for solutions from one perspective, for an agent that was launched with it.",
)
