"""Law 5, for unusual values: each named step accepts them as the first does; else they are refused at once."""

from collections.abc import Iterator
from typing import Final

import pytest

from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.testing.inprocess import run_here, run_module
from lib.workflow.util.output import DONE, REFUSED, USAGE, WAITING
from tests.subjects import PROOF, WORKFLOWS

STRANGE: Final = (
    *("x; rm -rf /", "$(id)", "../../etc/passwd", "M-999", "M-1", "m-001", "C-999", "Q-001:99", "qa-001,", ",", "qa-x"),
    *("--step", "-1", "\u00e9", " x", "M-001 ", "a b'c\"d", "<x/>", "]]>", "{{x}}", "0" * 300),
)


def subjects() -> Iterator[tuple[Workflow, str, str]]:
    """Yield each step with a free text: its workflow, its id, the text's name."""
    for workflow in WORKFLOWS:
        for name in workflow.steps:
            for parameter in workflow.taken_by(name).values():
                if parameter.type is str and not parameter.choices and not parameter.arg.path:
                    yield workflow, name, parameter.name


@pytest.mark.parametrize(
    ("workflow", "step", "name"), list(subjects()), ids=lambda value: value if isinstance(value, str) else value.name
)
def test_a_value_that_a_step_takes_is_taken_by_each_step_that_it_names(
    workflow: Workflow, step: str, name: str
) -> None:
    case = next(case for case in PROOF.cases[workflow.name] if case.step_id == step)
    flag = workflow.parameters[name].flag
    for value in STRANGE:
        words = [*_without(case.command, flag), f"{flag}={value}"]
        PROOF.stage.ready(workflow, step)
        came = run_module(workflow.module, words)
        assert came.status in (DONE, REFUSED, USAGE, WAITING), came
        if came.status not in (DONE, WAITING):
            continue
        for node in walk(parse(came.out)):
            if isinstance(node, Invoke) and node.command.module in PROOF.targets.workflows:
                assert run_here(node.command).status != USAGE, (value, str(node.command))


def _without(command: Command, flag: str) -> Iterator[str]:
    words = iter(command.words)
    for word in words:
        if word == flag:
            next(words)
        elif not word.startswith(f"{flag}="):
            yield word


def test_some_steps_carry_values() -> None:
    assert {name for _, _, name in subjects()} >= {
        "milestone",
        "qr_items",
        "qr_item",
        "candidates",
        "dimensions",
        "task",
    }
