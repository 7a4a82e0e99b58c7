"""The planner from a request to an approved plan, by a simulated agent that follows pages."""

import os
import shutil
from pathlib import Path

import pytest

from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Reader
from lib.workflow.types import AgentRole
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import Run
from skills.planner.simulation.pages import text_of
from skills.planner.simulation.plan import PLAN
from skills.planner.state.run_state import RunState
from tests.skills.planner.mortal import KilledError, Mortal, all_are_valid, reading, resumed

PLANNING = (Phase.PLAN_DESIGN, Phase.PLAN_CODE, Phase.PLAN_DOCS)
ANSWER = "- Store: memory"
START = ("--step", "1", "--task", "Limit each caller's requests")


def rehearse(state_dir: str, pages: int = 0) -> Reader:
    return reading(Mortal(run_here), state_dir, pages)


def begin(state_dir: str) -> Command:
    return Command("skills.planner.orchestrator.planner", (*START, "--state-dir", state_dir))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Reader]:
    """Return a finished run, and its reader."""
    state_dir = str(tmp_path_factory.mktemp("run") / "it's a $run é")
    reader = rehearse(state_dir)
    reader.read(begin(state_dir))
    return state_dir, reader


def outcome(state_dir: str) -> tuple[object, ...]:
    """Return the results of a run, apart from its place."""
    state = RunState(state_dir)
    run: Run = state.run
    return state.plan, run.gates, [each.failed for each in run.rounds], run.answers, run.approval


def test_planning_ends_approved_after_a_failed_review_in_each_phase(finished: tuple[str, Reader]) -> None:
    state_dir, _ = finished
    run = RunState(state_dir).run
    assert [gate.phase for gate in run.gates] == list(PLANNING)
    assert [(each.phase, each.iteration, each.failed) for each in run.rounds] == [
        (phase, 1, frozenset({"qa-002"})) for phase in PLANNING
    ]
    assert run.approval == run.gates[-1].plan_digest
    assert not [name for name in os.listdir(state_dir) if name.startswith("qr-")]
    assert [answer.text for answer in run.answers] == ["memory"]


def test_every_page_of_the_run_is_valid_against_its_schema(finished: tuple[str, Reader]) -> None:
    all_are_valid(finished[1].visited)


def test_the_plan_is_written_for_people_too(finished: tuple[str, Reader]) -> None:
    text = Path(finished[0], "plan.md").read_text(encoding="utf-8")
    assert all(each.name in text for each in PLAN.milestones)


def test_plan_made_by_commands_equals_the_plan_of_the_executor_tests(
    finished: tuple[str, Reader],
) -> None:
    plan = RunState(finished[0]).plan
    assert plan.waves == PLAN.waves
    assert [each.code_intents for each in plan.milestones] == [each.code_intents for each in PLAN.milestones]
    made = [(change.file, change.intent_ref) for each in plan.milestones for change in each.code_changes]
    assert made == [(change.file, change.intent_ref) for each in PLAN.milestones for change in each.code_changes]
    assert plan.planning_context.decisions == PLAN.planning_context.decisions
    assert [each.graph for each in plan.diagram_graphs] == [each.graph for each in PLAN.diagram_graphs]


def test_answer_is_on_the_page_of_every_agent_that_is_launched_after_it(finished: tuple[str, Reader]) -> None:
    firsts = [page for page in finished[1].visited if "/brief.md" in text_of(page)]
    asked, *others = (page for page in firsts if page.role is not AgentRole.ORCHESTRATOR)
    assert asked.header.script == "plan-design-execute"
    assert ANSWER not in text_of(asked)
    assert others
    assert all(ANSWER in text_of(page) for page in others)


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.thorough)])
def test_killed_planning_resumes_to_the_same_end(finished: tuple[str, Reader], tmp_path: Path, every: int) -> None:
    pages = len(finished[1].visited)
    for killed in range(1, pages, every):
        state_dir = str(tmp_path / f"run {killed}")
        with pytest.raises(KilledError):
            rehearse(state_dir, killed).read(begin(state_dir))
        (due,) = resumed(state_dir)
        rehearse(state_dir).read(due)
        assert outcome(state_dir) == outcome(finished[0]), killed
        shutil.rmtree(state_dir)


class Torn(Mortal):
    """A planner that is killed between writing a milestone's files and recording them."""

    records: int = 0

    def do(self, command: Command, given: str = "") -> Ran:
        self.records -= "record-changes" in command.words
        if "record-changes" in command.words and not self.records:
            raise KilledError
        return super().do(command, given)


@pytest.mark.parametrize("killed", [1, 2, 3])
def test_files_written_before_a_kill_are_recorded_for_their_own_milestone(
    finished: tuple[str, Reader], tmp_path: Path, killed: int
) -> None:
    state_dir, torn = str(tmp_path / "run"), Torn(run_here)
    torn.records = killed
    with pytest.raises(KilledError):
        reading(torn, state_dir).read(begin(state_dir))
    (due,) = resumed(state_dir)
    rehearse(state_dir).read(due)
    assert outcome(state_dir) == outcome(finished[0])
