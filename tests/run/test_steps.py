"""A step as a process: it gets the time that it asks for, its output is bounded, and it leaves no process."""

import asyncio
import errno
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.command import Command
from lib.workflow.run import steps
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.processes import process as ends
from lib.workflow.run.steps import as_process
from lib.workflow.util.progress import Progress
from tests.gone import is_gone
from tests.wording import carries

HEAD = "import os, subprocess, sys, time\nfrom lib.workflow.util.progress import Progress, say\n"
SLEEPER = "child = subprocess.Popen(['sleep', '600'], start_new_session=True); open('pid', 'w').write(str(child.pid))\n"


def run(
    folder: Path, script: str, given: str = "", tell: Callable[[Progress], None] = lambda progress: None
) -> Printed:
    """Return the result of a step that is this script."""
    (folder / "step.py").write_text(HEAD + script)
    command = Command("step", launcher=(sys.executable,))
    return asyncio.run(as_process(command, given, {"STEPSCRIPT_TRIAL": "fenced"}, str(folder), tell))


def test_step_gets_its_input_and_environment(tmp_path: Path) -> None:
    script = "print(sys.stdin.read(), os.environ['STEPSCRIPT_TRIAL'], os.getcwd()); sys.exit(3)"
    assert run(tmp_path, script, "Ünïcode") == Printed(3, f"Ünïcode fenced {tmp_path}\n", "")


def test_end_of_a_step_is_seen_without_process_descriptors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "_handle", lambda _: None)
    assert run(tmp_path, "print('done')") == Printed(0, "done\n", "")


def test_silent_step_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "TIME", 1.0)
    printed = run(tmp_path, SLEEPER.replace(", start_new_session=True", "") + "time.sleep(600)")
    assert (printed.status, printed.out) == (-1, "")
    assert re.search(r"\b1\b", printed.errors)
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_a_step_has_the_time_that_it_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "TIME", 1.0)
    heard: list[Progress] = []
    script = "say(Progress('check 1 of 1: slow', 30)); time.sleep(2.5); print('done', file=sys.stderr); print('page')"
    assert run(tmp_path, script, tell=heard.append) == Printed(0, "page\n", "done\n")
    assert heard == [Progress("check 1 of 1: slow", 30)]


def test_a_step_that_takes_longer_than_it_asked_for_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "TIME", 1.0)
    begun = time.monotonic()
    assert run(tmp_path, "say(Progress('check 1 of 1: hangs', 1)); time.sleep(600)").status == -1
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(("size", "status"), [(steps.MOST, 0), (steps.MOST + 1, -1)])
def test_page_of_any_length_is_drained_and_kept_up_to_its_limit(size: int, status: int, tmp_path: Path) -> None:
    printed = run(tmp_path, f"sys.stdout.write('x' * {size})")
    assert printed.status == status
    assert len(printed.out) == (size if not status else 0)
    assert (f"{size:,}" in printed.errors) is bool(status)


def test_end_of_a_flood_on_standard_error_is_kept(tmp_path: Path) -> None:
    printed = run(tmp_path, "[sys.stderr.write('x' * 1_000_000) for _ in range(20)]; sys.stderr.write('\\nthe end')")
    assert (printed.status, len(printed.errors)) == (0, steps.KEPT)
    assert printed.errors.endswith("the end")


def test_a_step_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    command = Command("step", launcher=("/no/such/python",))
    printed = asyncio.run(as_process(command, "", {}, str(tmp_path)))
    assert printed.status == -1
    assert carries(printed.errors, f"/no/such/python: {os.strerror(errno.ENOENT)}")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the end of a process is read there")
def test_abandoned_step_is_ended_with_its_children(tmp_path: Path) -> None:
    async def given_up() -> None:
        (tmp_path / "step.py").write_text(HEAD + SLEEPER.replace(", start_new_session=True", "") + "time.sleep(600)")
        step = asyncio.ensure_future(as_process(Command("step", launcher=(sys.executable,)), "", {}, str(tmp_path)))
        while not (step.done() or ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text())):
            await asyncio.sleep(0.01)
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step

    asyncio.run(given_up())
    assert is_gone(int((tmp_path / "pid").read_text()))
