"""The graph of deep thinking: the steps of each mode, the end of its loop, and what its agents do not see."""

import pytest

from lib.workflow.ast.dispatch import RosterForm
from lib.workflow.ast.step import InvokeAfter
from lib.workflow.core import AgentChoice, Outcome, UsageError, Workflow
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, Simple
from lib.workflow.types import AgentRole
from skills.deepthink.limits import MAX_ROUNDS
from skills.deepthink.subagent_workflow import WORKFLOW as SUBAGENT
from skills.deepthink.workflow import WORKFLOW, Mode
from tests.skills.reading import named, of_agents, own

LINES = ("What? <&> {{x}} ]]>\nYour line: the code", "What?\nYour line: the law")
LIST = "\n".join(f"- V{n}: " + line.replace("\n", "\n  ") for n, line in enumerate(LINES))
FULL_ONLY = ["perspectives", "critique", "revise", "dispatch", "gate", "aggregate"]


class Thinker(Simple):
    """An agent that finds a question and lines of inquiry, keeps replies or not, and never stops refining."""

    def __init__(self, keeps: bool = True, changes: bool = True) -> None:
        super().__init__()
        self.keeps = keeps
        self.changes = changes

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        if page.header.title == WORKFLOW.steps["gate"].title and not self.keeps:
            return Outcome.FAIL
        if page.header.title == WORKFLOW.steps["critique"].title and self.changes:
            return Outcome.FAIL
        return Outcome.ITERATE if Outcome.ITERATE in ways else Outcome.OK

    def tasks(self, page: Page, form: RosterForm) -> str:
        return LIST


def run(mode: Mode, keeps: bool = True, changes: bool = True) -> list[Page]:
    reader = Reader(Thinker(keeps, changes), run_here)
    reader.read(WORKFLOW.command("clarify", {"mode": mode}))
    return reader.visited


def own_steps(visited: list[Page]) -> list[int]:
    """Return the numbers of the orchestrator's pages, each round of the loop once."""
    return list(dict.fromkeys(page.header.step for page in own(visited)))


@pytest.fixture(scope="module")
def full() -> list[Page]:
    return run(Mode.FULL)


@pytest.fixture(scope="module")
def quick() -> list[Page]:
    return run(Mode.QUICK)


def test_workflow_has_fourteen_steps_and_its_agent_five() -> None:
    assert list(WORKFLOW.steps)[5:11] == FULL_ONLY
    assert (WORKFLOW.total_steps, SUBAGENT.total_steps) == (14, 5)


def test_steps_count_from_one() -> None:
    assert [WORKFLOW.number(step) for step in WORKFLOW.steps] == list(range(1, 15))
    with pytest.raises(UsageError, match=r"\b0\b"):
        WORKFLOW.step(0)


def test_full_mode_goes_through_every_step_and_every_round(full: list[Page]) -> None:
    assert own_steps(full) == list(range(1, 15))
    refined = [page for page in full if page.header.title == WORKFLOW.steps["refine"].title]
    assert len(refined) == MAX_ROUNDS == 5


def test_quick_mode_skips_the_steps_of_full_mode_and_launches_no_agent(quick: list[Page]) -> None:
    assert own_steps(quick) == [1, 2, 3, 4, 5, 12, 13, 14]
    assert {page.role for page in quick} == {AgentRole.ORCHESTRATOR}


def test_with_too_few_replies_the_answer_is_drafted_as_in_quick_mode() -> None:
    visited = run(Mode.FULL, keeps=False)
    assert own_steps(visited) == [n for n in range(1, 15) if n != WORKFLOW.number("aggregate")]
    (drafted,) = (page for page in visited if page.header.title == WORKFLOW.steps["synthesis"].title)
    assert drafted.command.words == ("--step", "12", "--mode", "quick")


def test_lines_that_stay_apart_from_words_are_not_checked_again() -> None:
    visited = run(Mode.FULL, changes=False)
    assert own_steps(visited) == [n for n in range(1, 15) if n != WORKFLOW.number("revise")]


@pytest.mark.parametrize("step", FULL_ONLY)
def test_a_step_that_quick_mode_leaves_out_takes_no_mode(step: str) -> None:
    with pytest.raises(UsageError, match="mode"):
        WORKFLOW.context(step, {"mode": Mode.QUICK})


@pytest.mark.parametrize(
    ("mode", "outcome", "target"), [(Mode.FULL, Outcome.OK, "perspectives"), (Mode.QUICK, Outcome.SKIP, "synthesis")]
)
def test_given_mode_chooses_the_next_step_and_prints_one_command(mode: Mode, outcome: Outcome, target: str) -> None:
    context = WORKFLOW.context("plan", {"mode": mode})
    result = WORKFLOW.outcomes("plan", context)
    assert isinstance(result, tuple)
    assert result[0] is outcome
    assert WORKFLOW.steps["plan"].target(outcome) == target
    after = WORKFLOW.run("plan", context).blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert after.invoke is not None
    assert after.invoke.command.words[:2] == ("--step", str(WORKFLOW.number(target)))


def test_without_a_mode_step_3_prints_a_command_for_each_mode() -> None:
    after = WORKFLOW.run("characterize", WORKFLOW.context("characterize")).blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert [(branch.when, branch.invoke.command.words) for branch in after.branches] == [
        (f"MODE is {mode}", ("--step", "4", "--mode", mode)) for mode in Mode
    ]


def test_a_mode_that_was_given_is_not_chosen_again(quick: list[Page]) -> None:
    began = [page for page in quick if page.header.step <= WORKFLOW.number("plan")]
    assert [page.command.words for page in began] == [("--step", str(n), "--mode", "quick") for n in range(1, 6)]
    assert not isinstance(
        WORKFLOW.outcomes("characterize", WORKFLOW.context("characterize", {"mode": Mode.QUICK})), AgentChoice
    )


@pytest.mark.parametrize(("workflow", "last"), [(WORKFLOW, "answer"), (SUBAGENT, "output")], ids=["own", "agent"])
def test_without_a_question_the_last_step_says_so_at_once(workflow: Workflow, last: str) -> None:
    assert workflow.steps[workflow.entry_point].target(Outcome.FAIL) == last


def test_each_agent_goes_its_five_steps_with_its_own_line_and_nothing_else(full: list[Page]) -> None:
    pages = of_agents(full)
    assert [(page.prompt, page.header.step) for page in pages] == [(line, n) for line in LINES for n in range(1, 6)]
    assert {page.command.words for page in pages} == {("--step", str(n)) for n in range(1, 6)}
    assert not SUBAGENT.parameters


def test_an_agents_pages_name_no_block_of_those_who_launched_it(full: list[Page]) -> None:
    theirs, ours = named(of_agents(full)), named(own(full))
    assert {"GROUNDS", "ANALYSIS"} <= theirs
    assert {"CRITIQUE", "AGGREGATE", "DRAFT"} <= ours
    assert not theirs & ours
