"""Command lines of scripts that loop by flags. The planner does not use them."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from ..util.characters import MAX_DIGITS
from ..util.output import DONE, REFUSED, UNSAID, USAGE, printed, ready, say
from .text import format_text_output
from .types import GuidanceResult, QRState, Step
from .xml import format_step_output


class _Parser(argparse.ArgumentParser):
    """A parser whose messages cannot act on a terminal, even if they quote control characters."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.format_usage()}{self.prog}: error: {message}")
        raise SystemExit(USAGE)

    def print_help(self, file: object = None) -> NoReturn:
        raise SystemExit(printed(self.format_help().rstrip("\n"), DONE))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise argparse.ArgumentTypeError(f"{text!r:.60} is not a whole number of at most {MAX_DIGITS} digits")
    return int(text)


def _say(made: Callable[[], str], script: str) -> None:
    """Print the step. If it cannot be made or printed, exit with the status for that."""
    try:
        text = made()
    except ValueError as error:
        say(f"{script}: {error}; the maintainer of the script must change the step")
        raise SystemExit(REFUSED) from None
    if printed(text, DONE) != DONE:
        raise SystemExit(UNSAID)


def add_qr_args(parser: argparse.ArgumentParser) -> None:
    """Add --qr-iteration, --qr-fail and --qr-status."""
    parser.add_argument("--qr-iteration", type=_number, default=1, help="number of the review round (default: 1)")
    parser.add_argument("--qr-fail", action="store_true", help="the work step fixes what a review found")
    parser.add_argument("--qr-status", choices=["pass", "fail"], help="the verdict, for a gate")


def qr_state(arguments: argparse.Namespace) -> QRState:
    """Return the state given by those flags."""
    return QRState(arguments.qr_iteration, arguments.qr_fail, arguments.qr_status)


def mode_main(
    script_file: str,
    get_step_guidance: Callable[..., GuidanceResult | Mapping[str, Any]],
    description: str,
    extra_args: Sequence[tuple[Sequence[str], Mapping[str, Any]]] = (),
    argv: Sequence[str] | None = None,
) -> None:
    """Print the step that `get_step_guidance(step, total, script, **flags)` describes. Wrong usage exits with 2.

    `extra_args` are arguments of `add_argument`: names, and keywords.
    """
    parser = _Parser(description=description, allow_abbrev=False)
    _add_steps(parser)
    add_qr_args(parser)
    for names, keywords in extra_args:
        parser.add_argument(*names, **keywords)
    ready()
    given = vars(parser.parse_args(argv))
    step, total = _steps(parser, given.pop("step"), given.pop("total_steps"))
    script = script_file.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    guidance = get_step_guidance(step, total, script_file, **given)
    if not isinstance(guidance, GuidanceResult):
        guidance = GuidanceResult(guidance["title"], guidance["actions"], guidance["next"])
    _say(
        lambda: format_step_output(script, step, total, guidance.title, guidance.actions, guidance.next, step == 1),
        script,
    )


def workflow_main(steps: Mapping[int, Step], script: str, description: str, argv: Sequence[str] | None = None) -> None:
    """Print a step of a dictionary of steps as plain text. Wrong usage exits with 2."""
    parser = _Parser(prog=script, description=description, allow_abbrev=False)
    _add_steps(parser)
    ready()
    arguments = parser.parse_args(argv)
    number, total = _steps(parser, arguments.step, arguments.total_steps)
    if number not in steps:
        parser.error(f"--step {number}: the steps are {', '.join(map(str, sorted(steps)))}")
    following = steps.get(number + 1) if number < total else None
    _say(
        lambda: format_text_output(
            number,
            total,
            steps[number].title,
            steps[number].actions,
            next_title=None if following is None else following.title,
        ),
        script,
    )


def _add_steps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--step", type=_number, required=True, help="the step to print, from 1")
    parser.add_argument("--total-steps", type=_number, required=True, help="number of steps")


def _steps(parser: argparse.ArgumentParser, step: int, total: int) -> tuple[int, int]:
    if not 1 <= step <= total:
        parser.error(f"--step {step}: the steps are 1 to {total}")
    return step, total
