"""Workflow that writes to its state directory on its first print, without declaring it."""

import os
from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

StateDir = Annotated[str, Arg(description="where the run keeps its files", path=True)]


def look(context: StepContext, state_dir: StateDir) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    os.makedirs(state_dir, exist_ok=True)
    with open(os.path.join(state_dir, "log"), "w", encoding="utf-8") as file:
        file.write("looked\n")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "scribbling",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}),
    module="faulty.scribbling_run",
    params=("state_dir",),
)
