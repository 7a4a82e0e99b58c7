"""The graph of the decision critic; an agent that answers a question cannot know the decision."""

import re

import pytest

from lib.workflow.ast.dispatch import RosterForm
from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import walk
from lib.workflow.core import AgentChoice, Outcome, Task, UsageError
from lib.workflow.render.text import render_text
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, Simple
from skills.decision_critic.subagent_workflow import WORKFLOW as SUBAGENT
from skills.decision_critic.workflow import (
    ANSWERS,
    MAX_DECISION,
    MAX_QUESTIONS,
    PAGES,
    WORKFLOW,
    Depth,
    short_pages,
)
from tests.skills.reading import NAME, named, of_agents, own
from tests.wording import elided

DECISION = "We'll drop <Redis> & keep $HOME; {{round}} ]]> 100%"
QUESTIONS = "- E1: Q1: Which process writes /srv/a.log?\n  Q2: What does it write first?\n- E2: Q7: When?"


class Critic(Simple):
    """An agent that finds a decision, and has questions about it."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        return next(way for way in ways if way is not Outcome.FAIL)

    def tasks(self, page: Page, form: RosterForm) -> str:
        return QUESTIONS


def texts(page: Page) -> str:
    """Return the text of the page's action."""
    blocks = (block for block in page.document.blocks if isinstance(block, CurrentAction))
    return "\n".join(node.value for block in blocks for node in walk(block) if isinstance(node, Text))


@pytest.fixture(scope="module")
def visited() -> list[Page]:
    """Return every page of one run, including those of the agents."""
    reader = Reader(Critic(), run_here)
    reader.read(WORKFLOW.command("extract", {"decision": DECISION}))
    return reader.visited


def test_it_has_seven_steps() -> None:
    assert list(WORKFLOW.steps) == ["extract", "classify", "questions", "answer", "contrary", "reframe", "verdict"]


def test_each_entry_goes_to_an_agent_that_cannot_know_the_decision(visited: list[Page]) -> None:
    pages = of_agents(visited)
    assert [page.prompt for page in pages] == [
        "Q1: Which process writes /srv/a.log?\nQ2: What does it write first?",
        "Q7: When?",
    ]
    assert {page.command.words for page in pages} == {("--step", "1")}
    assert all("Redis" not in render_text(page.document) for page in pages)
    assert not SUBAGENT.parameters


def test_only_the_first_command_carries_the_decision(visited: list[Page]) -> None:
    first, *others = own(visited)
    assert [page.header.step for page in [first, *others]] == [1, 2, 3, 4, 5, 6, 7]
    assert DECISION in first.command.words
    assert all(DECISION not in page.command.words for page in others)


def test_decision_text_is_shown_only_in_extraction_and_passed_on_as_a_block(visited: list[Page]) -> None:
    shown = [page for page in own(visited) if DECISION in texts(page)]
    assert [page.header.title for page in shown] == [WORKFLOW.steps["extract"].title]
    naming = [page.header.step for page in own(visited) if "ASKED" in named([page])]
    assert naming == [1, 7]


@pytest.mark.parametrize(("depth", "steps"), [(Depth.FULL, [1, 2, 3, 4, 5, 6, 7]), (Depth.SHORT, [1, 5, 7])])
def test_a_short_test_is_structure_contrary_and_verdict_without_agents(depth: Depth, steps: list[int]) -> None:
    reader = Reader(Critic(), run_here)
    reader.read(WORKFLOW.command("extract", {"decision": DECISION, "depth": depth}))
    assert [page.header.step for page in own(reader.visited)] == steps
    assert bool(of_agents(reader.visited)) is (depth is Depth.FULL)


@pytest.mark.parametrize("depth", list(Depth))
def test_the_first_page_names_the_steps_of_a_short_test_because_the_header_counts_all(depth: Depth) -> None:
    context = WORKFLOW.context("extract", {"decision": DECISION, "depth": depth})
    named = [int(number) for number in re.findall(r"\d+", short_pages(context))]
    steps = [WORKFLOW.number(step) for step in PAGES]
    assert named == ([len(PAGES), *steps[1:], WORKFLOW.total_steps] if depth is Depth.SHORT else [])
    assert steps == [1, 5, 7]


@pytest.mark.parametrize("depth", list(Depth))
def test_a_page_names_marks_and_frames_only_if_this_depth_makes_them(depth: Depth) -> None:
    reader = Reader(Critic(), run_here)
    reader.read(WORKFLOW.command("extract", {"decision": DECISION, "depth": depth}))
    first, *_, last = own(reader.visited)
    assert ("`FRAMES`" in texts(last)) is (depth is Depth.FULL)
    assert ("C1 needs it | open" in texts(first)) is (depth is Depth.SHORT)
    assert "supports`.\n\n    STRUCTURE" in texts(first) or depth is Depth.SHORT


@pytest.mark.parametrize(
    ("step", "outcome", "target"),
    [
        ("extract", Outcome.FAIL, "verdict"),
        ("classify", Outcome.SKIP, "contrary"),
        ("questions", Outcome.SKIP, "contrary"),
    ],
)
def test_steps_without_claims_or_questions_are_skipped(step: str, outcome: Outcome, target: str) -> None:
    pages = {"decision": DECISION} if step == "extract" else {}
    result = WORKFLOW.outcomes(step, WORKFLOW.context(step, pages))
    assert isinstance(result, AgentChoice)
    assert set(result.ways) == {Outcome.OK, outcome}
    assert WORKFLOW.steps[step].target(outcome) == target


@pytest.mark.parametrize("depth", list(Depth))
def test_each_block_that_a_page_names_is_written_at_this_depth(depth: Depth) -> None:
    reader = Reader(Critic(), run_here)
    reader.read(WORKFLOW.command("extract", {"decision": DECISION, "depth": depth}))
    written = "\n".join(texts(page) for page in own(reader.visited))
    assert set(NAME.findall(written)) <= set(re.findall(r"^ {4}([A-Z]{3,})\b", written, re.MULTILINE))


def test_an_entry_can_hold_half_of_the_questions() -> None:
    questions = "\n".join(f"Q{n}: " + "what does it print? ".ljust(280, "x") for n in range(MAX_QUESTIONS // 2))
    assert not list(ANSWERS.faults([Task("E1", questions)]))


def test_a_decision_is_one_line_and_a_longer_one_goes_into_a_file() -> None:
    WORKFLOW.context("extract", {"decision": "x" * MAX_DECISION})
    with pytest.raises(UsageError, match=elided("300 characters: … 301")):
        WORKFLOW.context("extract", {"decision": "x" * (MAX_DECISION + 1)})
    with pytest.raises(UsageError, match=r"U\+000A"):
        WORKFLOW.context("extract", {"decision": "x\ny"})
