"""Targets of commands: the workflows of the packages under proof, by the modules of their scripts."""

import importlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir
from types import MappingProxyType

from attrs import evolve

from ..arguments.parameter import Value
from ..ast.dispatch import TemplateDispatchNode
from ..ast.nodes import Document
from ..ast.step import Invoke
from ..ast.visitor import walk
from ..cli.calls import Call, read_call
from ..command import Command, flags
from ..core import StepContext, Workflow
from ..errors import UsageError
from ..handlers import answers, task_list
from ..handlers.base import ANSWERS_FILE, AskAll
from .stage import Stage


class Targets:
    """The workflows that commands may name. A command of another module is checked by the module's `accepts`."""

    def __init__(self, workflows: Iterable[Workflow], stage: Stage) -> None:
        self.workflows: Mapping[str, Workflow] = MappingProxyType({item.module: item for item in workflows})
        self.stage = stage

    def document(self, command: Command) -> Document:
        """Return the page of a command, made in this process by its target's own parser, on a prepared stage."""
        workflow = self.workflows[command.module]
        self.stage.ready(workflow, workflow.step(read_call(workflow, command.words).step).id)
        call = rehearsed(workflow, command.words)
        return workflow.run(call.step, call.context)

    def relatively(self, command: Command) -> Document | None:
        """Return the page of the command with paths relative to the stage's root; None if it has no paths."""
        workflow = self.workflows[command.module]
        values = self.values(command)
        names = [name for name in self.stage.given(workflow) if values.get(name) is not None]
        if not names:
            return None
        paths = {name: os.path.relpath(str(values[name]), self.stage.root) for name in names}
        step = read_call(workflow, command.words).step
        with chdir(self.stage.root):
            return self.document(Command(command.module, flags({"step": step, **values, **paths})))

    def given(self, command: Command) -> str:
        """Return the command's standard input: the list or the answers that it reads, if it reads any."""
        context = rehearsed(self.workflows[command.module], command.words).context
        if context.step_state.get(ANSWERS_FILE):
            return answers.written(context.answers)
        return task_list.written(context.tasks)

    def accept(self, command: Command) -> None:
        """Raise UsageError for a command that its target refuses, or that has no target."""
        workflow = self.workflows.get(command.module)
        if workflow is not None:
            read_call(workflow, command.words)
            return
        try:
            accepts: object = getattr(importlib.import_module(command.module), "accepts", None)
        except ImportError as error:
            raise UsageError(f"there is no module {command.module}: {error}") from None
        if not callable(accepts):
            raise UsageError(
                f"{command.module} is not the script of a workflow and has no `accepts(words)` that "
                f"raises UsageError for "
                "words that it does not accept"
            )
        accepts(command.words)

    def step(self, command: Command) -> str:
        """Return the id of the step that a workflow's command runs."""
        workflow = self.workflows[command.module]
        return workflow.step(read_call(workflow, command.words).step).id

    def values(self, command: Command) -> Mapping[str, Value]:
        """Return the values that a workflow's command gives its step."""
        context = read_call(self.workflows[command.module], command.words).context
        return {**context.workflow_params, **context.step_state}


def rehearsed(workflow: Workflow, words: Sequence[str]) -> Call:
    """Parse the words of a call, and give it a sample of its standard input."""
    call = read_call(workflow, words)
    return call._replace(context=with_input(workflow, call.step, call.context))


def with_input(workflow: Workflow, step: int | str, context: StepContext) -> StepContext:
    """Return the context with the sample of the list that the step reads, or with all first options as answers."""
    context = evolve(context, tasks=workflow.step(step).sample)
    if not context.step_state.get(ANSWERS_FILE):
        return context
    asks = workflow.outcomes(step, evolve(context, step_state={**context.step_state, ANSWERS_FILE: None}))
    asked = asks.questions if isinstance(asks, AskAll) else ()
    return evolve(context, answers={each.header: each.options[0].label for each in asked})


def commands_in(document: Document) -> tuple[Command, ...]:
    """Return every command in a document, including those of its dispatches."""
    single = [node.command for node in walk(document) if isinstance(node, Invoke)]
    many = [node.expand() for node in walk(document) if isinstance(node, TemplateDispatchNode)]
    return (*single, *(assignment.command for assignments in many for assignment in assignments))
