"""The proof of every workflow of the project: laws 1, 2, 5, 6 and 7 for all that can be printed."""

from collections.abc import Iterator

import pytest

stepscript_packages = ("skills", "tests.workflows")
collect_ignore = ["plugins/faulty_project"]  # what is wrong there is meant; `plugins/test_proof.py` has it found


@pytest.fixture(scope="session", autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What we keep for the user is not the user's who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how well what judges texts does on its samples."""
    from tests.skills.conventions.scores import HALVES, score  # whoever only collects pays for none of it

    for half in HALVES:
        terminalreporter.write_line(str(score(half)))
