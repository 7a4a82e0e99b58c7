"""Checks of a workflow's transitions: every step is reachable, can reach an end, and every loop has a limit."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from .step import StepDef

H = TypeVar("H", bound=Hashable)


def validate_transitions(steps: tuple[StepDef, ...], graph: Mapping[str, set[str]], entry_point: str) -> Iterator[str]:
    """Yield the errors in the transitions of steps whose targets exist."""
    ends = {step.id for step in steps if step.can_end}
    if not ends:
        yield "no step ends the workflow; write `next={Outcome.OK: None}` at the last"
    reached = reachable_from(graph, {entry_point})
    yield from (
        f"step {name}: no path leads to it from {entry_point}; add a path to it, or remove it"
        for name in graph
        if name not in reached
    )
    backwards = {name: {source for source, targets in graph.items() if name in targets} for name in graph}
    if ends:
        for name in sorted(graph.keys() - reachable_from(backwards, ends)):
            yield f"step {name}: no path leads from it to an end; map one of its outcomes to a later step, or to None"
    yield from _validate_loops(steps, graph)


def _validate_loops(steps: tuple[StepDef, ...], graph: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield loops without a limit: a step's `limit`, or a counter `iteration` in every step of the loop."""
    free = {step.id: step for step in steps if step.limit is None}
    inner = {name: graph[name] & free.keys() for name in free}
    for name, step in free.items():
        loop = {other for other in reachable_from(inner, inner[name]) if name in reachable_from(inner, inner[other])}
        if name in loop and not all(free[other].rounds for other in loop):
            yield (
                f"step {step.id}: is on a loop without a limit; give it, and each step of the loop, a parameter "
                "`iteration: Annotated[int, Arg(min=1, max=…)]`, or one of them `limit=` if its state counts"
            )


def reachable_from(graph: Mapping[H, Iterable[H]], starts: Iterable[H]) -> set[H]:
    """Return all reachable items, including the starts."""
    found: set[H] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found
