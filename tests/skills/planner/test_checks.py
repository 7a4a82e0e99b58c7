"""The project's own checks: words without a shell, with a limit of time, and no more of their output than its end."""

import sys
import time
from pathlib import Path

import pytest

from skills.planner.checks import run_checks
from skills.planner.limits import MAX_SAID
from skills.planner.schema.milestone import Milestone
from skills.planner.schema.run import Checked

PYTHON = f"{sys.executable} -c "


def checked(command: str, folder: Path, seconds: float = 20) -> Checked:
    (result,) = run_checks((command,), str(folder), 1, seconds)
    return result


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (f"{PYTHON} 'import os; print(os.getcwd().split(os.sep)[-1])'", 0, "project"),
        (f"{PYTHON} 'import sys; print(sys.argv[1:])' '$HOME' '&&' '; exit 3'", 0, "['$HOME', '&&', '; exit 3']"),
        (f"{PYTHON} 'import sys; sys.exit(sys.stdin.read() or 7)'", 7, ""),
        (f"{PYTHON} 'import sys; print(1, flush=True); sys.stderr.write(chr(27))'", 0, "1\n?"),
        (f"{PYTHON} 'import os; os.write(1, bytes([255]))'", 0, "\N{REPLACEMENT CHARACTER}"),
        ("no-such-program --now", None, "cannot be run: No such file or directory"),
    ],
)
def test_a_check_is_words_and_ends_with_a_status(command: str, status: int | None, said: str, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    found = checked(command, folder)
    assert (found.status, found.said.removesuffix("\n")) == (status, said)


def test_of_a_long_output_the_end_is_kept(tmp_path: Path) -> None:
    found = checked(f'{PYTHON} \'print("x" * 3_000_000); print("end")\'', tmp_path)
    assert (len(found.said), found.said[-4:]) == (MAX_SAID, "end\n")


def test_a_check_that_takes_too_long_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{'import time; time.sleep(60)'}'])"
    begun = time.monotonic()
    found = checked(f'{PYTHON} "{child}"', tmp_path, seconds=1)
    assert found.status is None
    assert "stopped after 1 seconds" in found.said
    assert time.monotonic() - begun < 20


def test_what_a_check_leaves_running_is_not_waited_for(tmp_path: Path) -> None:
    child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', '{'import time; time.sleep(60)'}'])"
    begun = time.monotonic()
    assert checked(f'{PYTHON} "{child}"', tmp_path).status == 0
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize("test", ["command:", "command:  ", "command:pytest 'x"])
def test_a_check_that_is_no_command_is_refused(test: str) -> None:
    with pytest.raises(ValueError, match="tests"):
        Milestone(id="M-001", name="x", tests=(test,))
