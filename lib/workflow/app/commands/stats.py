"""`stepscript stats`: how much a workflow prints."""

from typing import TYPE_CHECKING

import click
from attrs import asdict

from ...discovery import Found
from ...output import DONE
from ..arguments import json_option, workflow_argument
from ..screen import Screen, emit, out
from ..waiting import telling

if TYPE_CHECKING:
    from ..measuring import Measured


@click.command()
@workflow_argument
@json_option
def command(found: Found, as_json: bool) -> int:
    """How much a workflow prints, in characters.

    Each step, what the agents read that it launches, and the sum of a run in which every step comes up once. A
    workflow with a state is measured in the states that its proof gives it. It takes seconds, up to a minute.
    """
    from ..measuring import measured  # the proof is much to import, and `stepscript --help` loads every command

    with telling() as tell:
        told = measured(found, tell)
    if as_json:
        emit({**asdict(told), "own": asdict(told.own), "whole": asdict(told.whole)})
    else:
        _print(told, out())
    return DONE


def _print(told: "Measured", screen: Screen) -> None:
    screen.line((told.workflow, "bold"))
    rows = [
        (f"{step.number:>2}", step.title, f"{step.characters:>7,}", _launched(step.agents, step.launched.characters))
        for step in told.steps
    ]
    screen.table(("", "step", "prints", "its agents read"), rows)
    screen.line()
    screen.line(f"{told.own.characters:,} characters in {told.own.pages} pages")
    if told.whole != told.own:
        screen.line(f"{told.whole.characters:,} characters in {told.whole.pages} pages with all agents")


def _launched(agents: int, characters: int) -> str:
    return f"{characters:>7,}  ({agents})" if agents else ""
