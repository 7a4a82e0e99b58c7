"""Workflow that shows a path relative to the working directory, which differs for every reader."""

import os
from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

Place = Annotated[str, Arg(description="what is looked at", path=True)]


def look(context: StepContext, place: Place) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    return Outcome.OK, {}


def seen(context: StepContext) -> str:
    return os.path.relpath(str(context.step_state["place"]))


WORKFLOW = Workflow(
    "homing",
    StepDef(
        id="look",
        title="Look",
        actions="Look at {{seen}}.",
        handler=look,
        next={Outcome.OK: None},
        slots={"seen": seen},
    ),
    module="faulty.homing_run",
)
