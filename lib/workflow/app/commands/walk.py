"""`stepscript walk`: follows every way through a workflow."""

import click
from attrs import asdict

from ...discovery import Found
from ...util.output import DONE, REFUSED
from ..arguments import json_option
from ..output.screen import Screen, count, emit, out
from ..output.waiting import telling
from ..skills.walking import Walked, walked
from ..workflow_argument import workflow_argument


@click.command()
@workflow_argument
@json_option
def command(found: Found, as_json: bool) -> int:
    """Follow every way through a workflow, for all answers.

    Lists findings: commands that do not run, ways without an end, loops beyond their limits, steps that are never
    reached, pages that are too long or change when repeated. The exit status is then 1. It takes seconds, and up to a
    minute for a long workflow.
    """
    with telling() as tell:
        walk = walked(found, tell)
    if as_json:
        emit(_document(walk))
    else:
        _print(walk, out())
    return REFUSED if walk.findings else DONE


def _document(walk: Walked) -> dict[str, object]:
    return {
        "workflow": walk.workflow.name,
        "starts": [str(command) for command in walk.starts],
        "commands": [
            {"command": str(command), "step": walk.steps[command], "next": [str(way) for way in ways]}
            for command, ways in walk.ways.items()
        ],
        "findings": [asdict(finding) for finding in walk.findings],
    }


def _print(walk: Walked, screen: Screen) -> None:
    numbers = {name: number for number, name in enumerate(walk.workflow.steps, 1)}
    screen.line((walk.workflow.name, "bold"))
    rows = []
    for name, step in walk.workflow.steps.items():
        commands = [command for command, step_id in walk.steps.items() if step_id == name]
        targets = sorted({numbers[walk.steps[way]] for command in commands for way in walk.ways[command]})
        rows.append((f"{numbers[name]:>2}", step.title, str(len(commands)), ", ".join(map(str, targets)) or "-"))
    screen.table(("", "step", "calls", "leads to"), rows)
    screen.line()
    for finding in walk.findings:
        screen.finding(finding.workflow, finding.where, f"{finding.fault}: {finding.what}")
    verdict = (count(len(walk.findings), "finding"), "bold red") if walk.findings else ("every path ends", "bold green")
    screen.line(f"{count(len(walk.ways), 'call')} from {count(len(walk.starts), 'start')}: ", verdict)
