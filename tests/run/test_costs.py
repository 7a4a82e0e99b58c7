"""Costs of a real run are counted from its events and from its agents' transcripts."""

import asyncio
import os
from pathlib import Path

import pytest

from lib.workflow.command import Command
from lib.workflow.run.clients.agents import CommandAgent
from lib.workflow.run.engine import State, entries
from lib.workflow.run.rehearsal import RehearsalAgent, RehearsedUser
from lib.workflow.run.spending.costs import Spent, spent
from lib.workflow.testing.costs import TextKind, by_kind, by_role, cost_of
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from skills.incoherence.rehearsal import Finder
from tests.run.runs import rehearse, rehearsed
from tests.subjects import PROOF

INCOHERENCE = PROOF.targets.workflows["skills.incoherence.incoherence"]
WRITING = PROOF.targets.workflows["skills.leon_writing_style.write"]


class Counting:
    """A runner of agents' commands that counts their output."""

    def __init__(self) -> None:
        self.commands = self.characters = 0

    def __call__(self, command: Command, given: str = "") -> Ran:
        ran = run_here(command, given)
        self.commands += 1
        self.characters += len(ran.out) + len(ran.errors)
        return ran


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Counting]:
    """Return the driver's folder of a run, and the output of its agents' commands."""
    folder, run, mind = tmp_path_factory.mktemp("run"), Counting(), Finder()
    ended = rehearse(INCOHERENCE, folder, RehearsalAgent(mind, run), RehearsedUser(mind))
    assert ended.state is State.DONE
    return os.path.join(folder, "driver"), run


def read(run: str) -> Spent:
    return spent(run, entries(run))


def test_the_pages_of_the_driver_and_the_commands_of_agents_are_counted(driven: tuple[str, Counting]) -> None:
    run, counting = driven
    found = read(run)
    steps = [entry for entry in entries(run) if entry.event == "step"]
    total = cost_of(found.shown)
    assert total.commands == len(steps) + counting.commands
    assert total.characters == sum(len(entry.text) for entry in steps) + counting.characters
    assert found.untold == 0


def test_each_launch_is_an_agent_with_a_context_of_its_own(driven: tuple[str, Counting]) -> None:
    run, _ = driven
    found = read(run).shown
    assert cost_of(found).agents == sum(entry.event == "attempt" for entry in entries(run))
    assert by_role(found).keys() == {"orchestrator", "general-purpose", "developer"}
    assert {each.kind for each in found if each.name.startswith("state ")} == {TextKind.REPLY}
    firsts = {each.agent: each for each in reversed(found) if each.agent and each.kind is TextKind.PAGE}
    assert firsts
    assert all(each.repeated == 0 for each in firsts.values())


def test_agents_without_a_transcript_are_counted_as_unknown(driven: tuple[str, Counting], tmp_path: Path) -> None:
    run, _ = driven
    found = spent(str(tmp_path), entries(run))
    assert found.untold == sum(entry.event == "attempt" and entry.who != "orchestrator" for entry in entries(run))
    assert cost_of(found.shown).commands == sum(entry.event == "step" for entry in entries(run))


def test_a_program_that_is_the_agent_is_counted_with_its_prompt(tmp_path: Path) -> None:
    command = Command("skills.problem_analysis.analyze", ("--step", "2"))
    agent = CommandAgent(("/bin/sh", "-c", f"cat > /dev/null; {command} > /dev/null; echo done"))
    ended = asyncio.run(rehearsed(WRITING, tmp_path, agent, seconds=None))
    assert ended.state is State.DONE
    found = read(os.path.join(tmp_path, "driver")).shown
    total, steps = cost_of(found), WRITING.total_steps
    assert (total.agents, total.pages, total.commands) == (steps, 2 * steps, 2 * steps)
    assert total.prompts > total.characters / 2  # the pages of the run are in its agents' prompts
    assert by_kind(found)["problem-analysis"].characters == steps * len(run_here(command).out)
