"""The composition root of a step script: parses its command line, prints the step, returns the exit status."""

import importlib
from collections.abc import Sequence
from typing import NamedTuple

from attrs import evolve

from ..arguments.parameter import Value
from ..ast.nodes import Document
from ..core import StepContext, UsageError, Workflow, WorkflowError
from ..errors import RefusedError, placed
from ..handlers.base import ANSWERS_FILE
from .script import DONE, FORMS, WAITING, Forms, begin, run
from .words import Line, pairs, step_number


class Call(NamedTuple):
    """A parsed command line."""

    step: int
    context: StepContext
    form: str


def answer(home: str, argv: Sequence[str] | None, forms: Forms | None) -> int:
    """Do the work of `cli.main`; without `argv`, for the arguments of this process."""
    words = begin(argv)
    chosen = FORMS if forms is None else forms

    def call() -> tuple[int, str]:
        workflow = load(home)
        read = read_call(workflow, words, tuple(chosen))
        document = workflow.run(read.step, _told(workflow, read))
        return status_of(document), chosen[read.form]()(document)

    return run(home, words, chosen, call)


def _told(workflow: Workflow, call: Call) -> StepContext:
    """Return the context of a call, with the tasks or the answers that the step reads from standard input."""
    if call.context.step_state.get(ANSWERS_FILE):
        from ..handlers.answers import answers_given

        return evolve(call.context, answers=answers_given())
    if not workflow.step(call.step).kind.roster:
        return call.context
    from ..handlers.task_list import tasks_given

    return evolve(call.context, tasks=tasks_given())


def status_of(document: Document) -> int:
    """Return the exit status for a printed step."""
    return WAITING if any(block.tag == "needs_user_input" for block in document.blocks) else DONE


def load(home: str) -> Workflow:
    """Return the WORKFLOW of a module. Raises WorkflowError if it is missing, or the module cannot be imported."""
    try:
        found: object = getattr(importlib.import_module(home), "WORKFLOW", None)
    except (WorkflowError, RefusedError, UsageError):
        raise
    except Exception as error:  # any error of a foreign module is its author's to fix
        raise WorkflowError(placed(error, home)) from error
    if not isinstance(found, Workflow):
        raise WorkflowError(f"module {home}: WORKFLOW is not a Workflow; write `WORKFLOW = Workflow(…)`")
    return found


def read_call(workflow: Workflow, words: Sequence[str], forms: Sequence[str] = ("xml", "text")) -> Call:
    """Read and check the arguments of a step. Raises UsageError, which says what to write instead."""
    try:
        line = _usual(workflow, words, forms)
    except (ValueError, LookupError):
        from .step_parser import parsed  # for help, errors and rare spellings

        line = parsed(workflow, words, tuple(forms))
    step, form, given = line
    return Call(step, workflow.context(step, given), form)


def _usual(workflow: Workflow, words: Sequence[str], forms: Sequence[str]) -> Line:
    """Read a usual command line as argparse would, whose import and parser cost a tenth of a step.

    Raises ValueError or LookupError for any other, also for a wrong one.
    """
    named = {each.flag: each for each in workflow.parameters.values()}
    switches = {
        flag: (each.name, yes)
        for each in named.values()
        if each.type is bool
        for flag, yes in ((each.flag, True), (f"--no-{each.flag[2:]}", False))
    }
    given: dict[str, Value] = {}
    step, form = -1, "xml"
    for flag, text in pairs(words, switches):
        if flag == "--step":
            step = step_number(text)
        elif flag == "--format":
            form = forms[forms.index(text)]
        elif flag in switches:
            name, given[name] = switches[flag]
        else:
            given[named[flag].name] = named[flag].read(text)
    if step < 0:
        raise ValueError("--step is missing")
    return step, form, given
