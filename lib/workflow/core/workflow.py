"""A workflow: steps, declared and checked together."""

from collections.abc import Mapping
from types import MappingProxyType

from ..arguments.parameter import URL_SCHEMES, Parameter, Value
from ..ast.nodes import Document
from ..command import Command, flags
from ..errors import UsageError, WorkflowError
from ..handlers.base import Result, StepContext
from .page import PageBuilder
from .step import StepDef
from .validation import findings, validate_names, validate_tags


class Workflow:
    """Steps and their transitions, as data. The constructor checks everything; WorkflowError lists all errors.

    Args:
        name: Name of the workflow.
        steps: The steps, in the order of their numbers.
        module: The script that the printed commands run.
        entry_point: Id of the first step to run; the first one in `steps` by default.
        params: Names of the workflow's parameters: every step takes them, and every command carries them on. Other
            parameters belong to the steps whose handlers take them.
        tags: The workflow's own elements that its steps print.
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
            """The parameters of all steps, by name."""
            wrong = list(validate_names(name, module))
            wrong += findings(steps, self.entry_point, params, self.parameters)
            wrong += validate_tags(steps, tags)
        except WorkflowError as error:
            wrong = [str(error)]
        if wrong:
            raise WorkflowError("\n".join(f"workflow {name}: {finding}" for finding in wrong))
        self.steps: Mapping[str, StepDef] = MappingProxyType({step.id: step for step in steps})
        """Steps by id, in the order of their numbers."""

    @property
    def total_steps(self) -> int:
        """Return the number of steps; they are numbered from 1."""
        return len(self.steps)

    def number(self, step_id: str) -> int:
        """Return the step's number, from 1."""
        return list(self.steps).index(step_id) + 1

    def step(self, step: int | str) -> StepDef:
        """Return the step with this number or id. Raises UsageError for an unknown one."""
        if isinstance(step, int) and 1 <= step <= self.total_steps:
            return list(self.steps.values())[step - 1]
        if isinstance(step, str) and step in self.steps:
            return self.steps[step]
        raise UsageError(
            f"there is no step {step}: {self.name} has the steps 1 to {self.total_steps} ({', '.join(self.steps)})"
        )

    def taken_by(self, step_id: str) -> Mapping[str, Parameter]:
        """Return the parameters that the step takes: the workflow's and its own."""
        return {name: self.parameters[name] for name in self.parameters if name in self.params} | dict(
            self.steps[step_id].parameters
        )

    def takers(self, parameter: str) -> str:
        """Return the numbers of the steps that take the parameter, for help and errors."""
        return ", ".join(str(self.number(step_id)) for step_id in self.steps if parameter in self.taken_by(step_id))

    def context(self, step: int | str, values: Mapping[str, Value] = MappingProxyType({})) -> StepContext:
        """Return the context of a step.

        Args:
            step: Number or id of the step.
            values: Values of parameters by name, as Python values; others have their defaults.

        Raises:
            UsageError: If the step does not take a value, a required one is missing, or one is not legal.
        """
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
        """Return the page of a step. A step that changes state waits for other processes in the same state.

        Args:
            step: Number or id of the step.
            context: Its values, from `context`.

        Raises:
            WorkflowError: If its handler breaks the workflow's declaration.
            RefusedError: If its roster does not take the tasks in the context.
        """
        printing = PageBuilder(self, step, context)
        definition = self.step(step)
        if not definition.changes_state:
            return printing.document()
        from ..state.step_lock import STATE_DIR, one_at_a_time  # only such a step needs it

        command = self.command(definition.id, {**context.workflow_params, **context.step_state})
        with one_at_a_time(context.workflow_params.get(STATE_DIR, context.step_state.get(STATE_DIR)), command):
            return printing.document()

    def outcomes(self, step: int | str, context: StepContext) -> Result:
        """Return the handler's result: one outcome, those that the agent decides on, or a question to the user.

        Args:
            step: Number or id of the step.
            context: Its values, from `context`.
        """
        return PageBuilder(self, step, context).result()

    def command(self, step_id: str, values: Mapping[str, Value]) -> Command:
        """Return the command that runs a step.

        Args:
            step_id: Id of the step.
            values: Values of its parameters by name; the command leaves out those that equal a default.
        """
        taken = self.taken_by(step_id)
        said = {name: value for name, value in values.items() if value != taken[name].default}
        return Command(self.module, flags({"step": self.number(step_id), **said}))


def _checked(parameter: Parameter, value: Value) -> Value:
    if value is None and parameter.required:
        meaning = f": {parameter.arg.description}" if parameter.arg.description else ""
        raise UsageError(f"{parameter.flag} is missing; give it {parameter.legal}{meaning}")
    try:
        checked = parameter.check(value)
        if parameter.arg.path and isinstance(checked, str) and checked.startswith(URL_SCHEMES):
            from ..state.database.addresses import folder_of  # few runs have their state in a database

            return folder_of(checked)
        return checked
    except ValueError as error:
        raise UsageError(f"{parameter.flag}: {error}") from None


def _merged(steps: tuple[StepDef, ...]) -> dict[str, Parameter]:
    """Return the parameters of all steps. Raises WorkflowError if two steps give one name different meanings."""
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
