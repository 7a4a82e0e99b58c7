"""A question to the user before a command changes something."""

import sys

import click

from ...errors import RefusedError


def confirm(question: str, unasked: RefusedError, default: bool = False) -> None:
    """Ask the user at a terminal.

    Args:
        question: A question that "yes" or "no" answers.
        unasked: The refusal if nobody can be asked.
        default: The answer of an empty line.

    Raises:
        RefusedError: Standard input is not a terminal, or the command prints JSON for a program.
        click.Abort: The user says no.
    """
    if not can_ask():
        raise unasked
    click.confirm(question, default=default, abort=True, err=True)


def can_ask() -> bool:
    """Return True if a person can answer: at a terminal, of a command that prints no JSON."""
    ctx = click.get_current_context(silent=True)
    for_program = ctx is not None and ctx.params.get("as_json", False)
    return not for_program and sys.stdin is not None and sys.stdin.isatty()
