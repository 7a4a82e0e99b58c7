"""Law 6: following the printed commands, whatever the answers, reaches the end; no step is unreachable."""

import pytest

from lib.workflow.ast.step import Complete, InvokeAfter, StepHeader
from lib.workflow.ast.visitor import walk
from lib.workflow.cli import read_call
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from tests.subjects import HOMES, WORKFLOWS, first, printed


def ways_on(command: Command) -> list[Command]:
    """The commands that can come next in the same workflow; a dispatched agent's are its own."""
    after = printed()[command].blocks[-1]
    if not isinstance(after, InvokeAfter):
        return []
    return [after.invoke.command] if after.invoke else [branch.invoke.command for branch in after.branches]


def reachable(start: Command) -> list[Command]:
    found = [start]
    for command in found:
        found += [way for way in ways_on(command) if way not in found]
    return found


@pytest.mark.parametrize("command", printed(), ids=str)
def test_every_step_ends_with_what_comes_next_or_with_the_end(command: Command) -> None:
    last = [node for node in printed()[command].blocks if isinstance(node, (InvokeAfter, Complete))]
    assert last == [printed()[command].blocks[-1]]


@pytest.mark.parametrize("command", printed(), ids=str)
def test_the_end_can_be_reached_from_every_command(command: Command) -> None:
    assert any(not ways_on(way) for way in reachable(command))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_every_step_can_be_reached_by_printed_commands(workflow: Workflow) -> None:
    headers = [node for command in reachable(first(workflow)) for node in walk(printed()[command])]
    assert {node.step for node in headers if isinstance(node, StepHeader)} == set(range(1, workflow.total_steps + 1))


@pytest.mark.parametrize("command", printed(), ids=str)
def test_no_command_comes_round_to_itself_unless_its_steps_state_counts_the_rounds(command: Command) -> None:
    workflow = HOMES[command.module]
    comes_round = [way for start in ways_on(command) for way in reachable(start) if command in reachable(way)]
    steps = [workflow.step(read_call(workflow, way.words).step) for way in comes_round]
    assert not steps or any(step.limit is not None for step in steps)
