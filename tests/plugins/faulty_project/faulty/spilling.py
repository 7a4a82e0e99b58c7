"""Workflow that leaves a file in the user's home folder for one value only, which is not the first."""

import os
from typing import Literal

from lib.workflow.core import Outcome, StepContext, StepDef, Workflow


def look(context: StepContext, deep: bool = False) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    if deep:
        with open(os.path.join(os.environ["HOME"], "deep"), "w", encoding="utf-8") as file:
            file.write("look")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "spilling",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}),
    module="faulty.spilling_run",
)
