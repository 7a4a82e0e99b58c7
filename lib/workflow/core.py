"""A workflow: steps, checked as a whole, and what each of them prints."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from attrs import asdict, has

from .ast.declare import Node
from .ast.nodes import Document
from .ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter, StepHeader, XmlMandate
from .checks import findings, of_names, of_tags
from .command import Command, flags
from .errors import RefusedError, UsageError, WorkflowError
from .launch import asked_for, dispatched, starting
from .parameters import Arg, Parameter, Value
from .roster import ROSTER_FILE, STANDARD_INPUT, Roster, Task
from .slots import SlotValue, fill, inline
from .steps import REPLIES, Asks, Decided, Dispatch, Handler, Result, Script, State, StepContext, StepDef, Undecided
from .types import Outcome

__all__ = [
    "Arg",
    "Asks",
    "Decided",
    "Dispatch",
    "Handler",
    "Outcome",
    "RefusedError",
    "Roster",
    "Script",
    "State",
    "StepContext",
    "StepDef",
    "Task",
    "Undecided",
    "UsageError",
    "Workflow",
    "WorkflowError",
]


class Workflow:
    """Steps and their transitions, as data (003). Building one checks all of it; WorkflowError lists what is wrong.

    `module` is the script that the printed commands run. The entry point is the first step unless another is named.
    `params` names the parameters of the workflow as a whole: every step can be told them, and every command carries
    them on. All other parameters belong to the steps whose handlers take them. `tags` are the elements of the
    workflow's own that its steps print.
    """

    def __init__(
        self,
        name: str,
        *steps: StepDef,
        module: str,
        description: str = "",
        entry_point: str = "",
        params: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.module = module
        self.description = description
        self.entry_point = entry_point or (steps[0].id if steps else "")
        self.params = params
        self.tags = tags
        try:
            self.parameters: Mapping[str, Parameter] = MappingProxyType(_merged(steps))
            """Every parameter of every step, by name."""
            wrong = list(of_names(name, module))
            wrong += findings(steps, self.entry_point, params, self.parameters)
            wrong += of_tags(steps, tags)
        except WorkflowError as error:
            wrong = [str(error)]
        if wrong:
            raise WorkflowError("\n".join(f"workflow {name}: {finding}" for finding in wrong))
        self.steps: Mapping[str, StepDef] = MappingProxyType({step.id: step for step in steps})
        """By id, in the order of their numbers."""

    @property
    def total_steps(self) -> int:
        """How many steps there are; their numbers run from 1 to this."""
        return len(self.steps)

    def number(self, step_id: str) -> int:
        """The step's number, from 1."""
        return list(self.steps).index(step_id) + 1

    def step(self, step: int | str) -> StepDef:
        """The step with this number or id. Raises UsageError where there is none."""
        if isinstance(step, int) and 1 <= step <= self.total_steps:
            return list(self.steps.values())[step - 1]
        if isinstance(step, str) and step in self.steps:
            return self.steps[step]
        raise UsageError(
            f"there is no step {step}: {self.name} has the steps 1 to {self.total_steps} ({', '.join(self.steps)})"
        )

    def taken_by(self, step_id: str) -> Mapping[str, Parameter]:
        """What the step can be told: the workflow's parameters and its own."""
        return {name: self.parameters[name] for name in self.parameters if name in self.params} | dict(
            self.steps[step_id].parameters
        )

    def takers(self, parameter: str) -> str:
        """The numbers of the steps that can be told the parameter, for help and errors."""
        return ", ".join(str(self.number(step_id)) for step_id in self.steps if parameter in self.taken_by(step_id))

    def context(self, step: int | str, values: Mapping[str, Value] = MappingProxyType({})) -> StepContext:
        """The context of a step that is told these values. Raises UsageError for a value that it does not take."""
        step_id = self.step(step).id
        taken = self.taken_by(step_id)
        for name in values:
            if name not in taken:
                takers = self.takers(name)
                instead = f"the steps that do: {takers}" if takers else f"it takes {', '.join(taken) or 'nothing'}"
                raise UsageError(f"step {self.number(step_id)} takes no {name}; {instead}")
        given = {name: _checked(taken[name], values.get(name, taken[name].default)) for name in taken}
        whole = {name: value for name, value in given.items() if name in self.params}
        own = {name: value for name, value in given.items() if name not in self.params}
        return StepContext(step_id, whole, own)

    def run(self, step: int | str, context: StepContext) -> Document:
        """What the step prints.

        Raises WorkflowError where its handler breaks what the workflow declares, and RefusedError for tasks in the
        context that its roster does not take.
        """
        definition = self.step(step)
        result = self.outcomes(step, context)
        after = [*self._after(definition, context, result)]
        number = self.number(definition.id)
        header = StepHeader(
            script=self.name, phase=definition.phase, step=number, total=self.total_steps, title=definition.title
        )
        mandate = [XmlMandate()] if definition.id == self.entry_point else []
        actions = [*self._actions(definition, context), *self._forms(definition, result)]
        return Document([header, *mandate, CurrentAction(actions), *after])

    def outcomes(self, step: int | str, context: StepContext) -> Result:
        """What the step's handler says: one outcome, those that the agent decides on, or what the user is asked."""
        definition = self.step(step)
        handler = definition.handler
        if handler is None or isinstance(handler, Roster):
            return Outcome.OK, {}
        if isinstance(handler, Dispatch):
            return Undecided({outcome: {} for outcome in REPLIES}) if handler.verdict else (Outcome.OK, {})
        values = {**context.workflow_params, **context.step_state}
        result: object = handler(context, **{name: values[name] for name in definition.parameters})
        if isinstance(result, Asks) or (
            isinstance(result, Undecided) and result.ways and Outcome.DEFAULT not in result.ways
        ):
            return result
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Outcome) and _is_state(result[1]):
            return result
        raise self._broken(definition, f"returned {result!r:.80}; return (Outcome.…, state), or Undecided({{…}})")

    def command(self, step_id: str, values: Mapping[str, Value]) -> Command:
        """The command that runs a step with these values; what is a default already goes unsaid."""
        taken = self.taken_by(step_id)
        said = {name: value for name, value in values.items() if value != taken[name].default}
        return Command(self.module, flags({"step": self.number(step_id), **said}))

    def _actions(self, definition: StepDef, context: StepContext) -> Iterator[Node]:
        values = {**context.workflow_params, **context.step_state}
        filling: dict[str, SlotValue] = {name: "" if value is None else str(value) for name, value in values.items()}
        filling |= {name: slot(context) if callable(slot) else slot for name, slot in definition.slots.items()}
        yield from fill(definition.actions, filling)
        yield from dispatched(definition.handler, context)

    def _forms(self, definition: StepDef, result: Result) -> Iterator[Node]:
        """How the lists are written that the commands of this step read."""
        outcomes = () if isinstance(result, Asks) else result.ways if isinstance(result, Undecided) else result[:1]
        for target in dict.fromkeys(definition.target(outcome) for outcome in outcomes):
            if isinstance(target, str):
                yield from asked_for(self.steps[target].handler)

    def _after(self, definition: StepDef, context: StepContext, result: Result) -> Iterator[Node]:
        """What the user is asked, if anything, and what comes next."""
        if isinstance(result, tuple):
            command = self._way(definition, context, *result)
            yield Complete() if command is None else InvokeAfter(invoke=Invoke(command))
            return
        if isinstance(result, Asks):
            yield from self._asking(definition, context, result)
            return
        conditions = definition.conditions()
        branches: list[Branch] = []
        for outcome, state in result.branches():
            command = self._way(definition, context, outcome, state)
            if command is None or outcome not in conditions:
                raise self._broken(definition, f"leaves {outcome} to the agent; give it a `when` and a step to lead to")
            try:
                when = inline(conditions[outcome], _handed(state))
            except KeyError as error:
                raise self._broken(
                    definition, f"does not hand on {error}, which `when` {outcome} has a slot for"
                ) from None
            branches.append(Branch(outcome=outcome, when=when, invoke=Invoke(command)))
        yield InvokeAfter(branches=tuple(branches))

    def _asking(self, definition: StepDef, context: StepContext, asks: Asks) -> Iterator[Node]:
        from .ast.relay import NeedsUserInput  # only the steps that ask pay for it

        yield NeedsUserInput((asks.question,))
        yield InvokeAfter(
            branches=tuple(
                Branch(
                    when=f"the user answers: {option.label}",
                    invoke=Invoke(self._told(definition, definition.id, context, answer)),
                )
                for option, answer in zip(asks.question.options, asks.answers, strict=True)
            )
        )

    def _way(self, definition: StepDef, context: StepContext, outcome: Outcome, state: State) -> Command | None:
        """The command that an outcome leads to; None at the end."""
        try:
            target = definition.target(outcome)
        except KeyError:
            raise self._broken(definition, f"returned {outcome}, which `next` does not map") from None
        if target is None:
            return None
        return (
            starting(target, context) if isinstance(target, Script) else self._told(definition, target, context, state)
        )

    def _told(self, definition: StepDef, target: str, context: StepContext, state: State) -> Command:
        """The command of a step that is told the state. Raises WorkflowError for what it does not take, or misses."""
        own = self.steps[target].parameters
        handed = _handed(state)
        if isinstance(self.steps[target].handler, Roster):
            handed = {**handed, ROSTER_FILE: STANDARD_INPUT}
        told: dict[str, Value] = {}
        for name, value in handed.items():
            if name not in own:
                raise self._broken(definition, f"handed on {name!r}, which step {target} does not take")
            try:
                told[name] = own[name].check(value)
            except ValueError as error:
                raise self._broken(definition, f"handed on {name}: {error}") from None
        missing = [name for name, parameter in own.items() if parameter.required and name not in handed]
        missing = [name for name in missing if name not in self.params]
        if missing:
            raise self._broken(definition, f"leads to step {target} without {', '.join(missing)}, which it requires")
        return self.command(target, {**context.workflow_params, **told})

    def _broken(self, definition: StepDef, what: str) -> WorkflowError:
        return WorkflowError(f"workflow {self.name}: step {definition.id}: its handler {what}")


def _handed(state: State) -> Mapping[str, Value]:
    return state if isinstance(state, Mapping) else asdict(state, recurse=False)


def _is_state(value: object) -> bool:
    return isinstance(value, Mapping) or has(type(value))


def _checked(parameter: Parameter, value: Value) -> Value:
    if value is None and parameter.required:
        meaning = f": {parameter.arg.description}" if parameter.arg.description else ""
        raise UsageError(f"{parameter.flag} is missing; give it {parameter.legal}{meaning}")
    try:
        return parameter.check(value)
    except ValueError as error:
        raise UsageError(f"{parameter.flag}: {error}") from None


def _merged(steps: tuple[StepDef, ...]) -> dict[str, Parameter]:
    """The parameters of all steps. Raises WorkflowError where two steps mean different things by one name."""
    merged: dict[str, Parameter] = {}
    for step in steps:
        try:
            own = step.parameters
        except WorkflowError as error:
            raise WorkflowError(f"step {step.id}: {error}") from None
        for name, parameter in own.items():
            first = merged.setdefault(name, parameter)
            if (first.type, first.arg) != (parameter.type, parameter.arg):
                raise WorkflowError(
                    f"step {step.id}: takes another {name} than the steps before it; share one annotation"
                )
    return merged
