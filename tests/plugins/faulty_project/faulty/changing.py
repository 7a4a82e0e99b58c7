"""Workflow that prints something else every time."""

import time

from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "changing",
    StepDef(
        id="look",
        title="Look",
        actions="It is {{now}}.",
        slots={"now": lambda context: time.perf_counter_ns()},
        next={Outcome.OK: None},
    ),
    module="faulty.changing_run",
)
