"""The builder of a step's page: its texts, its handler's nodes, and the next commands."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from attrs import asdict, has

from ..arguments.parameter import Value
from ..ast.fields import Node
from ..ast.nodes import Document
from ..ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter, StepHeader, XmlMandate
from ..command import Command
from ..errors import WorkflowError
from ..handlers.base import (
    ANSWERS_FILE,
    ROSTER_FILE,
    STANDARD_INPUT,
    AgentChoice,
    AskAll,
    AskUser,
    Result,
    Script,
    State,
    StepContext,
)
from ..prompts.slots import SlotValue, fill, inline
from ..types import Outcome

if TYPE_CHECKING:
    from ..ast.relay import NeedsUserInput, Question
    from .workflow import Workflow


class PageBuilder:
    """The page of one step in one context. Errors name the step whose handler breaks the workflow's declaration."""

    def __init__(self, workflow: "Workflow", step: int | str, context: StepContext) -> None:
        self._workflow = workflow
        self._step = workflow.step(step)
        self._context = context

    def document(self) -> Document:
        """Return the page; see `Workflow.run`."""
        workflow, step = self._workflow, self._step
        result = self.result()
        if isinstance(result, tuple) and result[0] in step.forwards:
            return self._forwarded(*result)
        after = [*self._after(result)]
        header = StepHeader(
            script=workflow.name,
            phase=step.phase,
            step=workflow.number(step.id),
            total=workflow.total_steps,
            title=step.title,
        )
        first = step.id == workflow.entry_point and workflow.total_steps > 1
        mandate = [XmlMandate()] if first else []  # a script of one step has no next command
        actions = [*self._actions(), *self._forms(result)]
        return Document([header, *mandate, CurrentAction(actions), *after])

    def result(self) -> Result:
        """Return the handler's result; see `Workflow.outcomes`."""
        result: object = self._step.kind.result(self._context)
        if isinstance(result, (AskUser, AskAll)) or (
            isinstance(result, AgentChoice) and result.ways and Outcome.DEFAULT not in result.ways
        ):
            return result
        if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], Outcome) and _is_state(result[1]):
            return result
        raise self._broken(f"returned {result!r:.80}; return (Outcome.…, state), or AgentChoice({{…}})")

    def _actions(self) -> Iterator[Node]:
        values = {**self._context.workflow_params, **self._context.step_state}
        filling: dict[str, SlotValue] = {name: "" if value is None else str(value) for name, value in values.items()}
        slots = self._step.slots
        filling |= {name: slot(self._context) if callable(slot) else slot for name, slot in slots.items()}
        yield from fill(self._step.actions, filling)
        yield from self._step.kind.launched(self._context)

    def _forms(self, result: Result) -> Iterator[Node]:
        """Yield the formats of the lists that the next commands read."""
        if isinstance(result, (AskUser, AskAll)):
            return
        outcomes = result.ways if isinstance(result, AgentChoice) else result[:1]
        for target in dict.fromkeys(self._step.target(outcome) for outcome in outcomes):
            roster = self._workflow.steps[target].kind.roster if isinstance(target, str) else None
            if roster:
                from ..handlers.task_list import form  # only the steps before a roster need it

                yield form(roster)

    def _after(self, result: Result) -> Iterator[Node]:
        """Yield the question to the user, if any, and the next commands."""
        if isinstance(result, tuple):
            command = self._way(*result)
            yield Complete() if command is None else InvokeAfter(invoke=Invoke(command))
        elif isinstance(result, AskUser):
            yield from self._asking(result)
        elif isinstance(result, AskAll):
            yield from self._asking_all(result)
        else:
            yield InvokeAfter(branches=tuple(self._branch(*way) for way in result.branches()))

    def _branch(self, outcome: Outcome, state: State) -> Branch:
        conditions = self._step.conditions()
        command = self._way(outcome, state)
        if command is None or outcome not in conditions:
            raise self._broken(f"leaves {outcome} to the agent; give it a `when` and a next step")
        try:
            when = inline(conditions[outcome], _said(state))
        except KeyError as error:
            raise self._broken(f"does not pass on {error}, which is a slot of `when` {outcome}") from None
        return Branch(outcome=outcome, when=when, invoke=Invoke(command))

    def _asking(self, asks: AskUser) -> Iterator[Node]:
        yield _questions(asks.question)
        yield InvokeAfter(
            branches=tuple(
                Branch(when=f"the user answers: {option.label}", invoke=Invoke(self._told(self._step.id, answer)))
                for option, answer in zip(asks.question.options, asks.answers, strict=True)
            )
        )

    def _asking_all(self, asks: AskAll) -> Iterator[Node]:
        if ANSWERS_FILE not in self._step.parameters:
            raise self._broken(f"asks several questions; give it a parameter `{ANSWERS_FILE}: AnswersFile | None`")
        yield _questions(*asks.questions)
        yield InvokeAfter(invoke=Invoke(self._told(self._step.id, {ANSWERS_FILE: STANDARD_INPUT})))

    def _forwarded(self, outcome: Outcome, state: State) -> Document:
        """Return the next step's page, after this step's announcement."""
        announcement = self._step.forwards[outcome]
        announced = announcement(self._context) if callable(announcement) else announcement
        target = self._step.target(outcome)
        assert target is not None  # checked when the workflow was built
        values = self._context.workflow_params
        if isinstance(target, Script):
            workflow = self._other(target.module)
            passed = {name: values[name] for name in target.passes}
            page = workflow.run(1, workflow.context(1, passed))
        else:
            passed = {**values, **self._values(target, state)}
            page = self._workflow.run(target, self._workflow.context(target, passed))
        return Document([announced, *page.blocks]) if announced else page

    def _other(self, module: str) -> "Workflow":
        """Return the workflow of another script. Raises WorkflowError if the module has none."""
        found: object = getattr(import_module(module), "WORKFLOW", None)
        if not isinstance(found, type(self._workflow)):
            raise self._broken(f"forwards to {module}, which has no WORKFLOW")
        return found

    def _way(self, outcome: Outcome, state: State) -> Command | None:
        """Return the command for an outcome; None at the end."""
        try:
            target = self._step.target(outcome)
        except KeyError:
            raise self._broken(f"returned {outcome}, which `next` does not map") from None
        if target is None:
            return None
        return target.command(self._context) if isinstance(target, Script) else self._told(target, state)

    def _told(self, target: str, state: State) -> Command:
        """Return the command of the next step. Raises WorkflowError if values are unknown or missing."""
        return self._workflow.command(target, {**self._context.workflow_params, **self._values(target, state)})

    def _values(self, target: str, state: State) -> Mapping[str, Value]:
        """Check the values handed to a step, and return them. Raises WorkflowError if values are unknown or missing."""
        own = self._workflow.steps[target].parameters
        handed = _handed(state)
        if self._workflow.steps[target].kind.roster:
            handed = {**handed, ROSTER_FILE: STANDARD_INPUT}
        passed: dict[str, Value] = {}
        for name, value in handed.items():
            if name not in own:
                raise self._broken(f"passed on {name!r}, which step {target} does not take")
            try:
                passed[name] = own[name].check(value)
            except ValueError as error:
                raise self._broken(f"passed on {name}: {error}") from None
        missing = [name for name, parameter in own.items() if parameter.required and name not in handed]
        missing = [name for name in missing if name not in self._workflow.params]
        if missing:
            raise self._broken(f"leads to step {target} without {', '.join(missing)}, which it requires")
        return passed

    def _broken(self, what: str) -> WorkflowError:
        return WorkflowError(f"workflow {self._workflow.name}: step {self._step.id}: its handler {what}")


def _questions(*asked: "Question") -> "NeedsUserInput":
    from ..ast.relay import NeedsUserInput  # only the steps that ask need it

    return NeedsUserInput(asked)


def _handed(state: State) -> Mapping[str, Value]:
    return state if isinstance(state, Mapping) else asdict(state, recurse=False)


def _said(state: State) -> dict[str, str | int]:
    """Return the values that are not None."""
    return {name: value for name, value in _handed(state).items() if value is not None}


def _is_state(value: object) -> bool:
    return isinstance(value, Mapping) or has(type(value))
