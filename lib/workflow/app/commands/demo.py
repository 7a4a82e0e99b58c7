"""`stepscript demo`: a workflow, run by nobody."""

import click

from ...discovery import Found
from ...output import DONE, REFUSED
from ..arguments import json_option, workflow_argument
from ..demo import DemoError, Shown, demo
from ..screen import Screen, count, emit, err, out


@click.command()
@workflow_argument
@json_option
def command(found: Found, as_json: bool) -> int:
    """Run a workflow to its end, without an agent.

    Each command is run as a process, as it was printed, and every print is read back. Where the agent is to decide, the
    demo takes the first way, or claims a confidence that rises.
    """
    shown: list[Shown] = []
    try:
        for step in demo(found.workflow):
            shown.append(step)
            if not as_json:
                _print(step, out())
    except DemoError as error:
        err().error(f"demo: {error}")
        return REFUSED
    if as_json:
        from ...render.json import JsonRenderer

        emit(
            [
                {"command": str(step.command), "document": step.document.accept(JsonRenderer()), "choice": step.choice}
                for step in shown
            ]
        )
    else:
        out().line((f"-- {count(len(shown), 'step')}; every print was read back as the tree that was rendered.", "dim"))
    return DONE


def _print(step: Shown, screen: Screen) -> None:
    """The command and what it printed, as text."""
    from ...render.text import render_text

    screen.line((f"$ {step.command}", "dim"))
    command_lines = False
    for line in render_text(step.document).split("\n"):
        own = bool(line) and not line.startswith(" ")
        command_lines = line.startswith("NEXT") if own else command_lines
        screen.line((line, "bold" if own else "green" if command_lines else ""))
    screen.line()
    if step.choice:
        screen.line((f"-- {step.choice}", "dim"))
        screen.line()
    screen.stream.flush()
