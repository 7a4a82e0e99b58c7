"""Workflow that declares a change of its state directory, and repeats it on every print."""

import os
from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

StateDir = Annotated[str, Arg(description="where the run keeps its files", path=True)]


def look(context: StepContext, state_dir: StateDir) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    os.makedirs(state_dir, exist_ok=True)
    with open(os.path.join(state_dir, "log"), "a", encoding="utf-8") as file:
        file.write("looked\n")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "doodling",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}, changes_state=True),
    module="faulty.doodling_run",
    params=("state_dir",),
)
