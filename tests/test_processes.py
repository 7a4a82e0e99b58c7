"""Programs that a process starts end with it in every case, together with their own children."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lib.workflow.util import processes
from lib.workflow.util.processes import VARIABLE, watchdog
from tests.gone import is_gone

needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system shows no environments")
PARENT = """
import signal, sys, time
from lib.workflow.util import processes
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
process = processes.start(["/bin/sh", "-c", sys.argv[1]], stdout=sys.stdout.fileno())
while True:
    time.sleep(0.05)
"""
"""Script of that process. It sleeps briefly, since a signal that comes just before a long sleep does not end it."""
FAMILIES = {
    "the program": "echo $$; exec sleep 600",
    "a child in its group": "sleep 600 & echo $!; wait",
    "one that ignores SIGTERM": "trap '' TERM; sleep 600 & echo $!; wait",
    "one that is left by its parent": "(sleep 600 & echo $!); exec sleep 600",
    "one without the environment": "env -i sleep 600 & echo $!; wait",
    "one in a session of its own": "setsid sleep 600 & echo $!; wait",
}
"""Shell lines that print the number of a process, which must end."""


def parent(line: str) -> tuple["subprocess.Popen[str]", int]:
    """Return a process that has started a shell line, and the number that the line prints."""
    command = [sys.executable, "-P", "-c", PARENT, line]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


@needs_proc
@pytest.mark.parametrize(
    "how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda how: how.name
)
@pytest.mark.parametrize("line", FAMILIES.values(), ids=FAMILIES)
def test_children_of_a_process_end_with_it(line: str, how: signal.Signals) -> None:
    process, child = parent(line)
    with process:
        process.send_signal(how)
        assert process.wait(20) != 0
        assert is_gone(child)


@needs_proc
def test_nothing_of_other_processes_ends_with_it() -> None:
    with subprocess.Popen(["sleep", "600"], env={**os.environ, VARIABLE: "1-0011223344556677"}) as other:
        process, child = parent(FAMILIES["the program"])
        with process:
            process.kill()
            process.wait(20)
            assert is_gone(child)
        assert other.poll() is None
        other.kill()


@needs_proc
def test_program_ends_although_its_starter_and_all_of_its_group_are_killed_at_once(tmp_path: Path) -> None:
    script = f"""
import os, signal
from lib.workflow.util import processes
first = processes.start(["sleep", "600"])
open({str(tmp_path / "pid")!r}, "w").write(str(first.pid))
os.killpg(0, signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-P", "-c", script], check=False, start_new_session=True)
    assert is_gone(int((tmp_path / "pid").read_text()))


@needs_proc
def test_program_that_was_just_being_started_ends_too() -> None:
    entry = f"{VARIABLE}=expected-{os.urandom(8).hex()}"
    with subprocess.Popen([sys.executable, "-I", "-S", watchdog.__file__, entry], stdin=subprocess.PIPE) as dog:
        assert dog.stdin is not None
        dog.stdin.write(b"*\n")
        dog.stdin.close()
        time.sleep(0.5)  # the watchdog searches meanwhile, and the program does not have its environment yet
        name, _, value = entry.partition("=")
        with subprocess.Popen(["sleep", "600"], env={**os.environ, name: value}) as late:
            assert late.wait(20) == -signal.SIGKILL


@needs_proc
def test_killed_watchdog_is_replaced_and_ends_all_programs(tmp_path: Path) -> None:
    script = f"""
import os, signal, subprocess, sys, time
from lib.workflow.util import processes
first = processes.start(["sleep", "600"])
watchdogs = subprocess.run(["pgrep", "-f", "-P", str(os.getpid()), "watchdog.py"], capture_output=True, text=True)
os.kill(int(watchdogs.stdout), signal.SIGKILL)
os.waitpid(int(watchdogs.stdout), 0)
second = processes.start(["sleep", "600"])
open({str(tmp_path / "pids")!r}, "w").write(f"{{first.pid}} {{second.pid}}")
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-P", "-c", script], check=False)
    assert all(is_gone(int(pid)) for pid in (tmp_path / "pids").read_text().split())


def test_a_program_that_has_ended_keeps_its_group_until_it_is_ended() -> None:
    process = processes.start(["/bin/sh", "-c", "sleep 600 & echo $!; exit 7"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    child = int(process.stdout.readline())
    while not processes.has_ended(process):
        time.sleep(0.01)
    assert os.getpgid(child) == process.pid
    with process:
        assert processes.end(process) == 7
    assert is_gone(child)
    assert processes.has_ended(process)


def test_program_gets_its_working_directory_as_pwd(tmp_path: Path) -> None:
    started = processes.start(
        ["printenv", "PWD"], cwd=str(tmp_path), environment={**os.environ, "PWD": "/"}, stdout=subprocess.PIPE
    )
    with started:
        assert started.stdout is not None
        assert started.stdout.read() == f"{tmp_path}\n".encode()
        processes.end(started)


def test_a_program_that_does_not_start_is_an_error_with_the_reason() -> None:
    with pytest.raises(FileNotFoundError, match="No such file"):
        processes.start(["/no/such/program"])


@pytest.mark.parametrize(
    ("lines", "groups", "is_starting"),
    [
        ("*\n+11\n*\n+22\n-11\n*\n+33\n+4", {22, 33}, False),  # the last was cut off by a kill
        ("*\n*\n+11\n", {11}, True),
        ("*\n!\n", set(), False),
        ("+11\n+22\n*\n", {11, 22}, True),  # it has replaced a killed one
        ("+11\n!\n*\n", {11}, True),
    ],
    ids=["groups", "one more is starting", "not started", "replaced", "replaced during a start"],
)
def test_watchdog_lines_give_the_programs_that_are_left(
    lines: str, groups: set[int], is_starting: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = tmp_path / "marker"
    started.write_text(lines)
    with started.open() as file:
        monkeypatch.setattr(watchdog, "PIPE", file.fileno())
        assert watchdog.programs_left() == (groups, is_starting)


@needs_proc
def test_only_processes_with_the_whole_entry_are_killed() -> None:
    def sleeper(value: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"], "TRIAL": value})

    with sleeper("here/1") as one, sleeper("here/12") as longer, sleeper("x/here/1") as other:
        watchdog.end_all(b"TRIAL=here/1")
        assert one.wait(10) == -signal.SIGKILL
        assert (longer.poll(), other.poll()) == (None, None)
        longer.kill()
        other.kill()
