"""The commands of a user whose runs a Temporal server keeps."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.runs.engines import engine_of, fresh
from lib.workflow.app.runs.found_runs import find
from lib.workflow.app.runs.standings import chosen
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.temporal.client import client
from lib.workflow.run.temporal.payloads.stores import STORE
from tests.gone import is_gone
from tests.run.temporal.servers import BIN, Server, Worker

WILLING = "sh -c 'cat > /dev/null; echo Notes; echo WAY: 1'"
BROKE = "sh -c 'echo no credit >&2; exit 3'"
LONGEST = 30.0
STEPSCRIPT = os.path.join(BIN, "stepscript")
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def queue(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the queue of a host with a worker."""
    folder = tmp_path_factory.mktemp("host")
    worker = Worker(server, "commands", folder)
    yield "commands"
    assert worker.end(signal.SIGTERM) == 0


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)


def begun(queue: str, agent: str, *more: str) -> tuple[str, ...]:
    """Return the command that starts a run."""
    engine = ("--engine", "temporal", "--host-queue", queue)
    return ("run", "problem-analysis", "It hangs at noon", "--agent", agent, *engine, *more)


def shown(capsys: Captured, *words: str) -> tuple[int, str]:
    """Return the exit status and standard output of a command."""
    capsys.readouterr()
    return main(words), capsys.readouterr().out


def state(capsys: Captured) -> str:
    """Return the state of the last changed run."""
    return str(json.loads(shown(capsys, "status", "--json")[1])["state"])


