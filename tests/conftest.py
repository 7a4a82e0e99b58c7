"""The proof of every workflow of the project: laws 1, 2, 5, 6 and 7 for all that can be printed."""

import pytest

stepscript_packages = ("skills", "tests.workflows")
collect_ignore = ["plugins/faulty_project"]  # what is wrong there is meant; `plugins/test_proof.py` has it found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how well what judges texts does on its samples."""
    from tests.skills.conventions.scores import HALVES, score  # whoever only collects pays for none of it

    for half in HALVES:
        terminalreporter.write_line(str(score(half)))
