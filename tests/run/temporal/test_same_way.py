"""A run on a Temporal server takes the same path as on one machine, and ends the same."""

import asyncio
from pathlib import Path

import pytest

from lib.workflow.run.engine import State
from lib.workflow.run.faults import Fault
from tests.run.engines import Locally, gone, outcome, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.stages import Remotely

PLANNER = KNOWN.workflows["skills.planner.orchestrator.planner"]
ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
SURVEY = KNOWN.workflows["tests.workflows.survey.run"]


@pytest.mark.parametrize(
    ("module", "seed", "faults"),
    [
        (PLANNER.module, 0, ()),
        (PLANNER.module, 5, tuple(Fault)),
        (SURVEY.module, 3, tuple(Fault)),
        *(
            pytest.param(module, seed, tuple(Fault), marks=pytest.mark.soak)
            for seed in range(6, 16)
            for module in (PLANNER.module, SURVEY.module, ANALYSIS.module)
        ),
    ],
)
def test_distributed_run_takes_the_same_steps_as_a_local_run(
    remote: Remotely, module: str, seed: int, faults: tuple[Fault, ...], tmp_path: Path
) -> None:
    workflow = KNOWN.workflows[module]
    here, there = (rehearsed(workflow, tmp_path / name, seed, faults) for name in ("here", "there"))

    async def act() -> None:
        async with remote.serving():
            ends = [await gone(Locally(), here), await gone(remote, there)]
        assert [end.state for end in ends] == [State.DONE] * 2
        assert ends[0].text == ends[1].text

    asyncio.run(act())
    assert there.trail == here.trail
    if workflow is PLANNER:
        assert outcome(there) == outcome(here)
