"""A host whose worker hangs or dies: the work of the next one, and the rights of the first."""

import asyncio
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from lib.workflow.command import Command
from lib.workflow.run.clients.agents import Agent, Attempt, CommandAgent, fenced
from lib.workflow.run.clients.job import Job
from lib.workflow.run.driver.activities import Printed, RunStep
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.pool import Cast
from lib.workflow.run.steps import in_this_process
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.host.memory import Memory
from lib.workflow.run.temporal.host_record import Record, write_record
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import AttemptCall, StepCall, StepSaid
from lib.workflow.types import AgentRole
from skills.planner.modules import PLANNER
from tests.run.runs import KNOWN
from tests.run.temporal.stages import DIGESTS, PATIENCE

START = Command(PLANNER, ("--step", "1", "--task", "Limit each caller's requests", "--state-dir"))
JOB = Job(key="1.1", role=AgentRole.DEVELOPER, prompt="Build it", command=str(START), page="a page")


def hosted(folder: Path, agent: Agent, run_step: RunStep = in_this_process) -> tuple[Host, str]:
    """Return a host, and a run that its disk knows."""
    run = folder / "driver"
    spec = Spec(workflow="planner", start=str(START), agent="x")
    record = Record(id=id_of("q", str(run)), queue="q", root=str(folder), spec=spec, address="", namespace="")
    write_record(str(run), record)
    return Host(lambda spec, root: Cast(agent=agent, run_step=run_step), KNOWN, lambda: DIGESTS), record.id


def given_out(run: str, second: int) -> ActivityEnvironment:
    """Return an activity of a run that the server issued at a time."""
    environment = ActivityEnvironment()
    scheduled = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=second)
    environment.info = replace(environment.info, workflow_id=run, current_attempt_scheduled_time=scheduled)
    return environment


class Nobody:
    async def work(self, attempt: Attempt) -> str:
        raise AssertionError("an agent was launched")


def test_a_step_whose_worker_hung_writes_nothing_once_another_has_been_given_it(tmp_path: Path) -> None:
    hangs, goes_on = asyncio.Event(), asyncio.Event()
    printed: list[Printed] = []

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        if not hangs.is_set():
            hangs.set()
            await goes_on.wait()
        printed.append(await in_this_process(command, given, environment))
        return printed[-1]

    def call(name: str) -> StepCall:
        command = Command(START.module, (*START.words, str(tmp_path / name)))
        return StepCall(key="1", command=command, given="", digest=DIGESTS[PLANNER])

    async def act() -> tuple[StepSaid, StepSaid]:
        host, run = hosted(tmp_path, Nobody(), run_step)
        first = asyncio.ensure_future(given_out(run, 1).run(host.step, call("first")))
        await hangs.wait()
        second = await given_out(run, 2).run(host.step, call("second"))
        goes_on.set()
        said = await first, second
        with pytest.raises(ApplicationError, match=r"^Stale"):
            await given_out(run, 1).run(host.step, call("third"))
        return said

    first, second = asyncio.run(act())
    assert (second.status, "stale-attempt" in second.out) == (0, False)
    assert (first.status, "stale-attempt" in first.out) == (1, True)
    assert [name for name in ("first", "second") if (tmp_path / name / "run.json").exists()] == ["second"]


def call(number: int = 1, reason: str = "") -> AttemptCall:
    return AttemptCall(job=JOB, number=number, reason=reason, patience=PATIENCE, digest="")


def cut_off(folder: Path, script: str) -> None:
    """Make an attempt by a worker that was killed before its agent ended."""
    memory = Memory(str(folder / "driver"), JOB)
    token = memory.turns.token(datetime(2026, 1, 1, tzinfo=UTC))
    memory.turns.admit(token)
    environment = fenced(memory.turns.fence, token)
    attempt = Attempt(job=JOB, number=1, folder=memory.folder, environment=environment)
    agent = CommandAgent((sys.executable, "-c", textwrap.dedent(script)))
    asyncio.run(agent.work(attempt))


def test_a_reply_that_was_finished_after_its_worker_was_killed_is_used(tmp_path: Path) -> None:
    host, run = hosted(tmp_path, Nobody())
    cut_off(tmp_path, "print('done it')")
    assert asyncio.run(given_out(run, 2).run(host.attempt, call())).text == "done it\n"


@pytest.mark.parametrize("begun", [True, False])
def test_prompt_warns_of_a_previous_attempt_whose_worker_was_killed(begun: bool, tmp_path: Path) -> None:
    prompts: list[str] = []

    class Listening:
        async def work(self, attempt: Attempt) -> str:
            prompts.append(attempt.job.prompt)
            return "done"

    host, run = hosted(tmp_path, Listening())
    if begun:
        memory = Memory(str(tmp_path / "driver"), JOB)
        memory.turns.admit(memory.turns.token(datetime(2026, 1, 1, tzinfo=UTC)))
    assert asyncio.run(given_out(run, 2).run(host.attempt, call())).text == "done"
    assert ["half done" in prompt for prompt in prompts] == [begun]


def test_an_agent_is_ended_once_a_newer_attempt_has_started_on_another_host(tmp_path: Path) -> None:
    at_work, ended = asyncio.Event(), asyncio.Event()

    class Hanging:
        async def work(self, attempt: Attempt) -> str:
            at_work.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return ""

    async def act() -> None:
        host, run = hosted(tmp_path, Hanging())
        first = given_out(run, 1)
        first.info = replace(first.info, heartbeat_timeout=timedelta(seconds=0.1))
        working = asyncio.ensure_future(first.run(host.attempt, call()))
        await at_work.wait()
        turns = Memory(str(tmp_path / "driver"), JOB).turns
        turns.admit(turns.token(datetime(2026, 1, 1, 0, 0, 2, tzinfo=UTC)))
        with pytest.raises(ApplicationError, match=r"^Stale"):
            await working
        assert ended.is_set()

    asyncio.run(act())
