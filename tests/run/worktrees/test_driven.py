"""Runs in worktrees: by the engine of one machine, and from the command line."""

import asyncio
import json
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs.found_runs import find
from lib.workflow.run.clients.agents import Agent, Attempt
from lib.workflow.run.engine import State
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.workplace import in_thread
from lib.workflow.types import AgentRole
from tests.run.engines import Locally, gone, rehearsed
from tests.run.runs import KNOWN, has_ended
from tests.run.test_kills import STEPSCRIPT
from tests.run.worktrees.projects import BRANCH, begun, files, project, run_in, shown, write
from tests.security.repositories import git

SURVEY = KNOWN.workflows["tests.workflows.survey.run"]
START = ("run", "problem-analysis", "It hangs at noon")
WRITING = "sh -c 'cat > /dev/null; pwd >> new.txt; echo Notes; echo WAY: 1'"
WAITING = """\
prompt=$(cat)
case "$PWD" in *worktrees/*.*)
    echo x > "${STEPSCRIPT_WORKTREE##*/}.txt"
    echo x >> "$0.begun"
    while [ ! -e "$0.go" ]; do sleep 0.05; done
esac
printf 'Notes\\nPASS\\nWAY: 1\\n'
case "$prompt" in *"END OF LIST"*) printf 'LIST:\\n- one: Look at one\\n- two: Look at two\\nEND OF LIST\\n'; esac
"""
"""An agent. One that a page has launched writes a file, and waits until it may reply."""
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter a project."""
    made = project(tmp_path)
    monkeypatch.chdir(made / "src")
    return made


def shown_by(capsys: Captured, *words: str) -> tuple[int, str]:
    """Return the exit status and both outputs of a command."""
    capsys.readouterr()
    return main(words), "".join(capsys.readouterr())


class Writer:
    """Agents that all write their first line into one file, then reply; at the second attempt they add to the file."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.folders: list[str | None] = []

    async def work(self, attempt: Attempt) -> str:
        if attempt.job.role is AgentRole.EXPLORE:
            self.folders.append(attempt.cwd)
            path = Path(attempt.cwd or "", "found.txt")
            path.write_text((path.read_text() if path.exists() else "") + f"{attempt.job.key}\n")
            while len(self.folders) == 1:  # two work at once
                await asyncio.sleep(0.01)
        return await self._agent.work(attempt)


def test_agents_of_a_page_work_apart_and_a_conflict_is_another_attempt(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    play = rehearsed(SURVEY, Path(run_in(root)))
    writer = Writer(play.cast.agent)
    play = evolve(play, cast=play.cast._replace(agent=writer, workplace=place, seconds=None))
    ended = asyncio.run(gone(Locally(), play))
    assert ended.state is State.DONE
    assert None not in writer.folders
    failures = [each for each in play.events if each.event is Event.FAILED]
    assert all("found.txt" in each.text for each in failures)
    assert len(failures) > 0
    assert len(shown(root, "found.txt").splitlines()) == len(set(shown(root, "found.txt").splitlines())) > 1
    assert git(root, "worktree", "list").count("\n") == 2


def test_cancellation_waits_for_work_on_the_worktree() -> None:
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait()
        ended.set()

    async def act() -> None:
        task = asyncio.ensure_future(in_thread(work))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()

    asyncio.run(act())


def test_run_in_a_worktree_names_its_branch_and_is_taken_over_by_the_printed_command(
    root: Path, capsys: Captured
) -> None:
    status, out = shown_by(capsys, *START, "--agent", WRITING, "--worktree")
    assert status == 0
    run = find(None)
    tree = os.path.join(os.path.dirname(run), "worktrees", os.path.basename(os.path.dirname(run)))
    assert tree in out
    assert git(root, "status", "--porcelain") == ""
    shown = json.loads(shown_by(capsys, "status", "--json")[1])["worktree"]
    assert (shown["path"], shown["commits"], shown["target"]) == (tree, 1, "main")
    assert shown["command"] in out
    assert shown["command"] in shown_by(capsys, "status")[1]
    report = json.loads(shown_by(capsys, "report", "last", "--json")[1])["report"]
    assert shown["command"] in Path(report).read_text()
    status, out = shown_by(capsys, "gc", "--days", "0")
    assert (status, "0 runs deleted" in out, shown["branch"] in out) == (0, True, True)
    git(root, *shown["command"].split()[1:])
    assert set((root / "src" / "new.txt").read_text().splitlines()) == {os.path.join(tree, "src")}
    assert "merged" in shown_by(capsys, "status")[1]
    assert "1 run deleted" in shown_by(capsys, "gc", "--days", "0")[1]
    assert git(root, "worktree", "list").count("\n") == 1
    assert git(root, "branch", "--list", shown["branch"]) == ""


def test_uncommitted_changes_are_named_and_carried_over_only_on_request(root: Path, capsys: Captured) -> None:
    (root / "a.py").write_text("mine\n")
    words = (*START, "--agent", WRITING, "--worktree", "run")
    status, out = shown_by(capsys, *words)
    assert (status, "a.py" in out, "--carry-changes" in out) == (1, True, True)
    assert not (root / ".stepscript").exists()
    assert shown_by(capsys, *words, "--carry-changes")[0] == 0
    branch = json.loads(shown_by(capsys, "status", "--json")[1])["worktree"]["branch"]
    assert shown(root, "a.py", branch) == "mine\n"
    assert git(root, "status", "--porcelain") == " M a.py\n"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--worktree", "run", "--engine", "temporal"), 2),
        (("--carry-changes",), 2),
        (("--worktree", "all"), 2),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    words: tuple[str, ...], status: int, root: Path, capsys: Captured
) -> None:
    assert shown_by(capsys, *START, "--agent", WRITING, *words)[0] == status
    assert not (root / ".stepscript").exists()


