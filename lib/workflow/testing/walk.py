"""The closed walk: from every start of a workflow, along every command that its steps print (law 6)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from math import prod
from types import MappingProxyType
from typing import Final, TypeVar

from attrs import frozen

from ..ast.nodes import Document
from ..ast.step import Complete, Invoke, InvokeAfter, StepHeader
from ..command import Command
from ..core import Workflow
from ..core.transitions import reachable_from
from .findings import Fault, Finding
from .prints import Prints
from .stage import Stage
from .targets import commands_in

H = TypeVar("H", bound=Hashable)
MOST: Final = 10_000
"""Maximum commands of one walk; a workflow that prints more has a counter without a limit."""


@frozen
class Walk:
    """All commands that can occur after a workflow has started."""

    workflow: Workflow
    ways: Mapping[Command, tuple[Command, ...]]
    """Each command of the workflow, with its possible next commands."""
    dispatched: tuple[Command, ...]
    """Commands of other workflows: those of agents, and of scripts that take over."""
    findings: tuple[Finding, ...]


def walk_workflow(workflow: Workflow, starts: Iterable[Command], prints: Prints) -> Walk:
    """Follow every printed command, in this process. The pages' own findings stay with `prints`."""
    ways: dict[Command, tuple[Command, ...]] = {}
    dispatched: dict[Command, None] = {}  # in the order of the walk, which is the same in every run
    waiting = list(dict.fromkeys(starts))[::-1]
    while waiting and len(ways) < MOST:
        command = waiting.pop()
        if command in ways:
            continue
        document = prints.of(command)
        ways[command] = tuple(_ways_on(document, workflow, prints)) if document else ()
        if document:
            dispatched |= dict.fromkeys(inner for inner in commands_in(document) if inner not in ways[command])
        waiting += reversed(ways[command])
    findings = [
        Finding(fault, workflow.name, where, what)
        for fault, where, what in (
            [(Fault.LOOP, "", f"more than {MOST:,} different commands appear")]
            if waiting
            else _findings(workflow, ways, prints)
        )
    ]
    return Walk(workflow, MappingProxyType(ways), tuple(dispatched), tuple(findings))


def _ways_on(document: Document, workflow: Workflow, prints: Prints) -> Iterator[Command]:
    """Yield the possible next commands, except refused ones: their page has that finding."""
    after = document.blocks[-1] if document.blocks else None
    if isinstance(after, InvokeAfter):
        for invoke in _invokes(after):
            command = invoke.command
            if command.module == workflow.module and not _refused(command, prints):
                yield command


def _refused(command: Command, prints: Prints) -> bool:
    try:
        prints.targets.accept(command)
    except ValueError:
        return True
    return False


def _findings(
    workflow: Workflow, ways: Mapping[Command, tuple[Command, ...]], prints: Prints
) -> Iterator[tuple[Fault, str, str]]:
    steps = {command: prints.targets.step(command) for command in ways}
    printed = {step_id for command in ways for step_id in _printed(prints.of(command), workflow)}
    for step_id in workflow.steps.keys() - set(steps.values()) - printed:
        yield Fault.UNREACHED, f"step {step_id}", "no step prints a command that runs it, for any answers"
    backwards: dict[Command, list[Command]] = {command: [] for command in ways}
    for command, following in ways.items():
        for way in following:
            backwards[way].append(command)
    ends = [command for command in ways if _is_end(prints.of(command), workflow)]
    for command in ways.keys() - reachable_from(backwards, ends):
        where = f"step {steps[command]}, `{prints.targets.stage.shown(command)}`"
        yield Fault.DEAD_END, where, "no sequence of answers leads from here to the end"
    yield from _of_loops(workflow, ways, steps, prints.targets.stage)


def _printed(document: Document | None, workflow: Workflow) -> Iterator[str]:
    """Yield the step whose page a command prints: another one than its own if that one forwards."""
    for block in document.blocks if document else ():
        if isinstance(block, StepHeader) and block.script == workflow.name:
            yield workflow.step(block.step).id


def _is_end(document: Document | None, workflow: Workflow) -> bool:
    """Return True if the workflow ends here: it says so, another script takes over, or the call was refused."""
    if document is None or isinstance(document.blocks[-1], Complete):
        return True
    after = document.blocks[-1]
    return isinstance(after, InvokeAfter) and any(
        invoke.command.module != workflow.module for invoke in _invokes(after)
    )


def _invokes(after: InvokeAfter) -> list[Invoke]:
    return [after.invoke] if after.invoke else [branch.invoke for branch in after.branches]


def _of_loops(
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
