"""Runs of workflows by the driver, in this process, with simulated agents."""

import asyncio
import os
from collections.abc import Collection
from pathlib import Path

from lib.workflow.app.runs.driving import sample_command
from lib.workflow.app.runs.rehearsing import Rehearsal, played, prepare
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.run.allowed_commands import Known
from lib.workflow.run.clients.agents import Agent
from lib.workflow.run.engine import Ended, LocalEngine, Spec
from lib.workflow.run.faults import Fault
from lib.workflow.run.journal.journal import AGENTS
from lib.workflow.run.local import User
from lib.workflow.run.pool import Cast
from lib.workflow.run.processes import kept
from lib.workflow.run.rehearsal import RehearsalAgent, RehearsedUser
from lib.workflow.run.steps import in_this_process
from tests.subjects import PROOF

LATE = 0.01
"""Seconds to wait for an agent that hangs; one that does not is never late."""
KNOWN = Known(PROOF.targets.workflows.values())


def cast(
    workflow: Workflow, seed: int = 0, faults: Collection[Fault] = (), pace: float = 0
) -> tuple[RehearsalAgent, RehearsedUser]:
    """Return the simulated agents of a workflow."""
    return played(workflow, Rehearsal(seed=seed, faults=tuple(faults), pace=pace))


def rehearse(workflow: Workflow, folder: Path, agent: Agent, user: User | None = None) -> Ended:
    """Start one run, or resume it."""
    return asyncio.run(rehearsed(workflow, folder, agent, user))


async def rehearsed(
    workflow: Workflow,
    folder: Path,
    agent: Agent,
    user: User | None = None,
    seconds: float | None = LATE,
    words: tuple[str, ...] = (),
) -> Ended:
    """Run the same beside others; if agents take time, no limit is short enough for a test. `words`: of the start."""
    sample = sample_command(workflow, "Limit each caller's requests", str(folder))
    start = Command(sample.module, (*sample.words, *words))
    prepare(start)
    spec = Spec(workflow=workflow.name, start=str(start), agent="rehearsal")
    played_by = Cast(agent=agent, run_step=in_this_process, user=user, backoff=0, seconds=seconds)
    return await LocalEngine(KNOWN, played_by).go(os.path.join(folder, "driver"), spec)


def has_ended(run: str, attempt: str) -> bool:
    """Return True if the result of an agent's program is recorded, which it may be without a driver."""
    return kept.left(os.path.join(run, AGENTS, f"{attempt}.prompt")) is not None
