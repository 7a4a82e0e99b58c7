"""One explorer: reads one part of a codebase for its questions. Four steps."""

from typing import Final

from lib.workflow.core import Outcome, StepDef, Workflow, with_prompts

MAX_OPENED: Final = 25
"""Most files that are read, whole or within their part."""
MAX_UNITS: Final = 12
MAX_FACTS: Final = 15


WORKFLOW = Workflow(
    "explore-part",
    *with_prompts(
        __file__,
        "subagent.md",
        StepDef(
            id="orient",
            next={Outcome.OK: "map", Outcome.SKIP: "extract", Outcome.FAIL: "report"},
            when={
                Outcome.OK: "a question asks for calls, state or an input's path",
                Outcome.SKIP: "no question asks for these",
                Outcome.FAIL: "GROUND is none",
            },
            slots={"max_opened": MAX_OPENED},
        ),
        StepDef(id="map", next={Outcome.OK: "extract"}, slots={"max_units": MAX_UNITS}),
        StepDef(id="extract", next={Outcome.OK: "report"}),
        StepDef(id="report", next={Outcome.OK: None}, slots={"max_facts": MAX_FACTS}),
    ),
    module="skills.codebase_analysis.subagent",
    description="Read one part of a codebase for stated questions, for an agent that was launched with them.",
)