def test_failed_bringing_back_stops_the_run_and_a_resume_repeats_it(root: Path, capsys: Captured) -> None:
    lock = "sh -c 'cat > /dev/null; touch new.txt; echo x > \"$(git rev-parse --git-dir)/index.lock\"; echo WAY: 1'"
    status, out = shown_by(capsys, *START, "--agent", lock, "--worktree", "run")
    assert (status, "index.lock" in out) == (1, True)
    for path in (root / ".git" / "worktrees").rglob("index.lock"):
        path.unlink()
    assert shown_by(capsys, "resume")[0] == 0
    assert json.loads(shown_by(capsys, "status", "--json")[1])["worktree"]["commits"] == 1


def test_run_directory_of_a_run_in_the_project_gets_no_worktree_later(root: Path, capsys: Captured) -> None:
    folder = os.path.join(root, ".stepscript", "runs", "0101-aaaa")
    write(folder, "run.json", "{}")
    write(str(root / ".stepscript"), ".gitignore", "*\n")
    words = ("run", "planner", "x", "--agent", WRITING, "--worktree", "run", "--set", f"state_dir={folder}")
    status, out = shown_by(capsys, *words)
    assert status == 1, out


def test_worktrees_of_a_run_that_was_killed_before_it_began_are_removed(root: Path, capsys: Captured) -> None:
    begun(root)
    os.utime(run_in(root), (1, 1))
    assert BRANCH in git(root, "branch")
    assert "1 run deleted" in shown_by(capsys, "gc")[1]
    assert BRANCH not in git(root, "branch")


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_work_of_agents_that_reply_after_the_driver_was_killed_is_taken_over(root: Path, tmp_path: Path) -> None:
    script = tmp_path / "agent"
    script.write_text(WAITING)
    started, go = Path(f"{script}.begun"), Path(f"{script}.go")
    agent = shlex.join(("sh", str(script)))
    words = ("run", "decision-critic", "Use X", "--agent", agent, "--worktree", "each")
    with subprocess.Popen([STEPSCRIPT, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        until(lambda: started.exists() and len(started.read_text().splitlines()) == 2)
        driver.kill()
    run = find(None)
    go.touch()
    until(lambda: has_ended(run, "4.1-1") and has_ended(run, "4.2-1"))
    assert main(("resume",)) == 0
    assert len(started.read_text().splitlines()) == 2
    branch = f"stepscript/{os.path.basename(os.path.dirname(run))}"
    assert len([name for name in files(root, branch) if name.endswith(".txt")]) == 2
    assert git(root, "worktree", "list").count("\n") == 2
