"""Checks of each workflow when it is built. Each finding names the step and says what to write."""

from collections.abc import Iterable, Iterator, Mapping

from ..arguments.parameter import Parameter
from ..ast.nodes import Element, Text
from ..ast.visitor import walk
from ..command import is_module
from ..errors import WorkflowError
from ..handlers.base import ROSTER_FILE, Script
from ..prompts.slots import slots_in
from ..types import Outcome
from ..util.characters import check_line
from ..util.suggest import repeated
from .step import StepDef
from .transitions import validate_transitions


def validate_names(name: str, module: str) -> Iterator[str]:
    """Yield the errors in a workflow's own names."""
    yield from _line("the name", name)
    if not is_module(module):
        yield f"module {module!r:.60} is not a dotted name; name the script that its commands run"


def findings(
    steps: tuple[StepDef, ...], entry_point: str, params: tuple[str, ...], known: Mapping[str, Parameter]
) -> Iterator[str]:
    """Yield all errors of a workflow with these steps."""
    ids = [step.id for step in steps]
    yield from (f"step {name}: duplicate id; give each step its own" for name in repeated(ids))
    if entry_point not in ids:
        yield f"entry point {entry_point!r} is not a step; name one of {', '.join(ids) or 'none'}"
        return
    for step in steps:
        yield from _validate_step(step, ids, params)
        if step.id == entry_point and step.kind.roster:
            yield f"step {step.id}: the entry point has a roster, and no step before it asks for the list; add one"
    yield from (
        f"parameter {name}: no step takes it; remove it, or let a handler take it"
        for name in params
        if name not in known
    )
    graph = {step.id: {target for target in step.following if target in ids} for step in steps}
    yield from validate_transitions(steps, graph, entry_point)
    yield from _validate_hand_over(steps, params)
    yield from _validate_conditions(steps)


def validate_tags(steps: tuple[StepDef, ...], tags: tuple[str, ...]) -> Iterator[str]:
    """Yield elements in the actions that `tags` does not name. Elements that fill slots are checked by the proof."""
    for step in steps:
        found = {node.tag for top in step.actions for node in walk(top) if isinstance(node, Element)}
        if not found <= set(tags):
            from ..ast.vocabulary import Vocabulary, validate  # only an invalid workflow needs it

            try:
                validate(Element("step", {}, step.actions), Vocabulary({*tags, "step"}))
            except ValueError as error:
                yield f"step {step.id}: {error}; a workflow names its own in `tags`"


def _validate_step(step: StepDef, ids: list[str], params: tuple[str, ...]) -> Iterator[str]:
    where = f"step {step.id}"
    yield from _validate_words(step, where)
    if step.limit is not None and step.limit < 1:
        yield f"{where}: limit={step.limit}; the minimum is 1"
    if not step.next:
        yield f"{where}: has no next step; write `next={{Outcome.OK: None}}` if the workflow ends here"
    for outcome, target in step.next.items():
        if isinstance(target, Script):
            yield from _validate_script(target, f"{where}: {outcome}", params)
        elif target is not None and target not in ids:
            yield f"{where}: {outcome} leads to {target!r}, which is not a step; write None, or one of {', '.join(ids)}"
    for outcome in step.forwards:
        if step.next.get(outcome) is None:
            yield f"{where}: forwards {outcome}, which leads to no step; map it in `next`, or remove it"
    strangers = [*_validate_keys("next", step.next), *_validate_keys("when", step.when)]
    yield from (f"{where}: {stranger}" for stranger in strangers) if strangers else _validate_outcomes(step, where)
    yield from _validate_slots(step, where, params)
    if step.kind.script:
        yield from _validate_script(step.kind.script, where, params)
    yield from (f"{where}: {flaw}" for flaw in step.kind.flaws())


def _validate_words(step: StepDef, where: str) -> Iterator[str]:
    if step.title.strip():
        yield from _line(f"{where}: its title", step.title)
    else:
        yield f"{where}: has no title; write `title=`, or `## {step.id}: Title` in its prompts file"
    if step.phase is not None:
        yield from _line(f"{where}: its phase", step.phase)
    if not step.actions and step.forwards.keys() != step.next.keys():
        yield f"{where}: has no actions; write `actions=`, or a text below its heading in the prompts file"
    for outcome, condition in step.when.items():
        yield from _line(f"{where}: when {outcome}", condition)


