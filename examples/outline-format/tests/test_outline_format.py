"""The outline has each title and command of a page, and no line that is too long."""

from lib.workflow.ast.step import Invoke, StepHeader
from lib.workflow.ast.visitor import walk
from outline_format import WIDEST, render_outline
from skills.problem_analysis.workflow import WORKFLOW


def test_an_outline_has_the_title_and_every_command() -> None:
    for step in WORKFLOW.steps:
        page = WORKFLOW.run(step, WORKFLOW.context(step))
        outline = render_outline(page)
        titles = [node.title for node in walk(page) if isinstance(node, StepHeader)]
        commands = [f"run: {node.command}" for node in walk(page) if isinstance(node, Invoke)]
        assert all(text in outline for text in (*titles, *commands))


def test_texts_are_short() -> None:
    page = WORKFLOW.run(1, WORKFLOW.context(1))
    lines = [line.strip() for line in render_outline(page).splitlines()]
    assert max(len(line) for line in lines if not line.startswith("run: ")) <= WIDEST
