"""The scripted reader follows pages, and refuses pages that cannot be followed."""

import pytest

from lib.workflow.ast.relay import Answer, NeedsUserInput, Option, Question, UserResponse
from lib.workflow.command import Command
from lib.workflow.handlers.ask_user import answered
from lib.workflow.render.xml import render
from lib.workflow.testing import reader as reading
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Page, Reader, ReaderError, Simple
from lib.workflow.types import AgentRole
from tests.subjects import PROOF, first

ANALYSIS = PROOF.targets.workflows["skills.problem_analysis.analyze"]
DESK = PROOF.targets.workflows["tests.workflows.desk.run"]
QUESTIONS = NeedsUserInput(
    (Question(header="Which", text="Which one?", options=(Option(label="this"), Option(label="that"))),)
)


class Asking(Simple):
    """An agent whose agents ask once before they reply; its user drops the request in the end."""

    def __init__(self) -> None:
        super().__init__(rounds=1)
        self.prompts: list[str] = []

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        header = questions.questions[0].header
        return super().answer(questions) if header == "Which" else answered(questions, {header: "drop it"})

    def reply(self, page: Page) -> str:
        if page.role is AgentRole.DEVELOPER:
            self.prompts.append(page.prompt)
        return "PASS" if "<user_response>" in page.prompt or page.role is AgentRole.ORCHESTRATOR else render(QUESTIONS)


@pytest.fixture
def state() -> None:
    PROOF.stage.ready(DESK, "open")


@pytest.mark.parametrize("rounds", range(6))
def test_loop_runs_as_often_as_the_policy_and_its_limit_allow(rounds: int) -> None:
    reader = Reader(Simple(rounds=rounds, seed=3), run_here)
    reader.read(first(ANALYSIS))
    steps = [page.header.step for page in reader.visited]
    assert steps[-1] == ANALYSIS.total_steps
    assert steps.count(3) in (0, min(rounds + 1, 5))


def test_sub_agent_that_must_launch_another_is_a_fault(state: None) -> None:
    with pytest.raises(ReaderError, match="sub-agent"):
        Reader(Asking(), run_here).read(first(DESK))


def test_questions_go_to_the_user_and_the_agent_is_relaunched_with_answers(
    state: None,
) -> None:
    review = PROOF.targets.workflows["tests.workflows.review.run"]
    given = PROOF.stage.given(DESK)
    full, quick = review.command("plan", given), review.command("plan", {**given, "mode": "quick"})

    def run(command: Command, given: str = "") -> Ran:
        return PROOF.processes.run(quick if command == full else command, given)

    mind = Asking()
    reader = Reader(mind, run)
    assert reader.read(first(DESK)) == "PASS"
    asked, shown = mind.prompts[:2]
    assert asked == "Meet a <request> & more"
    assert shown == f"{asked}\n\n{render(UserResponse((Answer(header='Which', text='this'),)))}"
    assert [page.header.title for page in reader.visited if page.header.script == "desk"][-3:] == [
        "Ask",
        "Ask",
        "Close",
    ]


@pytest.mark.parametrize(
    ("ran", "says"),
    [
        (Ran(1, "<refusal/>", ""), r"\b1\b.*<refusal/>"),
        (Ran(2, "", "no such flag"), "no such flag"),
        (Ran(0, "<step_header>", ""), "1:14: step_header"),
    ],
)
def test_page_that_cannot_be_followed_ends_the_simulation(ran: Ran, says: str) -> None:
    def run(command: Command, given: str = "") -> Ran:
        return ran

    with pytest.raises(ReaderError, match=f"(?s){says}"):
        Reader(Simple(), run).read(first(ANALYSIS))


def test_endless_simulation_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST", 1)
    with pytest.raises(ReaderError, match=r"\b1\b"):
        Reader(Simple(), run_here).read(first(ANALYSIS))
