"""An approved plan executed on a throw-away project, by a simulated agent that follows pages."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from lib.workflow.ast.dispatch import RosterDispatchNode
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader
from lib.workflow.types import AgentRole
from skills.planner.modules import EXECUTOR
from skills.planner.rehearsal import prepare
from skills.planner.schema.phase import Phase
from skills.planner.simulation.builder import Builder
from skills.planner.simulation.pages import text_of
from skills.planner.simulation.plan import BUILT, CHECK
from skills.planner.simulation.project import API, FILES, commit, git, write
from skills.planner.state.run_state import RunState
from tests.skills.planner.mortal import KilledError, Mortal, all_are_valid, reading, resumed


class MortalBuilder(Mortal, Builder):
    """A builder that is killed."""


def rehearse(state_dir: str, pages: int = 0) -> Reader:
    return reading(MortalBuilder(run_here), state_dir, pages)


def ready(folder: Path) -> str:
    """Make a project whose plan is approved, and return the state directory."""
    state_dir = str(folder / "it's a $run é")
    prepare(first(state_dir))
    return state_dir


def first(state_dir: str) -> Command:
    return Command(EXECUTOR, flags({"step": 1, "state_dir": state_dir}))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Reader]:
    """Return a finished run, and its reader."""
    state_dir = ready(tmp_path_factory.mktemp("execution"))
    reader = rehearse(state_dir)
    reader.read(first(state_dir))
    return state_dir, reader


def outcome(state_dir: str) -> tuple[object, ...]:
    """Return the results of a run: its ledger, and the content of the project's commits."""
    run = RunState(state_dir).run
    log = git(run.project_root, "log", "--format=%T %s").splitlines()
    closed = [(each.at, each.iteration, each.failed) for each in run.rounds]
    checked = [(each.lap, len(each.failed)) for each in run.checks]
    return log, git(run.project_root, "status", "--porcelain"), run.gates, closed, checked, run.answers, run.finished


def pages(reader: Reader, script: str, step: int = 1) -> list[Page]:
    return [page for page in reader.visited if (page.header.script, page.header.step) == (script, step)]


def test_check_that_fails_after_a_wave_applied_as_approved_opens_a_lap(tmp_path: Path) -> None:
    state_dir = ready(tmp_path)
    project = RunState(state_dir).run.project_root
    write(project, API, FILES[API])
    commit(project, "Move back")
    reader = rehearse(state_dir)
    reader.read(first(state_dir))
    run = RunState(state_dir).run
    assert run.finished
    assert [(each.lap, len(each.failed)) for each in run.checks] == [(1, 1), (2, 0)]
    assert run.hand_ins(Phase.IMPL_CODE, 1)[-1].lap == 2
    texts = [text_of(page).splitlines() for page in pages(reader, "impl-code-qr-verify")]
    shown = [line for lines in texts for line in lines if " diff HEAD" in line]
    assert ["--" in line.split() for line in (shown[0], shown[-1])] == [True, False]  # a lap may change any file


def test_execution_ends_with_every_wave_reviewed_and_a_passing_check(finished: tuple[str, Reader]) -> None:
    run = RunState(finished[0]).run
    code, docs = Phase.IMPL_CODE, Phase.IMPL_DOCS
    laps = [("W-001", 1), ("W-002", 1), ("W-002", 2)]
    assert [gate.at for gate in run.gates[3:]] == [(phase, *lap) for lap in laps for phase in (code, docs)]
    failed = [(each.at, each.iteration, each.failed) for each in run.rounds]
    assert failed == [((code, "W-001", 1), 1, frozenset({"qa-002"}))]
    assert [(each.lap, each.failed) for each in run.checks] == [(1, frozenset({CHECK})), (2, frozenset())]
    assert (run.finished, RunState(finished[0]).review(code), RunState(finished[0]).review(docs)) == (True, None, None)


def test_the_code_is_there_committed_and_its_own_tests_pass(finished: tuple[str, Reader]) -> None:
    project = RunState(finished[0]).run.project_root
    assert git(project, "status", "--porcelain") == ""
    assert Path(project, "src/api.py").read_text().startswith(BUILT[:40])
    assert "refuses" in Path(project, "README.md").read_text()
    assert subprocess.run(shlex.split(CHECK), cwd=project, capture_output=True, check=False).returncode == 0


def test_script_applies_a_wave_that_still_fits_and_a_developer_builds_what_does_not(
    finished: tuple[str, Reader],
) -> None:
    rosters = [
        node for page in finished[1].visited for node in walk(page.document)
        if isinstance(node, RosterDispatchNode) and node.agent is AgentRole.DEVELOPER
    ]  # fmt: skip
    assert {agent.id for roster in rosters for agent in roster.agents} == {"M-003"}


def test_developer_reads_which_diffs_no_longer_apply_and_the_plan(
    finished: tuple[str, Reader],
) -> None:
    page = pages(finished[1], "impl-code-execute")[-1]
    brief = Path(finished[0], "brief.md")
    assert "CC-M-003-001: hunk 1" in text_of(page)
    assert str(brief) in text_of(page)
    assert "## M-003" in brief.read_text(encoding="utf-8")


def test_wave_applied_as_approved_is_verified_without_decomposition(finished: tuple[str, Reader]) -> None:
    scripts = [page.header.script for page in finished[1].visited]
    assert "impl-code-qr-verify" in scripts[: scripts.index("impl-code-qr-decompose")]


def test_answer_is_on_the_page_of_the_developer_that_is_launched_after_it(finished: tuple[str, Reader]) -> None:
    asked, answered = pages(finished[1], "impl-code-execute")
    assert "Clock" not in text_of(asked)
    assert "- Clock: monotonic" in text_of(answered)
    assert [answer.at for answer in RunState(finished[0]).run.answers] == [(Phase.IMPL_CODE, "W-002", 1)]


def test_every_page_of_the_run_is_valid_against_its_schema(finished: tuple[str, Reader]) -> None:
    all_are_valid(finished[1].visited)


@pytest.mark.parametrize("every", [17, pytest.param(1, marks=pytest.mark.thorough)])
def test_killed_execution_resumes_to_the_same_end(finished: tuple[str, Reader], tmp_path: Path, every: int) -> None:
    for killed in range(1, len(finished[1].visited), every):
        folder = tmp_path / f"run {killed}"
        state_dir = ready(folder)
        with pytest.raises(KilledError):
            rehearse(state_dir, killed).read(first(state_dir))
        for command in resumed(state_dir):  # none if it was killed on the last page
            rehearse(state_dir).read(command)
        assert outcome(state_dir) == outcome(finished[0]), killed
        shutil.rmtree(folder)
