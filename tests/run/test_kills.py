"""A driver that is killed at any moment, and resumed: the run ends like an undisturbed one."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from lib.workflow.run.engine import entries
from lib.workflow.run.journal.journal import Event
from skills.planner.simulation.project import git
from skills.planner.state.run_state import RunState

STEPSCRIPT = os.path.join(os.path.dirname(sys.executable), "stepscript")
EVENTS = 190
"""About the number of events of an undisturbed run of the planner and then the executor."""
DRIVERS = ("driver", "driver-2")


def driver(*words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([STEPSCRIPT, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def begun(folder: Path) -> "subprocess.Popen[bytes]":
    return driver("rehearse", "planner", "Limit each caller's requests", "--keep", str(folder))


def killed(process: "subprocess.Popen[bytes]", random: Random) -> bool:
    """Kill the process after some events and a moment more. Returns True if it was still running."""
    assert process.stdout is not None
    for _ in range(random.randrange(1, EVENTS // 2)):
        process.stdout.readline()
    try:
        process.wait(random.random() / 50)
    except subprocess.TimeoutExpired:
        process.kill()
    process.stdout.close()
    return process.wait() != 0


def outcome(folder: Path) -> tuple[object, ...]:
    """Return the run's state, and the content of the project's commits."""
    state = RunState(str(folder))
    run = state.run
    checks = [(each.at, [verdict.status for verdict in each.verdicts]) for each in run.checks]
    log = git(run.project_root, "log", "--format=%T %s")
    left = git(run.project_root, "status", "--porcelain")
    return state.plan, run.gates, run.rounds, run.answers, run.approval, checks, run.finished, log, left


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """Return the end of an undisturbed run."""
    folder = tmp_path_factory.mktemp("undisturbed")
    begun(folder).communicate()
    assert RunState(str(folder)).run.finished
    return outcome(folder)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 102))])
def test_killed_run_resumes_without_repeating_finished_work(
    undisturbed: tuple[object, ...], tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    kills = sum(killed(process, random) for process in (begun(tmp_path), driver("resume", str(tmp_path))))
    with driver("resume", str(tmp_path)) as last:
        last.communicate()
    assert last.returncode == 0
    assert outcome(tmp_path) == undisturbed
    past = [[*entries(str(tmp_path / name))] for name in DRIVERS]
    ends = (Event.REPLIED, Event.STEP, Event.ANSWERED)
    results = Counter((n, entry.key) for n, run in enumerate(past) for entry in run if entry.event in ends)
    assert set(results.values()) == {1}
    started = Counter((n, entry.key) for n, run in enumerate(past) for entry in run if entry.event is Event.ATTEMPT)
    assert sum(started.values()) - len(started) <= kills
