"""The graph of the codebase analysis; an explorer knows only its own part."""

import pytest

from lib.workflow.ast.dispatch import RosterForm
from lib.workflow.core import Outcome, Task, Workflow
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, Simple
from lib.workflow.types import AgentRole
from skills.codebase_analysis.subagent_workflow import WORKFLOW as SUBAGENT
from skills.codebase_analysis.workflow import EXPLORERS, MAX_QUESTIONS, MAX_ROUNDS, WORKFLOW
from tests.skills.reading import own

PARTS = ("Part: /srv/a <&> {{x}} ]]>\nQ1: Which module writes?", "Part: /srv/b\nQ1: Which module writes?")
LIST = "- P1: Part: /srv/a <&> {{x}} ]]>\n  Q1: Which module writes?\n- P2: Part: /srv/b\n  Q1: Which module writes?"


class Curious(Simple):
    """An agent that finds code, divides it into two parts, and leaves something open in every round but the last."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        return Outcome.ITERATE if Outcome.ITERATE in ways else Outcome.OK

    def tasks(self, page: Page, form: RosterForm) -> str:
        return LIST


@pytest.fixture(scope="module")
def visited() -> list[Page]:
    """Return every page of one run, including those of the explorers."""
    reader = Reader(Curious(), run_here)
    reader.read(WORKFLOW.command("scope", {}))
    return reader.visited


def test_workflow_and_its_explorer_have_four_steps_each() -> None:
    assert list(WORKFLOW.steps) == ["scope", "survey", "investigate", "synthesize"]
    assert list(SUBAGENT.steps) == ["orient", "map", "extract", "report"]


def test_rounds_that_always_leave_something_open_end_all_the_same(visited: list[Page]) -> None:
    assert MAX_ROUNDS == 4
    assert [page.header.step for page in own(visited)] == [1, 2, *[3] * MAX_ROUNDS, 4]


def test_each_explorer_goes_its_four_steps_with_its_own_part_and_nothing_else(visited: list[Page]) -> None:
    pages = [page for page in visited if page.role is AgentRole.EXPLORE]
    assert [(page.prompt, page.header.step) for page in pages] == [(part, n) for part in PARTS for n in (1, 2, 3, 4)]
    assert {page.command.words for page in pages} == {("--step", str(n)) for n in (1, 2, 3, 4)}
    assert not SUBAGENT.parameters


def test_an_entry_can_hold_every_question_word_for_word() -> None:
    questions = "\n".join(f"Q{n}: " + "which place does not keep it? ".ljust(160, "x") for n in range(MAX_QUESTIONS))
    assert not list(EXPLORERS.faults([Task("P1", f"Part: /srv/a\n{questions}")]))


@pytest.mark.parametrize(("workflow", "end"), [(WORKFLOW, "synthesize"), (SUBAGENT, "report")], ids=["own", "explorer"])
def test_workflow_without_anything_to_read_leads_to_its_end(workflow: Workflow, end: str) -> None:
    assert workflow.steps[workflow.entry_point].target(Outcome.FAIL) == end


def test_an_explorer_of_single_places_makes_no_map() -> None:
    ways = SUBAGENT.steps["orient"]
    assert (ways.target(Outcome.OK), ways.target(Outcome.SKIP)) == ("map", "extract")
