"""Workflow whose output depends on the working directory."""

import os

from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "elsewhere",
    StepDef(
        id="look",
        title="Look",
        actions="You are in {{here}}.",
        slots={"here": lambda context: os.getcwd()},
        next={Outcome.OK: None},
    ),
    module="faulty.elsewhere_run",
)
