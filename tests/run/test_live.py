"""A run while it is at work: watched, ended, not cleared away; its driver killed under an agent; many at once."""

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.runs.found_runs import find
from lib.workflow.ast.relay import NeedsUserInput, Option, Question
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.run import cancel as cancelling
from lib.workflow.run import engine
from lib.workflow.run.cancel import cancel
from lib.workflow.run.engine import CANCEL, BusyRunError, State, entries, write
from lib.workflow.run.journal import history
from lib.workflow.run.journal.journal import JOURNAL, LOCK, Entry, Event, line_of
from lib.workflow.run.journal.status import standing
from lib.workflow.run.processes import orphans as leftovers
from lib.workflow.state.locks import locked
from skills.incoherence.files import run_store
from skills.planner.state.run_state import RunState
from tests.gone import is_gone
from tests.run.runs import cast, has_ended, rehearsed
from tests.run.test_kills import STEPSCRIPT, outcome
from tests.skills.planner.runs import staged
from tests.subjects import PROOF
from tests.wording import carries

SCRIPT = """
cat > /dev/null
if [ ! -e "$0.go" ]; then
    touch "$0.go"
    (read line < "$0.pipe"; {command} > "$0.out" 2>&1; touch "$0.end") & echo $! > "$0.pid"
    wait
fi
echo WAY: 1
"""
"""An agent: the first waits for a line in a child process, then runs a command; all others reply."""
END = "\0"
"""Separator of an agent's input from the record of its end."""
Captured = pytest.CaptureFixture[str]
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system shows no environments")


