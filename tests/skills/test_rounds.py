"""Steps that loop print their method in the first round, and later the command that prints it again."""

import pytest

from lib.workflow.ast.step import CurrentAction, Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.command import LAUNCHER_VARIABLE
from lib.workflow.core import Workflow
from lib.workflow.discovery import search
from lib.workflow.render.text import render_text

LOOPS = [
    (each.workflow, step.id)
    for each in search("skills")[0]
    for step in each.workflow.steps.values()
    if "iteration" in step.parameters and "method" in step.slots
]


def test_there_are_loops() -> None:
    assert LOOPS


@pytest.mark.parametrize(("workflow", "step"), LOOPS, ids=lambda value: getattr(value, "name", value))
def test_the_method_of_a_loop_is_printed_once(workflow: Workflow, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, "python3")  # commands of one length wherever the checkout is
    whole = workflow.context(step).workflow_params
    first, *later = (
        workflow.run(step, workflow.context(step, {"iteration": n}))
        for n in range(1, (workflow.steps[step].rounds or 0) + 1)
    )
    assert later
    for page in later:
        assert 3 * len(render_text(page)) < 2 * len(render_text(first))
        actions = [block for block in page.blocks if isinstance(block, CurrentAction)]
        again = [node.command for block in actions for node in walk(block) if isinstance(node, Invoke)]
        assert workflow.command(step, whole) in again
