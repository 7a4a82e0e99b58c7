"""The composition root of a step script: parses its command line, prints the step, returns the exit status."""

import argparse
import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from attrs import evolve

from ..arguments.parameter import Parameter, Value
from ..ast.nodes import Document
from ..core import StepContext, UsageError, Workflow, WorkflowError
from ..errors import RefusedError, placed
from .script import DONE, FORMS, WAITING, Forms, Help, Parser, begin, run

EPILOG = """\
exit status:
  0  the step is on standard output
  1  refused; a `refusal` frame on standard output gives the reason and the fix
  2  wrong usage; see standard error
  3  the step asks the user; each answer has its command on standard output
  4  standard output cannot be written; the step may have done its work

Every step prints the command that comes next; start with --step 1."""


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
    """Return the context of a call, with the list that a step with a roster reads from standard input."""
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
    """Parse and check the arguments of a step. Raises UsageError, which says what to write instead."""
    arguments = _parser(workflow, tuple(forms)).parse_args(words)
    if arguments.total_steps not in (None, workflow.total_steps):
        raise UsageError(
            f"--total-steps {arguments.total_steps}: {workflow.name} has {workflow.total_steps} "
            f"steps; leave the flag out"
        )
    given: dict[str, Value] = {
        name: "--" if value == [] else value  # argparse turns a value `--` into []
        for name in workflow.parameters
        if (value := getattr(arguments, name)) is not None
    }
    return Call(arguments.step, workflow.context(arguments.step, given), arguments.form)


@lru_cache(64)
def _parser(workflow: Workflow, forms: tuple[str, ...]) -> Parser:
    numbered = [f"  {number}  {step.title}" for number, step in enumerate(workflow.steps.values(), 1)]
    parser = Parser(
        prog=f"python3 -m {workflow.module}",
        description=f"{workflow.description}\n\nsteps:\n" + "\n".join(numbered),
        epilog=EPILOG,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--step", type=_whole_number, required=True, metavar="N", help=f"the step to print, 1 to {workflow.total_steps}"
    )
    parser.add_argument("--total-steps", type=_whole_number, metavar="M", help=argparse.SUPPRESS)
    parser.add_argument("--format", dest="form", choices=forms, default="xml", help="output format (default: xml)")
    for parameter in workflow.parameters.values():
        _add(parser, parameter, workflow)
    return parser


def _add(parser: argparse.ArgumentParser, parameter: Parameter, workflow: Workflow) -> None:
    takers = workflow.takers(parameter.name)
    where = f"steps {takers}" if "," in takers else f"step {takers}"
    default = "" if parameter.default is None else f" (default: {parameter.default})"
    help_text = f"{where}: {parameter.arg.description or parameter.name}; {parameter.legal}{default}".replace("%", "%%")
    if parameter.type is bool:
        parser.add_argument(parameter.flag, action=argparse.BooleanOptionalAction, help=help_text)
    else:
        parser.add_argument(parameter.flag, type=_reader(parameter), metavar="X", help=help_text)


def _reader(parameter: Parameter) -> Callable[[str], Value]:
    def read(text: str) -> Value:
        try:
            return parameter.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r:.60} is not a step number; write it in digits")
    return int(text)