class Live:
    """A run whose first agent is at work."""

    def __init__(self, folder: Path) -> None:
        self.state_dir = staged(folder, "plan-design-work")
        change = ("--role", "architect", "set-overview", "--version", "1", "--problem", "P", "--approach", "A")
        command = Command("skills.planner.cli.plan", ("--state-dir", self.state_dir, *change))
        self.script = folder / "agent"
        self.script.write_text(SCRIPT.replace("{command}", str(command)))
        os.mkfifo(f"{self.script}.pipe")
        agent = shlex.join(("sh", str(self.script)))
        words = ("run", "problem-analysis", "It hangs", "--agent", agent, "--json")
        self.driver = subprocess.Popen([STEPSCRIPT, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.driver.stdout is not None
        while json.loads(self.driver.stdout.readline())["event"] != Event.ATTEMPT:
            pass
        self.run = find(None)
        self.mark = leftovers.mark_of(os.path.join(self.run, "agents"))
        while not (self.has("pid") and self.said("pid")):
            pass

    def has(self, kind: str) -> bool:
        return os.path.exists(f"{self.script}.{kind}")

    def said(self, kind: str) -> str:
        return Path(f"{self.script}.{kind}").read_text()

    def kill_driver(self) -> None:
        """Kill the driver; its agents go on."""
        self.driver.kill()
        self.driver.wait()

    def wait_for_the_end(self, attempt: str) -> None:
        """Wait until the result of an agent's program is recorded."""
        while not has_ended(self.run, attempt):
            time.sleep(0.01)

    def let_go(self) -> None:
        """Release the agent that waits."""
        Path(f"{self.script}.pipe").write_text("go\n")


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    found = Live(tmp_path)
    yield found
    found.driver.kill()
    assert found.driver.stdout is not None
    found.driver.stdout.close()
    found.driver.wait()
    leftovers.end(leftovers.VARIABLE, found.mark)


def test_cancelled_run_ends_its_agents_and_cannot_resume(live: Live) -> None:
    cancel(live.run)
    assert live.driver.wait(10) == 1
    assert standing(live.run).state is State.CANCELLED
    assert not os.path.exists(os.path.join(live.run, CANCEL))
    assert is_gone(int(live.said("pid")))
    assert main(("resume",)) == 1
    assert standing(live.run).state is State.CANCELLED


@pytest.mark.parametrize("words", [["resume"], ["answer", "{run}", "1"]], ids=["resume", "answer"])
def test_command_on_a_driven_run_names_its_driver_and_how_to_watch_it(
    words: list[str], live: Live, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "LOOK", 0.05)
    monkeypatch.setattr(engine, "LOOK", 0.05)
    folder = os.path.dirname(live.run)
    if words[0] == "answer":
        asked = render(
            NeedsUserInput((Question(header="H", text="T", options=(Option(label="a"), Option(label="b"))),))
        )
        with open(os.path.join(live.run, JOURNAL), "a") as file:
            file.write(f"{line_of(Entry(event=Event.ASKED, key='1.asks', text=asked))}\n")
    assert main([word.format(run=folder) for word in words]) == 1
    said = capsys.readouterr().err
    assert carries(said, f" {live.driver.pid} … 20")
    assert f" status {folder} --watch" in said
    assert f" cancel {folder}" in said


@pytest.mark.parametrize("driven", [True, False], ids=["at work", "killed"])
def test_cancel_signals_no_process_named_in_the_journal(driven: bool, live: Live) -> None:
    if not driven:
        live.driver.kill()
        live.driver.wait()
    journal = Path(live.run, JOURNAL)
    with subprocess.Popen(["sleep", "600"]) as innocent:
        journal.write_text(journal.read_text().replace(str(live.driver.pid), str(innocent.pid)))
        cancel(live.run)
        assert live.driver.wait(10) == (1 if driven else -signal.SIGKILL)
        assert innocent.poll() is None
        innocent.kill()
    assert standing(live.run).state is State.CANCELLED


def test_a_request_that_was_left_over_cancels_no_later_driver(live: Live) -> None:
    live.driver.kill()
    live.driver.wait()
    Path(live.run, CANCEL).touch()
    assert main(("resume",)) == 0
    assert standing(live.run).state is State.DONE


def test_run_that_ends_before_a_cancel_is_not_reported_as_cancelled(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done(run: str, entry: Entry) -> None:
        live.let_go()
        assert live.driver.wait(10) == 0
        write(run, entry)

    monkeypatch.setattr(cancelling, "_ask", lambda _: None)
    monkeypatch.setattr(cancelling, "write", done)
    with pytest.raises(ValueError, match="done"):
        cancel(live.run)


def test_watch_reports_that_the_driver_was_killed(live: Live) -> None:
    with subprocess.Popen([STEPSCRIPT, "status", "--watch"], stdout=subprocess.PIPE, encoding="utf-8") as status:
        assert status.stdout is not None
        assert State.AT_WORK in status.stdout.readline()
        live.driver.kill()
        output = status.stdout.read()
    assert status.returncode == 130
    assert output.splitlines()[-1].startswith("interrupted; ")
    assert f"resume {os.path.basename(os.path.dirname(live.run))}" in output.splitlines()[-1]


def test_concurrent_status_readers_see_no_driver_of_an_idle_run(live: Live) -> None:
    live.driver.kill()
    live.driver.wait()
    look = f"from lib.workflow.run.journal.status import standing; print({{standing({live.run!r}).state for _ in range(300)}})"
    looking = [subprocess.Popen([sys.executable, "-c", look], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [each.communicate()[0] for each in looking] == ["{<State.INTERRUPTED: 'interrupted'>}\n"] * 3


def test_watch_reports_until_the_run_has_ended(live: Live) -> None:
    with subprocess.Popen([STEPSCRIPT, "status", "--watch"], stdout=subprocess.PIPE, encoding="utf-8") as status:
        assert status.stdout is not None
        assert State.AT_WORK in status.stdout.readline()
        live.let_go()
        output = status.stdout.read()
    name = os.path.basename(os.path.dirname(live.run))
    assert (status.returncode, live.driver.wait(10)) == (0, 0)
    assert carries(output, "agents: 0 … 5")
    assert [line.split()[-1] for line in output.splitlines() if line.startswith(name)][-1:] == [State.DONE]


def test_running_run_is_not_removed_by_gc(live: Live, capsys: Captured) -> None:
    assert main(("gc", "--days", "0")) == 0
    assert standing(live.run).state is State.AT_WORK
    with pytest.raises(BusyRunError):
        write(live.run, Entry(event=Event.CANCELLED))


def test_run_that_was_just_resumed_is_not_removed_by_gc(live: Live) -> None:
    live.driver.kill()
    live.driver.wait()
    write(live.run, Entry(event=Event.STOPPED))
    with locked(os.path.join(live.run, LOCK), 0):
        assert main(("gc", "--days", "0")) == 0
        assert find(None) == live.run
    assert main(("gc", "--days", "0")) == 0
    assert not os.path.exists(live.run)


def test_a_reply_that_was_finished_after_the_driver_was_killed_is_used(live: Live) -> None:
    live.kill_driver()
    assert standing(live.run).state is State.INTERRUPTED
    live.let_go()
    live.wait_for_the_end("1.thinks-1")
    assert main(("resume",)) == 0
    assert standing(live.run).state is State.DONE
    tried = [(each.event, each.number) for each in entries(live.run) if each.key == "1.thinks"]
    assert tried == [(Event.ATTEMPT, 1), (Event.REPLIED, 1)]
    assert RunState(live.state_dir).plan.overview.problem == "P"


def test_a_reply_to_other_work_that_has_the_same_files_is_not_used(live: Live) -> None:
    live.kill_driver()
    live.let_go()
    live.wait_for_the_end("1.thinks-1")
    given = Path(live.run, "agents", "1.thinks-1.prompt")
    given.write_text(f"Do something else{END}{given.read_text().partition(END)[2]}")
    assert main(("resume",)) == 0
    numbers = [each.number for each in entries(live.run) if (each.key, each.event) == ("1.thinks", Event.ATTEMPT)]
    assert numbers == [1, 2]


def test_failure_after_the_driver_was_killed_is_recorded_and_passed_on(live: Live) -> None:
    live.kill_driver()
    os.kill(int(live.said("pid")), signal.SIGKILL)  # what it waits for; it goes on and replies
    live.wait_for_the_end("1.thinks-1")
    files = Path(live.run, "agents")
    given = files / "1.thinks-1.prompt"
    given.write_text(given.read_text().partition(END)[0] + END + '{"status": 3, "out": 0, "errors": 9}\n')
    (files / "1.thinks-1.errors").write_text("no credit")
    assert main(("resume",)) == 0
    tried = [(each.event, each.number) for each in entries(live.run) if each.key == "1.thinks"]
    assert tried == [(Event.ATTEMPT, 1), (Event.FAILED, 1), (Event.ATTEMPT, 2), (Event.REPLIED, 2)]
    assert carries((files / "1.thinks-2.prompt").read_text(), "3): no credit")


@needs_proc
def test_cancel_ends_leftover_agents_of_a_killed_driver(live: Live) -> None:
    live.kill_driver()
    pid = int(live.said("pid"))
    assert not is_gone(pid, 0.2)
    cancel(live.run)
    assert is_gone(pid)
    assert not live.has("end")


@needs_proc
def test_resume_by_another_path_ends_leftover_agents(
    live: Live, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.kill_driver()
    pid = int(live.said("pid"))
    assert not is_gone(pid, 0.2)
    link = tmp_path_factory.mktemp("other") / "project"
    link.symlink_to(os.path.dirname(live.script))
    monkeypatch.chdir(link)
    monkeypatch.setenv("PWD", str(link))
    run = os.path.dirname(link / os.path.relpath(live.run, os.path.dirname(live.script)))
    assert main(("resume", run, "--trust")) == 0
    assert is_gone(pid)
    assert not live.has("end")


def test_surviving_agent_of_a_killed_driver_cannot_write_after_resume(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.kill_driver()
    with monkeypatch.context() as patched:
        patched.setattr(leftovers, "end", lambda *_: 0)
        assert main(("resume",)) == 0
    live.let_go()
    while not live.has("end"):
        time.sleep(0.01)
    assert "stale-attempt" in live.said("out")
    assert RunState(live.state_dir).plan.overview.problem == ""


def test_runs_at_once_end_as_one_does_alone(tmp_path: Path) -> None:
    workflow = PROOF.targets.workflows["skills.incoherence.incoherence"]

    async def all_of(folders: list[Path]) -> list[State]:
        runs = (rehearsed(workflow, folder, *cast(workflow, pace=0.001), seconds=None) for folder in folders)
        return [ended.state for ended in await asyncio.gather(*runs)]

    folders = [tmp_path / f"{number}" for number in range(6)]
    assert asyncio.run(all_of(folders[:1])) == [State.DONE]
    assert set(asyncio.run(all_of(folders[1:]))) == {State.DONE}
    assert len({run_store(str(folder)).load() for folder in folders}) == 1


@pytest.mark.soak
def test_twenty_drivers_at_once_end_as_one_does_alone(tmp_path: Path) -> None:
    folders = [tmp_path / f"{number}" for number in range(21)]

    def begun(folder: Path) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([STEPSCRIPT, "rehearse", "planner", "--keep", folder], stdout=subprocess.DEVNULL)

    assert begun(folders[0]).wait() == 0
    assert [process.wait() for process in [begun(folder) for folder in folders[1:]]] == [0] * 20
    assert all(outcome(folder) == outcome(folders[0]) for folder in folders)
