"""What must hold of every workflow, checked when it is built. Each finding names the step and says what to write."""

from collections.abc import Iterable, Iterator, Mapping

from .errors import WorkflowError
from .parameters import Parameter
from .slots import slots_in
from .steps import Dispatch, StepDef, outcomes_of
from .types import Outcome


def findings(
    steps: tuple[StepDef, ...], entry_point: str, params: tuple[str, ...], known: Mapping[str, Parameter]
) -> Iterator[str]:
    """All that is wrong with a workflow of these steps; 003's five checks ("Workflow Validation") and ours."""
    ids = [step.id for step in steps]
    yield from (f"step {name}: the id stands there twice; give each step its own" for name in _repeated(ids))
    if entry_point not in ids:
        yield f"entry point {entry_point!r} is no step; name one of {', '.join(ids) or 'none'}"
        return
    for step in steps:
        yield from _of_step(step, ids, params)
    yield from (
        f"parameter {name}: no step takes it; drop it, or let a handler take it" for name in params if name not in known
    )
    graph = {step.id: {target for target in step.next.values() if target in ids} for step in steps}
    yield from _of_graph(steps, graph, entry_point)


def _of_step(step: StepDef, ids: list[str], params: tuple[str, ...]) -> Iterator[str]:
    where = f"step {step.id}"
    if not step.title.strip():
        yield f"{where}: has no title; write `title=`, or `## {step.id}: Title` in its prompts file"
    if not step.next:
        yield f"{where}: leads nowhere; write `next={{Outcome.OK: None}}` where the workflow ends"
    for outcome, target in step.next.items():
        key: object = outcome
        if not isinstance(key, Outcome):
            yield f"{where}: next has the key {key!r}; write a member of Outcome"
        elif target is not None and target not in ids:
            yield f"{where}: {outcome} leads to {target!r}, which is no step; write None, or one of {', '.join(ids)}"
    yield from _of_outcomes(step, where)
    yield from _of_slots(step, where, params)
    if isinstance(step.handler, Dispatch):
        lost = [name for name in step.handler.passes if name not in params]
        yield from (
            f"{where}: passes {name!r}, which is no parameter of the workflow; add it to `params`" for name in lost
        )


def _of_outcomes(step: StepDef, where: str) -> Iterator[str]:
    happen, left = outcomes_of(step.handler)
    if happen is not None:
        if Outcome.DEFAULT not in step.next:
            for outcome in sorted(happen - step.next.keys()):
                yield f"{where}: its handler can return {outcome}, which next does not map; map Outcome.{outcome.name}"
        for outcome in sorted(step.next.keys() - happen - {Outcome.DEFAULT}):
            yield f"{where}: next maps {outcome}, which its handler never returns; drop it, or name it as returned"
    for outcome in sorted(left):
        if not step.conditions().get(outcome, "").strip():
            yield f"{where}: the agent decides on {outcome}; write `when={{Outcome.{outcome.name}: …}}`"
        if step.next.get(outcome, step.next.get(Outcome.DEFAULT, "")) is None:
            yield f"{where}: {outcome} is the agent's to decide and ends the workflow; lead it to a last step"
    for outcome in sorted(step.when.keys() - step.next.keys()):
        yield f"{where}: when names {outcome}, which next does not map; drop it, or add it to next"


def _of_slots(step: StepDef, where: str, params: tuple[str, ...]) -> Iterator[str]:
    try:
        used = slots_in(step.actions)
    except WorkflowError as error:
        yield f"{where}: {error}"
        return
    for name in sorted(used - step.slots.keys() - step.parameters.keys() - set(params)):
        yield f"{where}: nothing fills {{{{{name}}}}}; add it to `slots`, or drop it from the text"
    for name in sorted(step.slots.keys() - used):
        yield f"{where}: the slot {name!r} stands nowhere in its text; write {{{{{name}}}}} there, or drop it"


def _of_graph(steps: tuple[StepDef, ...], graph: Mapping[str, set[str]], entry_point: str) -> Iterator[str]:
    ends = {step.id for step in steps if None in step.next.values()}
    if not ends:
        yield "no step ends the workflow; write `next={Outcome.OK: None}` at the last"
    reached = _closure(graph, {entry_point})
    yield from (
        f"step {name}: no path leads to it from {entry_point}; lead one there, or drop it"
        for name in graph.keys() - reached
    )
    backwards = {name: {source for source, targets in graph.items() if name in targets} for name in graph}
    if ends:
        for name in sorted(graph.keys() - _closure(backwards, ends)):
            yield f"step {name}: no path leads from it to an end; map one of its outcomes onwards, or to None"
    free = {step.id for step in steps if step.rounds is None}
    unbounded = {name: targets & free for name, targets in graph.items() if name in free}
    for name in sorted(name for name in free if name in _closure(unbounded, unbounded[name])):
        yield (
            f"step {name}: is on a loop without a limit; give one step of it a parameter "
            "`iteration: Annotated[int, Arg(min=1, max=…)]`, or `limit=` where its state counts the rounds"
        )


def _closure(graph: Mapping[str, set[str]], start: Iterable[str]) -> set[str]:
    """All that can be reached, the start included."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found


def _repeated(names: list[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})
