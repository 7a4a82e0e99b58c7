"""A plugin's launcher finds the Python that has the skills, or says what to type."""

import os
import sys
from pathlib import Path

import pytest

from lib.workflow.app.install import launcher

Captured = pytest.CaptureFixture[str]
MODULE = "skills.planner.session"


class BecameError(Exception):
    """The process would be replaced now."""


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a machine on which no Python has the package."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "STEPSCRIPT_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def python(folder: Path, status: int = 0) -> str:
    """Create a program that answers like a Python with or without the skills."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "python"
    program.write_text(f"#!/bin/sh\nexit {status}\n")
    program.chmod(0o755)
    (folder / "stepscript").write_text("#!/bin/sh\n")
    (folder / "stepscript").chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    "place", [".local/share/uv/tools/stepscript/bin", ".local/share/pipx/venvs/stepscript/bin", ""]
)
def test_launcher_runs_the_module_in_the_python_that_has_it(
    place: str, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def become(path: str, words: list[str]) -> None:
        raise BecameError(path, *words)

    found = python(bare / place)
    monkeypatch.setattr(os, "execv", become)
    with pytest.raises(BecameError) as became:
        launcher.main(["--quiet", MODULE, "--step", "1"])
    assert became.value.args == (found, found, *launcher.ALONE, "-m", MODULE, "--step", "1")


def test_the_python_that_the_user_names_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python(bare)
    monkeypatch.setenv("STEPSCRIPT_PYTHON", "/mine/python")
    assert next(iter(launcher.homes())) == "/mine/python"


def test_missing_package_prints_how_to_install_it(bare: Path, capsys: Captured) -> None:
    python(bare, status=1)
    assert launcher.main([MODULE]) == 3
    assert f"uv tool install {launcher.SOURCE}" in capsys.readouterr().out


def test_hook_prints_nothing_if_the_package_is_missing(bare: Path, capsys: Captured) -> None:
    assert launcher.main(["--quiet", MODULE]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_missing_module_prints_the_usage(words: list[str], capsys: Captured) -> None:
    assert launcher.main(words) == 2
    assert "MODULE" in capsys.readouterr().err


@pytest.mark.parametrize("home", ["~", "home", ""])
def test_interpreter_in_the_working_directory_is_never_used(
    home: str, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check relative home folders and search paths, because a repository can bring an interpreter."""
    monkeypatch.chdir(bare)
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("PATH", ".")
    monkeypatch.setenv("STEPSCRIPT_PYTHON", "./python")
    python(bare)
    for folder in (home, "~"):
        python(bare / folder / ".local/share/uv/tools/stepscript/bin")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path.replace("~", home))
    assert launcher.main([MODULE]) == 3
