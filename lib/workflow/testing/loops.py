"""Checks of the limits of a walk's loops."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from math import prod
from typing import TypeVar

from ..command import Command
from ..core import Workflow
from ..core.transitions import reachable_from
from .findings import Fault
from .stage import Stage

H = TypeVar("H", bound=Hashable)


def of_loops(
    workflow: Workflow, ways: Mapping[Command, tuple[Command, ...]], steps: Mapping[Command, str], stage: Stage
) -> Iterator[tuple[Fault, str, str]]:
    """Yield the faults of loops: fault, step, and reason.

    A step's `limit` is kept by its state, which is not visible here.
    """
    endless = False
    for command, step_id in steps.items():
        loop = _loop(ways, command)
        if loop and not any(workflow.steps[steps[way]].limit for way in loop):
            endless = True
            yield Fault.LOOP, f"step {step_id}", f"`{stage.shown(command)}` is part of a cycle with no iteration limit"
    if not endless:
        yield from _of_rounds(workflow, ways, steps)


def _of_rounds(
    workflow: Workflow, ways: Mapping[Command, tuple[Command, ...]], steps: Mapping[Command, str]
) -> Iterator[tuple[Fault, str, str]]:
    graph = {name: step.following for name, step in workflow.steps.items()}
    for step_id in workflow.steps:
        loop = [workflow.steps[name] for name in _loop(graph, step_id)]
        if loop and not any(step.limit for step in loop):
            most = prod(step.rounds or 1 for step in loop)
            rounds = _visits(step_id, ways, steps)
            if rounds > most:
                yield Fault.LOOP, f"step {step_id}", f"it can run {rounds} times on one path; its limit is {most}"


def _visits(step_id: str, ways: Mapping[Command, tuple[Command, ...]], steps: Mapping[Command, str]) -> int:
    """Return how often the step runs on the longest way through the commands.

    Returns 0 if they form a cycle, which is allowed.
    """
    most: dict[Command, int] = {}
    try:
        for command in TopologicalSorter(ways).static_order():  # successors come first
            most[command] = (steps[command] == step_id) + max((most[way] for way in ways[command]), default=0)
    except CycleError:
        return 0
    return max(most.values(), default=0)


def _loop(graph: Mapping[H, Iterable[H]], start: H) -> set[H]:
    """Return all nodes on a path from the start back to it."""
    after = reachable_from(graph, graph[start])
    return {name for name in after if start in reachable_from(graph, graph[name])} if start in after else set()
