"""Workflow that leaves a file in the user's home folder."""

import os
from typing import Literal

from lib.workflow.core import Outcome, StepContext, StepDef, Workflow


def look(context: StepContext) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    with open(os.path.join(os.environ["HOME"], "seen"), "w", encoding="utf-8") as file:
        file.write("look")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "littering",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}),
    module="faulty.littering_run",
)
