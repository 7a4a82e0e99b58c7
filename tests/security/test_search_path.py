"""A program of a repository is not run because its user's search path leads there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.command import LAUNCHER_VARIABLE
from lib.workflow.run.clients.roles import NAMES
from lib.workflow.util.processes import start
from lib.workflow.util.search_path import which

RUN = ("run", "problem-analysis", "x", "--attempts", "1", "--agent")


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Enter a repository with programs of usual names, each of which leaves a witness."""
    witness = tmp_path / "witness"
    for place in (tmp_path / "repository", tmp_path / "repository" / "bin"):
        place.mkdir()
        for name in (*NAMES, "sh", "git"):
            (place / name).write_text(f"#!/bin/sh\ntouch '{witness}'\necho WAY: 1\n")
            (place / name).chmod(0o755)
    monkeypatch.chdir(tmp_path / "repository")
    monkeypatch.setenv("PATH", f":.:bin:{os.defpath}")
    yield
    assert not witness.exists()


@pytest.mark.parametrize("client", NAMES)
def test_client_that_only_the_repository_has_is_not_installed(client: str) -> None:
    assert which(client) is None
    assert main([*RUN, client]) == 2


def test_agent_is_the_users_program_of_its_name() -> None:
    assert which("sh") in ("/bin/sh", "/usr/bin/sh")
    assert main([*RUN, "sh -c 'echo WAY: 1'"]) == 0


def test_a_check_is_the_users_program_of_its_name() -> None:
    assert start(("sh", "-c", "exit 3")).wait() == 3
    with pytest.raises(FileNotFoundError):
        start(("claude", "--version"))


def test_doctor_does_not_take_the_repositorys_program_for_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, "claude -I")
    assert main(["doctor"]) == 1


def test_a_path_is_the_program_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "repository" / "bin" / "sh"
    assert which("bin/sh") == "bin/sh"
    assert which(str(path)) == str(path)
    path.chmod(0o644)
    assert which(str(path)) is None
    assert which("bin") is None