def _validate_script(script: Script, where: str, params: tuple[str, ...]) -> Iterator[str]:
    if not is_module(script.module):
        yield f"{where}: script {script.module!r:.60} is not a dotted module name"
    for name in script.passes:
        if name not in params:
            yield f"{where}: passes {name!r}, which is not a parameter of the workflow; add it to `params`"


def _validate_outcomes(step: StepDef, where: str) -> Iterator[str]:
    try:
        happen, left = step.kind.outcomes
    except WorkflowError as error:
        yield f"{where}: {error}"
        return
    if happen is not None:
        yield from _validate_mapping(step, where, happen)
    for outcome in sorted(left if happen is not None else left & step.next.keys()):
        if not step.conditions().get(outcome, "").strip():
            yield f"{where}: the agent decides on {outcome}; write `when={{Outcome.{outcome.name}: …}}`"
        if step.next.get(outcome, step.next.get(Outcome.DEFAULT, "")) is None:
            yield f"{where}: the agent decides on {outcome}, which ends the workflow; lead it to a last step"
    for outcome in sorted(step.when.keys() - step.next.keys()):
        yield f"{where}: when names {outcome}, which next does not map; remove it, or add it to next"
    if Outcome.DEFAULT in step.when:
        yield f"{where}: when names DEFAULT, which an agent cannot choose; name the outcomes instead"
    if step.handler is None and len(step.when) == 1:
        yield f"{where}: when names one outcome, so there is nothing to decide; name another, or remove it"


def _validate_keys(what: str, keys: Iterable[object]) -> Iterator[str]:
    return (f"{what} has the key {key!r}; write a member of Outcome" for key in keys if not isinstance(key, Outcome))


def _validate_mapping(step: StepDef, where: str, happen: frozenset[Outcome]) -> Iterator[str]:
    if Outcome.DEFAULT not in step.next:
        for outcome in sorted(happen - step.next.keys()):
            yield f"{where}: its outcome can be {outcome}, which next does not map; map Outcome.{outcome.name}"
    instead = "name it as returned" if step.handler else "write a `when` for each outcome that the agent decides on"
    for outcome in sorted(step.next.keys() - happen - {Outcome.DEFAULT}):
        yield f"{where}: next maps {outcome}, which is never its outcome; remove it, or {instead}"


def _validate_slots(step: StepDef, where: str, params: tuple[str, ...]) -> Iterator[str]:
    try:
        used = slots_in(step.actions)
    except WorkflowError as error:
        yield f"{where}: {error}"
        return
    for name in sorted(used - step.slots.keys() - step.parameters.keys() - set(params)):
        yield f"{where}: nothing fills {{{{{name}}}}}; add it to `slots`, or remove it from the text"
    if "{{" in step.title:
        yield f"{where}: its title has a slot; only slots in the actions are filled"
    for name in sorted(step.slots.keys() - used):
        yield f"{where}: its text does not use the slot {name!r}; write {{{{{name}}}}} there, or remove the slot"


def _validate_hand_over(steps: tuple[StepDef, ...], params: tuple[str, ...]) -> Iterator[str]:
    """Yield required parameters of steps after a step without its own handler, which hands nothing on."""
    required = {step.id: [item for item in step.parameters.values() if item.required] for step in steps}
    for step in steps:
        for target in sorted(() if step.kind.hands_on else step.following):
            for item in required.get(target, ()):
                if item.name not in (*params, ROSTER_FILE):
                    yield f"step {step.id}: passes nothing on, but step {target} requires {item.name}; add a handler"


def _validate_conditions(steps: tuple[StepDef, ...]) -> Iterator[str]:
    """Yield slots of conditions that the next step does not take: they are filled with the values handed on."""
    taken = {step.id: step.parameters for step in steps}
    for step in steps:
        for outcome, condition in step.when.items():
            target = step.next.get(outcome, step.next.get(Outcome.DEFAULT))
            known = taken.get(target, {}) if isinstance(target, str) else {}
            try:
                strangers = sorted(slots_in([Text(condition)]) - known.keys())
            except WorkflowError as error:
                yield f"step {step.id}: when {outcome}: {error}"
                continue
            for name in strangers:
                yield f"step {step.id}: when {outcome} has {{{{{name}}}}}, which {target or 'the end'} does not take"


def _line(what: str, text: str) -> Iterator[str]:
    try:
        check_line(text, what)
    except ValueError as error:
        yield str(error)
    if not text.strip():
        yield f"{what} is blank; say what it is"
