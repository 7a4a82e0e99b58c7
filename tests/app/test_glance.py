"""Summary of a page for a user who watches a run."""

import pytest

from lib.workflow.app.runs.views.summaries import Glance, answered, asked, glance
from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.relay import Answer, NeedsUserInput, Option, Question, UserResponse
from lib.workflow.ast.step import Complete, CurrentAction, Invoke
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.types import AgentRole

AGENT = Agent(invoke=Invoke(Command("skills.refactor.refactor", ("--step", "1"))))


def page(text: str, agents: int = 0) -> str:
    dispatch = [RosterDispatchNode(agent=AgentRole.EXPLORE, agents=(AGENT,) * agents)] if agents else []
    return render(Document([CurrentAction([Text(text), *dispatch]), Complete()]))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (page("Do it"), Glance("", "")),
        (page("Read:\n\n> Passed.\n> And more"), Glance("", "Passed.")),
        (page("> <b>&", 1), Glance("1 explore agent", "<b>&")),
        (page("a > b", 3), Glance("3 explore agents", "")),
        ("no print at all", Glance("", "")),
    ],
)
def test_summary_of_a_page_names_launched_agents_and_its_first_quote(text: str, seen: Glance) -> None:
    assert glance(text) == seen


def test_questions_and_answers_are_shown_without_their_markup() -> None:
    options = (Option(label="a"), Option(label="b"))
    questions = NeedsUserInput((Question(header="X", text="Which?", options=options),))
    assert asked(render(questions)) == "Which?"
    assert (
        answered(render(UserResponse((Answer(header="X", text="a & b"), Answer(header="Y", text="c"))))) == "a & b, c"
    )
