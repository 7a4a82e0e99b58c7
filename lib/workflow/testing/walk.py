"""The closed walk: from every start of a workflow, along every command that its steps print (law 6)."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from ..ast.nodes import Document
from ..ast.step import Complete, Invoke, InvokeAfter, StepHeader
from ..command import Command
from ..core import Workflow
from ..core.transitions import reachable_from
from .findings import Fault, Finding
from .loops import of_loops
from .prints import Prints
from .targets import commands_in

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
    yield from of_loops(workflow, ways, steps, prints.targets.stage)


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
