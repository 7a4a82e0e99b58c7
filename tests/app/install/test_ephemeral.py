"""An interpreter that will soon be gone installs nothing."""

import os
import tempfile
from pathlib import Path

import pytest

from lib.workflow.app.install.host.ephemeral import check_lasting
from lib.workflow.app.main import main
from lib.workflow.errors import RefusedError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a home folder that is in no temporary folder, as far as the check knows."""
    monkeypatch.setattr("lib.workflow.app.install.host.ephemeral._TEMPORARY", ())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "UV_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (".cache/uv/archive-v0/x1/bin", "uv tool install here"),
        (".cache/pipx/abc/bin", "pipx install --force here"),
        (".local/pipx/.cache/abc/bin", "pipx install --force here"),
        (".local/share/pipx/.cache/abc/bin", "pipx install --force here"),
        ("Library/Caches/uv/archive-v0/x1/bin", "uv tool install here"),
        ("../tmp/venv/bin", "uv tool install here"),
        ("tagged/archive-v0/x1/bin", "uv tool install here"),
        ("linked/x1/bin", "uv tool install here"),
    ],
)
def test_python_of_a_cache_or_a_temporary_folder_is_refused_with_the_right_command(
    place: str, line: str, home: Path
) -> None:
    (home / "tagged").mkdir()
    (home / "tagged/CACHEDIR.TAG").touch()
    (home / ".cache").mkdir()
    (home / "linked").symlink_to(".cache")
    with pytest.raises(RefusedError) as refused:
        check_lasting(str(home / place / "python"), str(home / "project"), "here")
    assert f"{line} && stepscript install" in refused.value.fix


@pytest.mark.parametrize(
    "python",
    [
        "python3",
        "/usr/bin/python3",
        "{home}/.local/share/uv/tools/stepscript/bin/python",
        "{home}/own/.venv/bin/python",
    ],
)
def test_python_that_lasts_is_accepted(python: str, home: Path) -> None:
    (home / "own/.venv").mkdir(parents=True)
    (home / "own/.venv/CACHEDIR.TAG").touch()  # uv marks environments so
    check_lasting(python.format(home=home), str(home / "project"), "here")


def test_python_that_is_cleared_together_with_the_project_is_accepted(home: Path) -> None:
    check_lasting(str(home.parent / "tmp/project/.venv/bin/python"), str(home.parent / "tmp/project"), "here")


def test_python_and_project_in_two_temporary_folders_are_accepted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.app.install.host.ephemeral._TEMPORARY", (str(home.parent / "memory"),))
    check_lasting(str(home.parent / "memory/venv/bin/python"), str(home.parent / "tmp/project"), "here")


def test_installation_by_such_a_python_writes_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = home / "project"
    project.mkdir()
    monkeypatch.setenv("WORKFLOW_PYTHON", f"{home}/.cache/uv/archive-v0/x1/bin/python -I")
    assert main(["install", "--agent", "claude", "--yes", "--project", str(project)]) == 1
    assert "uv tool install" in capsys.readouterr().err
    assert os.listdir(project) == []
