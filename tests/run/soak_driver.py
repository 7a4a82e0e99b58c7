"""`python -m tests.run.soak_driver FOLDER SEED`: a driver that can be killed, of a run with agents that misbehave.

Its pages are made here: each launches several agents, and one asks the user. Its clock jumps over waits. It prints the
state at the halt.
"""

import asyncio
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.relay import NeedsUserInput, Option, Question
from lib.workflow.ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.run.clients.agents import CommandAgent
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.engine import BusyRunError, LocalEngine, Spec
from lib.workflow.run.pool import Cast
from lib.workflow.types import AgentRole, Outcome
from tests.run.runs import KNOWN

CLIENT = Path(__file__).parent / "soak_client.py"
AGENTS = 4
"""Agents of each page."""
STEPS = 4
ASKING = 3
"""Step that asks the user."""
PARALLEL = 3
CENTS = 45
"""First ceiling of the price."""
BUSY = 75
"""Exit status if another process drives the run."""
WAYS = ("left", "right")


def command(step: int) -> Command:
    """Return the command of a step."""
    return Command("skills.problem_analysis.analyze", ("--step", str(step)))


def page(step: int) -> Document:
    """Return the page of a step."""
    if step > STEPS:
        return Document([Complete()])
    if step == ASKING:
        options = tuple(Option(label=way) for way in WAYS)
        ways = tuple(
            Branch(outcome=outcome, when=way, invoke=Invoke(command(step + 1)))
            for outcome, way in zip((Outcome.OK, Outcome.FAIL), WAYS, strict=True)
        )
        asked = NeedsUserInput((Question(header="Way", text="Which way?", options=options),))
        return Document([asked, InvokeAfter(branches=ways)])
    agents = tuple(Agent(invoke=Invoke(command(step))) for _ in range(AGENTS))
    launched = RosterDispatchNode(agent=AgentRole.EXPLORE, agents=agents)
    return Document([CurrentAction([launched]), InvokeAfter(invoke=Invoke(command(step + 1)))])


async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
    """Return the page of a step."""
    return Printed(0, render(page(int(command.words[-1]))), "")


class Jumping:
    """A clock that jumps to the end of a wait after a moment."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        return time.time() + self._ahead

    async def until(self, moment: float) -> None:
        await asyncio.sleep(0.01)
        self._ahead = max(self._ahead, moment - time.time())

    def random(self) -> float:
        return 0.5


def main() -> int:
    """Drive the run until it halts."""
    folder, seed = sys.argv[1:]
    spec = Spec(
        workflow="problem-analysis",
        start=str(command(1)),
        agent="claude",
        max_parallel=PARALLEL,
        attempts=9,
        max_cents=CENTS,
    )
    agent = CommandAgent((sys.executable, "-IS", str(CLIENT), seed))
    engine = LocalEngine(KNOWN, Cast(agent=agent, run_step=run_step, backoff=0.01, pace=Jumping()))
    try:
        print(asyncio.run(engine.go(os.path.join(folder, "driver"), spec)).state)
    except BusyRunError:
        return BUSY
    return 0


if __name__ == "__main__":
    sys.exit(main())
