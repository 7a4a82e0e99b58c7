"""The project's own checks: words without a shell, with a time limit, and only the end of their output."""

import errno
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lib.workflow.command.quoting import quote
from lib.workflow.run.steps import TIME
from lib.workflow.util.progress import read_progress
from skills.planner.execution import checks
from skills.planner.execution.checks import run_checks
from skills.planner.limits import MAX_SAID
from skills.planner.schema.plan.milestone import Milestone
from skills.planner.schema.review.document import ItemStatus
from skills.planner.schema.run import Verdict
from tests.gone import is_gone

PYTHON = f"{quote(sys.executable)} -c "


def checked(command: str, folder: Path, seconds: float = 20) -> Verdict:
    (result,) = run_checks((command,), str(folder), seconds)
    return result


@pytest.mark.parametrize(
    ("command", "finding"),
    [
        (f"{PYTHON} 'print(\"FAILED (failures=3)\")'", None),
        (f"{PYTHON} 'import os, sys; sys.exit(os.getcwd().split(os.sep)[-1])'", " 1:\nproject"),
        (f"{PYTHON} 'import sys; sys.exit(str(sys.argv[1:]))' '$HOME' '&&'", " 1:\n['$HOME', '&&']"),
        (f"{PYTHON} 'import sys; sys.exit(sys.stdin.read() or 7)'", " 7:"),
        (f"{PYTHON} 'import sys; print(1, flush=True); sys.exit(chr(27))'", " 1:\n1\n\\x1b"),
        (f"{PYTHON} 'import os; os.write(1, bytes([255])); exit(1)'", " 1:\n\N{REPLACEMENT CHARACTER}"),
        ("no-such-program --now", f": {os.strerror(errno.ENOENT)}"),
    ],
)
def test_check_is_run_without_a_shell_and_its_exit_status_decides(
    command: str, finding: str | None, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    found = checked(command, folder)
    assert (found.item, found.status is ItemStatus.PASS) == (command, finding is None)
    assert (found.finding or "").rstrip("\n").endswith(finding or "")


def test_end_of_a_long_output_is_kept(tmp_path: Path) -> None:
    found = checked(f'{PYTHON} \'print("x" * 3_000_000); print("end"); exit(1)\'', tmp_path).finding or ""
    said = found.partition("\n")[2]
    assert (len(said), said[-4:]) == (MAX_SAID, "end\n")


def test_a_check_that_takes_too_long_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{'import time; time.sleep(60)'}'])"
    begun = time.monotonic()
    found = checked(f'{PYTHON} "{child}"', tmp_path, seconds=1)
    assert re.search(r"\b1\b", found.finding or "")
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(("kills", "status"), [(1, ItemStatus.PASS), (2, ItemStatus.FAIL)])
def test_a_check_that_a_signal_ends_runs_once_more(kills: int, status: ItemStatus, tmp_path: Path) -> None:
    script = tmp_path / "check.py"
    script.write_text(
        "import os, pathlib, signal\n"
        "seen = pathlib.Path('seen')\n"
        "number = len(seen.read_text()) if seen.exists() else 0\n"
        "seen.write_text('x' * (number + 1))\n"
        f"if number < {kills}: os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert checked(shlex.join([sys.executable, str(script)]), tmp_path).status is status
    assert (tmp_path / "seen").read_text() == "xx"


def test_background_children_of_a_check_are_not_waited_for(tmp_path: Path) -> None:
    child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', '{'import time; time.sleep(60)'}'])"
    begun = time.monotonic()
    assert checked(f'{PYTHON} "{child}"', tmp_path).status is ItemStatus.PASS
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize("test", ["command:", "command:  ", "command:pytest 'x"])
def test_check_that_is_not_a_command_is_refused(test: str) -> None:
    with pytest.raises(ValueError, match="tests"):
        Milestone(id="M-001", name="x", tests=(test,))


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the end of a process is read there")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_a_check_ends_with_the_step_that_runs_it(how: signal.Signals, tmp_path: Path) -> None:
    check = ["/bin/sh", "-c", "sleep 600 & echo $! > pid.new; mv pid.new pid; wait"]
    script = (
        "import shlex, signal; from skills.planner.execution.checks import *\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background job ignores it
        f"list(run_checks((shlex.join({check}),), '.'))"
    )
    step = subprocess.Popen([sys.executable, "-P", "-c", script], cwd=tmp_path, stderr=subprocess.DEVNULL)
    while not (tmp_path / "pid").exists():
        time.sleep(0.01)
    step.send_signal(how)
    assert step.wait(20) != 0
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_a_long_check_says_how_long_it_takes_and_may_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checks, "FIRST", 0.2)
    monkeypatch.setattr(checks, "EVERY", 0.2)
    list(run_checks(("true", "sleep 1"), str(tmp_path), seconds=20))
    said = [read_progress(line) for line in capsys.readouterr().err.splitlines()]
    assert len(said) > 1
    assert all(each and each.text.startswith("check 2 of 2: sleep 1") and 19 <= each.seconds <= 21 for each in said)


def test_a_check_asks_for_time_before_the_driver_gives_its_step_up() -> None:
    assert checks.FIRST < TIME / 2
    assert checks.EVERY < TIME / 2


def test_a_short_check_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked("true", tmp_path).status is ItemStatus.PASS
    assert capsys.readouterr().err == ""
