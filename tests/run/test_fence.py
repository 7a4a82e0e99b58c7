"""Fences: an abandoned attempt cannot change anything."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.engine import State
from lib.workflow.run.fences import Fences
from lib.workflow.run.processes import orphans as leftovers
from lib.workflow.run.steps import in_this_process
from lib.workflow.state import attempts as fence
from lib.workflow.testing.inprocess import run_here
from skills.planner.state.run_state import RunState
from tests.run.engines import Locally, gone, rehearsed
from tests.run.runs import KNOWN
from tests.skills.planner.runs import staged
from tests.tally import Tally, store_at
from tests.wording import coded

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]


@pytest.fixture
def plan(tmp_path: Path) -> Command:
    """Return a command that changes the plan of a run."""
    state_dir = staged(tmp_path, "plan-design-work")
    words = ("--role", "architect", "set-overview", "--version", "1", "--problem", "P", "--approach", "A")
    return Command("skills.planner.cli.plan", ("--state-dir", state_dir, *words))


@pytest.mark.parametrize(
    ("valid", "status"),
    [("1.1/2.1", 0), ("1.1/2.2", 1), ("1.1/2.10", 1), ("1.1/2", 1), ("1.1/2.1" + "0" * fence.SIZE, 1), (None, 1)],
    ids=[
        "its own",
        "a later one's",
        "one's that begins alike",
        "one's that is shorter",
        "a long one's",
        "without a token",
    ],
)
def test_a_command_writes_only_for_the_attempt_that_is_waited_for(
    plan: Command, valid: str | None, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "a fence=1")
    if valid is not None:
        fence.admit(file, valid)
    monkeypatch.setenv(fence.VARIABLE, fence.variable(file, "1.1/2.1"))
    ran = run_here(plan)
    assert ran.status == status
    assert ("stale-attempt" in ran.out) is (status == 1)
    assert RunState(plan.words[1]).plan.overview.problem == ("" if status else "P")


@pytest.mark.parametrize("token", ["1.1/1.1", ""])
def test_the_end_of_the_work_makes_every_attempt_stale(
    token: str, plan: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "fence")
    fence.admit(file, "1.1/1.1")
    monkeypatch.setenv(fence.VARIABLE, fence.variable(file, token))
    fence.close(file)
    assert run_here(plan).status == 1


def test_a_file_serves_one_agent_after_the_other_and_each_only_in_its_time(tmp_path: Path) -> None:
    fences = Fences(str(tmp_path))
    with fences.fence() as first, fences.fence() as second:
        fence.admit(first, "1.1/1.1")
        fence.admit(second, "1.2/1.10")
        assert [fence.current(first), fence.current(second)] == ["1.1/1.1", "1.2/1.10"]
    assert [fence.current(first), fence.current(second)] == ["", ""]
    with fences.fence() as third:
        fence.admit(third, "1.3/1.1")
        assert third in (first, second)
        assert fence.current(third) == "1.3/1.1"
        with Fences(str(tmp_path)).fence():  # of a driver after this one was killed
            assert fence.current(third) == ""


def test_a_stale_attempt_takes_no_file_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_at(tmp_path / "tally.json")
    store.create(Tally())
    monkeypatch.setenv(fence.VARIABLE, fence.variable(str(tmp_path / "fence"), "1.1/1.1"))
    with pytest.raises(RefusedError, check=coded("stale-attempt")):
        store.remove()
    assert store.load() == Tally()


def test_step_that_outlives_its_driver_cannot_write_after_resume(
    plan: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, outlives = rehearsed(ANALYSIS, tmp_path / "driven"), []

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        outlives.append(environment)
        if len(outlives) == 1:
            raise asyncio.CancelledError  # the driver is interrupted
        return await in_this_process(command, given, environment)

    play = evolve(play, cast=play.cast._replace(run_step=run_step))
    assert asyncio.run(gone(Locally(), play)).state is State.INTERRUPTED
    assert asyncio.run(gone(Locally(), play)).state is State.DONE
    first, second, *_ = outlives
    assert first[fence.VARIABLE] != second[fence.VARIABLE]
    assert first[leftovers.VARIABLE] == second[leftovers.VARIABLE]
    monkeypatch.setenv(fence.VARIABLE, first[fence.VARIABLE])
    ran = run_here(plan)
    assert (ran.status, "stale-attempt" in ran.out) == (1, True)
