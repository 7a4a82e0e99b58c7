"""Proof of every workflow of the project: laws 1, 2, 5, 6 and 7 for all that can be printed."""

import os
import tempfile

import pytest

stepscript_packages = ("skills", "tests.workflows")
collect_ignore = ["plugins/faulty_project"]  # its faults are intended; `plugins/test_proof.py` expects them


_STATE = tempfile.TemporaryDirectory(prefix="stepscript-state-")
os.environ["XDG_STATE_HOME"] = _STATE.name
"""Separate state of the tests, set as soon as tests are collected, so that the user's own is not touched."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the scores of the text checks on their samples."""
    from tests.skills.conventions.scores import HALVES, score  # mere collection does not pay for this import

    for half in HALVES:
        terminalreporter.write_line(str(score(half)))