def watched(words: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    """Start a command as a process."""
    return subprocess.Popen((STEPSCRIPT, *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def comes(holds: Callable[[], bool]) -> bool:
    """Return True if the condition becomes true in time."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.1)
    return False


def test_run_ends_in_its_project_and_prints_the_last_reply(queue: str, capsys: Captured, tmp_path: Path) -> None:
    status, out = shown(capsys, *begun(queue, "sh -c 'cat > /dev/null; pwd; echo Notes; echo WAY: 1'"))
    assert status == 0
    assert "Notes" in out
    assert str(tmp_path) in out
    prompts = list(Path(find(None), "agents").glob("*.prompt"))
    assert len(prompts) == 5
    assert all("hangs at noon" in prompt.read_text() for prompt in prompts)
    assert state(capsys) == "done"


def test_waiting_run_can_be_answered_resumed_logged_and_cancelled(queue: str, capsys: Captured) -> None:
    status, out = shown(capsys, *begun(queue, BROKE, "--attempts", "1"))
    name = os.path.basename(os.path.dirname(find(None)))
    assert status == 3
    assert f"answer {name} 1" in out
    assert state(capsys) == "waiting"
    assert shown(capsys, "answer", name, "9")[0] == 2
    assert shown(capsys, "answer", name, "2")[0] == 0
    assert comes(lambda: state(capsys) == "stopped")
    assert shown(capsys, "answer", name, "2")[0] == 2  # nothing is asked any more
    assert shown(capsys, "resume", name)[0] == 3  # it is tried once more, and fails
    assert "no credit" in shown(capsys, "logs", name)[1]
    assert shown(capsys, "cancel", name)[0] == 0
    assert shown(capsys, "cancel", name)[0] == 2
    assert [each["state"] for each in json.loads(shown(capsys, "runs", "--json")[1])["runs"]] == ["cancelled"]
    assert name in shown(capsys, "gc", "--days", "0", "--dry-run")[1]
    shown(capsys, "gc", "--days", "0")
    assert not os.listdir(".stepscript/runs")


def test_watching_status_shows_each_change_and_ends_with_the_run(queue: str, capsys: Captured) -> None:
    going = watched(begun(queue, "sh -c 'cat > /dev/null; sleep 1; echo Notes; echo WAY: 1'"))
    assert comes(lambda: any(Path(".stepscript/runs").glob("*/driver/temporal.json")))
    assert comes(lambda: state(capsys) == "at work")
    status, out = shown(capsys, "status", "--watch", "--json")
    assert status == 0
    states = [state["state"] for state in parsed(out)]
    assert states[-1] == "done"
    assert 1 < len(states) < 60
    assert going.wait(LONGEST) == 0


def parsed(text: str) -> list[dict[str, str]]:
    """Return the JSON objects of a text."""
    found, at, decoder = [], 0, json.JSONDecoder()
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        found.append(value)
    return found


def test_second_start_in_the_same_folder_is_refused(queue: str, capsys: Captured, tmp_path: Path) -> None:
    folder, words = tmp_path / "state", begun(queue, WILLING)
    choice = chosen("temporal", "", "", queue)
    spec = Spec(workflow="problem-analysis", start="python -m skills.problem_analysis.analyze --step 1", agent="cat")
    driver = fresh(str(folder))
    engine_of(driver, spec, lambda _: None, choice, fresh=True)
    with pytest.raises(ValueError, match=re.escape(str(folder))):
        engine_of(driver, spec, lambda _: None, choice, fresh=True)
    assert main((*words, "--set", f"state_dir={folder}")) != 0


def test_terminated_worker_ends_its_agents_and_the_next_one_continues(server: Server, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import os, sys, time\n"
        "sys.stdin.read()\n"
        "if not os.path.exists('pid'):\n"
        "    open('pid.new', 'w').write(str(os.getpid()))\n"
        "    os.replace('pid.new', 'pid')\n"
        "    time.sleep(600)\n"
        "print('WAY: 1')\n"
    )
    first = Worker(server, "ending", tmp_path)
    words = begun("ending", shlex.join([sys.executable, "agent.py"]))
    watching = watched(words)
    assert comes(lambda: os.path.exists("pid"))
    assert first.end(signal.SIGTERM) == 0
    assert is_gone(int(Path("pid").read_text()))
    second = Worker(server, "ending", tmp_path)
    assert watching.wait(LONGEST) == 0
    second.end()


def test_worker_that_drains_lets_its_agent_finish(server: Server, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import os, sys, time\n"
        "sys.stdin.read()\n"
        "open(f'launched-{os.getpid()}', 'w').close()\n"
        "while not os.path.exists('finish'):\n"
        "    time.sleep(0.05)\n"
        "print('WAY: 1')\n"
    )
    first = Worker(server, "draining", tmp_path, "--drain", "60")
    watching = watched(begun("draining", shlex.join([sys.executable, "agent.py"])))
    assert comes(lambda: bool(list(tmp_path.glob("launched-*"))))
    first.process.send_signal(signal.SIGTERM)
    second = Worker(server, "draining", tmp_path)
    (tmp_path / "finish").touch()
    assert first.process.wait(LONGEST) == 0
    assert watching.wait(LONGEST) == 0
    second.end()
    assert len(list(tmp_path.glob("launched-*"))) == 5  # none was launched again


def test_second_signal_ends_the_agents_of_a_worker_that_drains(server: Server, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import os, time\nopen('launched', 'w').close()\ntime.sleep(600)\n")
    worker = Worker(server, "impatient", tmp_path, "--drain", "600")
    watching = watched(begun("impatient", shlex.join([sys.executable, "agent.py"])))
    assert comes((tmp_path / "launched").exists)
    worker.process.send_signal(signal.SIGTERM)
    assert comes(lambda: b"ending" in worker.said)
    assert worker.end(signal.SIGTERM) == 0
    watching.terminate()
    watching.wait(LONGEST)


@pytest.mark.parametrize("command", [("worker",), ("run", "problem-analysis", "x", "--engine", "temporal")])
def test_unknown_namespace_is_reported_before_anything_is_served(command: tuple[str, ...], capsys: Captured) -> None:
    assert main((*command, "--namespace", "nowhere", "--host-queue", "q")) == 1
    shown = capsys.readouterr()
    assert "nowhere" in shown.err
    assert "serving" not in shown.out


def test_missing_server_is_reported_with_the_command_to_start_it(capsys: Captured) -> None:
    words = begun("nowhere", WILLING, "--address", "127.0.0.1:1")
    assert main(words) == 1
    assert "temporal server start-dev" in capsys.readouterr().err
    assert state(capsys) == "unknown"
    assert shown(capsys, "runs")[0] == 0
    assert main(("worker", "--address", "127.0.0.1:1")) == 1
    assert "temporal server start-dev" in capsys.readouterr().err


def test_missing_worker_is_reported_with_the_command_to_start_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE", timedelta(seconds=1))
    watching = watched(begun("nobody", WILLING))
    assert comes(lambda: os.path.isdir(".stepscript/runs") and bool(os.listdir(".stepscript/runs")))
    assert comes(lambda: re.search(r"stepscript worker .*--host-queue nobody", shown(capsys, "status")[1]) is not None)
    assert state(capsys) == "interrupted"
    watching.terminate()
    assert watching.wait(LONGEST) == 130


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("worker", "--limit", "developer"), "ROLE=N"),
        (("worker", "--limit", "developer=0"), "ROLE=N"),
        (("worker", "--limit", "boss=2"), "architect"),
        (("worker", "--host-queue", "a/b"), "letters"),
        (("worker", "--pool", "a/b"), "letters"),
        (("worker", "--pool", "gpu", "--host-queue", "a"), "--host-queue"),
        (("worker", "--serves", "developer,boss"), "architect"),
        (("run", "problem-analysis", "x", "--engine", "temporal", "--pool", "a b"), "letters"),
        (("run", "problem-analysis", "x", "--engine", "temporal", "--host-queue", "a b"), "letters"),
    ],
)
def test_wrong_arguments_are_reported_before_anything_starts(
    words: tuple[str, ...], says: str, capsys: Captured
) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err


def test_missing_extra_is_reported_with_what_to_install(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, "s3://bucket")
    for module, extra in (("boto3", "s3"), ("temporalio", "temporal")):
        monkeypatch.setitem(sys.modules, module, None)
        for words in (("worker",), begun("any", WILLING)):
            assert main(words) == 2
            assert f"stepscript[{extra}]" in capsys.readouterr().err
