"""Proof of a foreign package, by one line in its `conftest.py`: every seeded fault is found and named."""

import os
import re
import subprocess
import sys

import pytest

from lib.workflow.testing.findings import Fault

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faulty_project")
SEEDED = {
    "faulty.unfinished": {Fault.UNUSABLE},
    "changing": {Fault.REPEAT, Fault.PROCESS},
    "countless": {Fault.TOO_MANY_CASES},
    "crashing": {Fault.BROKEN},
    "crowded": {Fault.LENGTH},
    "doodling": {Fault.STATE},
    "elsewhere": {Fault.PROCESS},
    "endless": {Fault.LOOP},
    "flooding": {Fault.LENGTH},
    "homing": {Fault.RELATIVE, Fault.PROCESS},
    "littering": {Fault.PROCESS},
    "misdirected": {Fault.REFUSED},
    "misspelt": {Fault.FORM},
    "mute": {Fault.ENDING, Fault.DEAD_END},
    "refusing": {Fault.CALL},
    "scribbling": {Fault.STATE},
    "spilling": {Fault.PROCESS},
    "straying": {Fault.LOOP},
    "stuck": {Fault.UNREACHED, Fault.DEAD_END, Fault.LOOP},
}
"""The faults of each workflow of the package; `sound` has none."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return pytest's output for the package, in a process of its own."""
    home = str(tmp_path_factory.mktemp("home"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        os.devnull,
        "--rootdir",
        PROJECT,
        "-p",
        "no:cacheprovider",
        PROJECT,
    ]
    environment = {**os.environ, "PYTHONPATH": PROJECT, "HOME": home}
    run = subprocess.run(command, capture_output=True, env=environment, encoding="utf-8", check=False)
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout


def found(report: str) -> dict[str, set[Fault]]:
    kinds = "|".join(map(re.escape, Fault))
    pairs = re.findall(rf"^([\w.]+)(?:, step .*?)? ({kinds}): ", report, re.MULTILINE)
    return {name: {Fault(fault) for other, fault in pairs if other == name} for name, _ in pairs}


def test_every_seeded_fault_is_found_and_nothing_else(report: str) -> None:
    assert found(report) == SEEDED
    assert set().union(*SEEDED.values()) == set(Fault) - {Fault.SKILL_FILE}  # which `stepscript validate` checks


def test_the_summary_says_how_much_was_tried(report: str) -> None:
    assert re.search(r"stepscript proof of faulty: \d+ workflows: [\d,]+ valid calls .* [\d,]+ commands", report)
