"""A plan made and carried out by agents that each have a worktree of their own, from its first page to its end."""

import asyncio
import shlex
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.command import Command, flags
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.engine import State
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.pool import Cast
from lib.workflow.run.rehearsal import RehearsalAgent, RehearsedUser
from lib.workflow.run.steps import in_this_process
from lib.workflow.run.worktrees.of_run import RunWorkplace, result
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, option
from lib.workflow.types import AgentRole
from lib.workflow.util.output import REFUSED
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.schema.depth import Depth
from skills.planner.schema.phase import Phase
from skills.planner.simulation.builder import Builder
from skills.planner.simulation.pages import text_of
from skills.planner.simulation.plan import CLOCK, approve
from skills.planner.simulation.planner import At
from skills.planner.simulation.project import LIMIT, begin, read, write
from skills.planner.state.run_state import RunState
from tests.run.engines import Locally, Play, gone
from tests.run.runs import KNOWN
from tests.run.worktrees.projects import BRANCH, begun, run_in, shown
from tests.security.repositories import git

TASK = "Limit the requests of each caller"
NOTES = "NOTES.md"


class Apart(Builder):
    """Simulated agents. Developers write code that does not apply any more, and add to one file if they take notes."""

    takes_notes = False

    def apply(self, page: Page, command: Command) -> None:
        change = next(each for each in self.target.milestones if each.id in option(command, "--id"))
        if page.run(command).status == REFUSED:
            self.write_files(self.project, change.id)
        if self.takes_notes:
            write(self.project, NOTES, read(self.project, NOTES) + f"{change.id}\n")

    def judge(self, page: Page, phase: Phase) -> None:
        """Judge the code of a wave only if its page's command shows what has changed."""
        if phase is Phase.IMPL_CODE:
            line = next(line for line in text_of(page).splitlines() if line.startswith("git ") and " diff " in line)
            assert subprocess.run(shlex.split(line), capture_output=True, check=True).stdout
        super().judge(page, phase)

    def wants_to_ask(self, page: Page) -> bool:
        return page.role is not AgentRole.DEVELOPER and super().wants_to_ask(page)

    def fault(self, at: At, item: str, iteration: int) -> str:
        return "" if at[0] is Phase.IMPL_CODE else super().fault(at, item, iteration)


class Together:
    """The agents of a run, of which the first two developers of milestones work at the same time."""

    def __init__(self, mind: Apart) -> None:
        self._agent = RehearsalAgent(mind, run_here)
        self._begun = 0
        self.folders: list[str] = []

    async def work(self, attempt: Attempt) -> str:
        if not attempt.job.page:
            self.folders.append(attempt.cwd or "")
        if "--milestone" in attempt.job.command:
            self._begun += 1
            while self._begun == 1:
                await asyncio.sleep(0.01)
        return await self._agent.work(attempt)


@pytest.mark.parametrize(("plans", "conflicts"), [(True, False), (False, True)])
def test_plan_is_carried_out_by_agents_with_worktrees_of_their_own(
    plans: bool, conflicts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "project"
    begin(str(root))
    (root / ".stepscript").mkdir()
    first, place, mind = git(root, "rev-parse", "HEAD"), begun(root, each=True), Apart(run_here)
    monkeypatch.chdir(place.folder)
    mind.takes_notes = conflicts
    agent = Together(mind)
    play = executor(root, place, agent, mind)
    if plans:
        plan(play)
    else:
        approve(run_in(root), place.folder, TASK, depth=Depth.FULL)
    agent.folders.clear()
    for file in (LIMIT, CLOCK):  # their diffs do not apply any more
        write(place.folder, file, "# to do\n")
    git(Path(place.folder), "add", ".")
    git(Path(place.folder), "commit", "-q", "-m", "Begin the files")
    assert asyncio.run(gone(Locally(), play)).state is State.DONE
    run = RunState(run_in(root)).run
    assert (run.finished, run.failing, [each.lap for each in run.checks]) == (True, (), [1, 2])
    launched = {each.key for each in play.events if each.event is Event.ATTEMPT and "thinks" not in each.key}
    assert len(set(agent.folders) - {"", place.folder}) == len(launched)
    found = result(run_in(root))
    assert found is not None
    failures = [each.text for each in play.events if each.event is Event.FAILED]
    assert [NOTES in each for each in failures] == [True] * conflicts
    assert len(found.conflicts) == conflicts
    for branch in found.conflicts:
        assert shown(root, NOTES, branch) in ("M-001\n", "M-002\n")
        assert sorted(shown(root, NOTES).splitlines()) == ["M-001", "M-002"]
    for file in (LIMIT, CLOCK):
        assert "# to do" not in shown(root, file)
    assert all(each in git(root, "log", "--format=%s", BRANCH) for each in ("W-001", "W-002"))
    assert (git(root, "rev-parse", "main"), git(root, "status", "--porcelain")) == (first, "")
    assert git(root, "worktree", "list").count("\n") == 2


def executor(root: Path, place: RunWorkplace, agent: Together, mind: Apart) -> Play:
    """Return the run that carries out the plan."""
    start = Command(EXECUTOR, flags({"step": 1, "state_dir": run_in(root)}))
    cast = Cast(agent=agent, run_step=in_this_process, user=RehearsedUser(mind), backoff=0, workplace=place)
    return Play(KNOWN.workflows[EXECUTOR], Path(run_in(root)), cast, str(start), "rehearsal", driver="driver-2")


def plan(play: Play) -> None:
    """Make the plan in a run of its own."""
    start = Command(PLANNER, flags({"step": 1, "task": TASK, "depth": Depth.FULL, "state_dir": str(play.folder)}))
    made = evolve(play, workflow=KNOWN.workflows[PLANNER], start=str(start), driver="driver", events=[])
    assert asyncio.run(gone(Locally(), made)).state is State.DONE
