"""A driven executor with a check of the project, in which any process is killed at any moment.

No process is left, its ledger is consistent, and a resume completes the run.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from attrs import evolve

from lib.workflow.run.journal.journal import JOURNAL
from skills.planner.phases import ROWS
from skills.planner.rehearsal import TASK
from skills.planner.schema.run import Building, PassedGate, Run
from skills.planner.simulation import project
from skills.planner.simulation.builder import WRONG
from skills.planner.simulation.plan import BUILT, PLAN, approve
from skills.planner.state.files import change_run, digest_of
from skills.planner.state.run_state import RunState
from tests.gone import is_gone
from tests.run.test_kills import STEPSCRIPT

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system shows no environments")
TRIAL: Final = "STEPSCRIPT_TRIAL"
"""A variable that all processes of one trial have."""
LONGEST: Final = 6.0
"""Most seconds before a kill: about as long as a run takes on an idle machine."""
CHECK: Final = """
import os, subprocess, sys, time
subprocess.Popen(["sleep", "600"])
subprocess.Popen(["sleep", "600"], start_new_session=True)
time.sleep(0.5)
sys.exit("'refused'\\n" in open("src/api.py").read())
"""
"""A check that fails in the first lap, and leaves processes in its group, and in another session."""


def staged(state_dir: str, check: Path) -> None:
    """Make a run whose last wave has passed its reviews, so that the project's check is next; it fails once."""
    place = os.path.join(state_dir, project.PROJECT)
    check.write_text(CHECK)
    test = f"command:{shlex.join((sys.executable, str(check)))}"
    plan = evolve(PLAN, milestones=tuple(evolve(each, tests=(test,)) for each in PLAN.milestones))
    project.begin(place)
    approve(state_dir, place, TASK, plan)
    project.write(place, project.API, BUILT.replace("now=second):\n", f"now=second):\n{WRONG}"))
    project.commit(place, "Build")
    last = plan.waves[-1]

    def passed(run: Run) -> Run:
        now = evolve(run, building=Building(wave=last.id, code=last.milestones))
        entries = (now.at(row.phase) for row in ROWS)
        gates = (PassedGate(phase=p, wave=wave, lap=lap, plan_digest=digest_of(plan)) for p, wave, lap in entries)
        return evolve(now, gates=tuple(gates))

    change_run(state_dir, passed)


def drive(trial: str, *words: str) -> "subprocess.Popen[bytes]":
    """Start a driver, whose steps are processes."""
    environment = {**os.environ, TRIAL: trial}
    return subprocess.Popen(
        [STEPSCRIPT, *words, "--json"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def begun_or_resumed(state_dir: str) -> tuple[str, ...]:
    """Return the words that continue the run. A driver that was killed before its first line has not started it."""
    if os.path.exists(os.path.join(state_dir, "driver", JOURNAL)):
        return "resume", state_dir
    return "rehearse", "executor", "--processes", "--keep", state_dir


def of_trial(trial: str) -> Iterator[int]:
    """Yield the current processes of a trial."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if f"{TRIAL}={trial}".encode() in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                yield int(name)
        except OSError:
            continue


def left(trial: str) -> list[bytes]:
    """Return the command lines of the processes of a trial that do not end."""
    return [Path("/proc", str(number), "cmdline").read_bytes() for number in of_trial(trial) if not is_gone(number)]


def killed(driver: "subprocess.Popen[bytes]", trial: str, random: Random) -> None:
    """Kill the driver, or any process that it has started, at any moment."""
    end = time.monotonic() + random.random() * LONGEST
    while time.monotonic() < end and driver.poll() is None:
        time.sleep(0.01)
    found = sorted(of_trial(trial))
    victim = driver.pid if random.random() < 0.6 or not found else random.choice(found)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return


def agrees(run: Run) -> bool:
    """Return True if a ledger is consistent: one result of the checks per lap, and no lap after one that has passed."""
    assert run.building is not None
    laps = [each.lap for each in run.checks]
    failed = [bool(each.failed) for each in run.checks]
    is_whole = laps == [*range(1, len(laps) + 1)] and all(failed[:-1])
    is_next = run.building.lap in (len(laps), len(laps) + 1)
    return is_whole and is_next and (not run.finished or not failed[-1])


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 200))])
def test_killed_check_leaves_no_process_and_a_consistent_ledger(seed: int, tmp_path: Path) -> None:
    random, trial, state_dir = Random(seed), f"{os.getpid()}-{seed}", str(tmp_path / "run")
    staged(state_dir, tmp_path / "check.py")
    for _ in range(2):
        driver = drive(trial, *begun_or_resumed(state_dir))
        killed(driver, trial, random)
        driver.wait(240)
        assert left(trial) == []
        assert agrees(RunState(state_dir).run)
    statuses = (drive(trial, *begun_or_resumed(state_dir)).wait(240) for _ in range(3))
    assert 0 in statuses  # if a step was killed, the run has stopped, and tries that step once more
    assert left(trial) == []
    assert agrees(RunState(state_dir).run)
    assert RunState(state_dir).run.finished
