"""`stepscript step`: prints one step, as an agent gets it."""

import click

from ...cli import main as step_main
from ...core import Workflow
from ...discovery import Found
from ..arguments import json_option
from ..forms import forms
from ..output.screen import err
from ..workflow_argument import workflow_argument


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@json_option
@workflow_argument
@click.argument("number", metavar="STEP")
@click.argument("words", metavar="[FLAGS]...", nargs=-1, type=click.UNPROCESSED)
def command(found: Found, number: str, words: tuple[str, ...], as_json: bool) -> int:
    """Print one step of a workflow.

    A step that starts or changes a run does so; a line on standard error says it first.

    Further words go to the step's own script: its flags, listed by `stepscript step WORKFLOW --help`, `--format` (xml,
    text, markdown, json and formats of installed packages), and `--json` for `--format json`. The exit status is the
    script's too.
    """
    if _changes_state(found.workflow, number):
        err().line(
            (f"step {number} of {found.workflow.name} is not only printed: it changes the files of a run", "yellow")
        )
    called = (number, *words) if number.startswith("-") else ("--step", number, *words)
    if as_json:
        called = (*called, "--format=json")
    if "json" not in found.workflow.parameters:
        called = tuple("--format=json" if word == "--json" else word for word in called)
    return step_main(found.home, called, forms())


def _changes_state(workflow: Workflow, number: str) -> bool:
    """Return True if printing a step starts or changes a run."""
    steps = {str(at): step for at, step in enumerate(workflow.steps.values(), 1)}
    return number in steps and steps[number].changes_state
