"""The composition root of a step script: arguments in, one printed step out, and the exit status that goes with it."""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, TypeAlias

from .ast.declare import Node
from .characters import printable
from .core import StepContext, UsageError, Workflow, WorkflowError
from .errors import RefusedError
from .output import OutputError, use_utf_8, write
from .parameters import Parameter, Value

if TYPE_CHECKING:
    from .modes import add_qr_args as add_qr_args
    from .modes import mode_main as mode_main
    from .modes import workflow_main as workflow_main

DONE, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit statuses (law 11). 3, waiting for the user, is not used yet."""

EPILOG = """\
exit status:
  0  the step is on standard output
  1  refused; a `refusal` frame on standard output says why, and what to do instead
  2  wrong usage, said on standard error

Every step prints the command that comes next; start with --step 1."""


Renderer: TypeAlias = Callable[[Node], str]
Forms: TypeAlias = Mapping[str, Callable[[], Renderer]]
"""Forms by name, each with what loads it."""


class Call(NamedTuple):
    """What a command line asks for."""

    step: int
    context: StepContext
    form: str


class _Help(argparse.RawDescriptionHelpFormatter):
    """argparse makes a formatter for each argument, and that one imports shutil to ask the terminal for its width."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns
        except (OSError, ValueError):
            width = 80
        super().__init__(prog, max_help_position=28, width=max(width, 40) - 2)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def main(home: str, argv: Sequence[str] | None = None, forms: Forms | None = None) -> int:
    """Runs one step of the WORKFLOW in the module `home` and returns the exit status. `forms`: those to choose from.

    A fault of the workflow, or of ours, becomes a refusal on standard output: a traceback teaches an agent nothing.
    """
    use_utf_8()
    try:
        status, printed = _run(home, list(sys.argv[1:] if argv is None else argv), FORMS if forms is None else forms)
        write(printed)
        return status
    except UsageError as error:
        print(f"{error}\nTry the same command with --help.", file=sys.stderr)
        return USAGE
    except OutputError as error:
        print(f"standard output cannot be written: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(home: str, words: list[str], forms: Forms) -> tuple[int, str]:
    try:
        workflow = load(home)
        call = read_call(workflow, words, tuple(forms))
        return DONE, forms[call.form]()(workflow.run(call.step, call.context))
    except UsageError:
        raise
    except RefusedError as error:
        return REFUSED, _refusal(words, error.code, error.target, error.message, error.fix, "error")
    except WorkflowError as error:
        fix = "Stop here and show this to whoever maintains the skill."
        return REFUSED, _refusal(words, "broken-workflow", home, str(error), fix)
    except Exception as error:
        if os.environ.get("STEPSCRIPT_TRACEBACK"):
            raise
        fix = "Stop here and report this; STEPSCRIPT_TRACEBACK=1 in the environment shows where it happened."
        return REFUSED, _refusal(words, "internal-error", home, f"{type(error).__name__}: {error}", fix)


def load(home: str) -> Workflow:
    """The WORKFLOW of a module. Raises WorkflowError where there is none."""
    found: object = getattr(importlib.import_module(home), "WORKFLOW", None)
    if not isinstance(found, Workflow):
        raise WorkflowError(f"module {home}: WORKFLOW is no Workflow; write `WORKFLOW = Workflow(…)`")
    return found


def read_call(workflow: Workflow, words: Sequence[str], forms: Sequence[str] = ("xml", "text")) -> Call:
    """The step that the words ask for, checked. Raises UsageError, which says what to write instead."""
    arguments = _parser(workflow, forms).parse_args(words)
    if arguments.total_steps not in (None, workflow.total_steps):
        raise UsageError(
            f"--total-steps {arguments.total_steps}: {workflow.name} has {workflow.total_steps}; leave it out"
        )
    given: dict[str, Value] = {
        name: "--" if value == [] else value  # what argparse makes of a value `--`
        for name in workflow.parameters
        if (value := getattr(arguments, name)) is not None
    }
    return Call(arguments.step, workflow.context(arguments.step, given), arguments.form)


def _parser(workflow: Workflow, forms: Sequence[str]) -> _Parser:
    numbered = [f"  {number}  {step.title}" for number, step in enumerate(workflow.steps.values(), 1)]
    parser = _Parser(
        prog=f"python3 -m {workflow.module}",
        description=f"{workflow.description}\n\nsteps:\n" + "\n".join(numbered),
        epilog=EPILOG,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--step", type=_whole_number, required=True, metavar="N", help=f"the step to print, 1 to {workflow.total_steps}"
    )
    parser.add_argument("--total-steps", type=_whole_number, metavar="M", help=argparse.SUPPRESS)
    parser.add_argument("--format", dest="form", choices=forms, default="xml", help="how to print it (default: xml)")
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
        raise argparse.ArgumentTypeError(f"{text!r:.60} is no number of a step; write it in digits")
    return int(text)


def _xml() -> Renderer:
    from .render.xml import render

    return render


def _text() -> Renderer:
    from .render.text import render_text

    return render_text


FORMS: Final[Forms] = {"xml": _xml, "text": _text}
"""The forms of a step script; each is imported when it is asked for."""


def _refusal(words: list[str], code: str, target: str, message: str, fix: str, severity: str = "fatal") -> str:
    from .ast.results import Refusal, RefusalSeverity

    form = "text" if "--format=text" in words or ("--format", "text") in pairwise(words) else "xml"
    frame = Refusal(code=code, severity=RefusalSeverity(severity), target=target, message=printable(message), fix=fix)
    return FORMS[form]()(frame)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The command lines of 000's milestone 3, which a step script does not pay for."""
        if name in ("add_qr_args", "mode_main", "workflow_main"):
            from . import modes

            return getattr(modes, name)
        raise AttributeError(name)
