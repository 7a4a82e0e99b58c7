"""The argparse parser of a step script, for help, errors and rare spellings."""

import argparse
from collections.abc import Callable, Sequence
from functools import lru_cache

from ..arguments.parameter import Parameter, Value
from ..core import UsageError, Workflow
from .parser import Help, Parser
from .words import Line, step_number

EPILOG = """\
exit status:
  0  the step is on standard output
  1  refused; a `refusal` frame on standard output gives the reason and the fix
  2  wrong usage; see standard error
  3  the step asks the user; each answer has its command on standard output
  4  standard output cannot be written; the step may have done its work

Every step prints the command that comes next; start with --step 1."""


def parsed(workflow: Workflow, words: Sequence[str], forms: tuple[str, ...]) -> Line:
    """Parse any command line of a step. Raises UsageError, or HelpAskedError."""
    arguments = _parser(workflow, forms).parse_args(words)
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
    return arguments.step, arguments.form, given


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
        "--step",
        type=_reader(step_number),
        required=True,
        metavar="N",
        help=f"the step to print, 1 to {workflow.total_steps}",
    )
    parser.add_argument("--total-steps", type=_reader(step_number), metavar="M", help=argparse.SUPPRESS)
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
        parser.add_argument(parameter.flag, type=_reader(parameter.read), metavar="X", help=help_text)


def _reader(read: Callable[[str], Value]) -> Callable[[str], Value]:
    def shown(text: str) -> Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return shown
