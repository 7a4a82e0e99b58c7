"""The launcher finds a live Python that has the skills, or says what to type."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lib.workflow.app.install.launcher import launcher

MODULE = "skills.planner.session"
TOOLS = ("sh", "env", "readlink", "cat")
"""Programs that the launcher and the false interpreters need."""


class Machine:
    """A machine on which no Python has the package, until one is added."""

    def __init__(self, folder: Path) -> None:
        self.home = folder
        self.script = folder / "launch"
        self.script.write_text(launcher(["stepscript", "acme @ file:///a b"]))
        self.script.chmod(0o755)
        self.environment = {"PATH": str(folder / "bin"), "HOME": str(folder)}
        (folder / "bin").mkdir()
        for tool in TOOLS:
            (folder / "bin" / tool).symlink_to(f"/bin/{tool}")

    def python(self, place: str, has_it: bool = True) -> str:
        """Add a program that answers like a Python with or without the skills, and prints how it was started."""
        folder = self.home / place
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / "python"
        program.write_text(
            f'#!/bin/sh\n[ "$3" = -c ] && exit {0 if has_it else 1}\necho "{program} $*"\n'
            f"{'' if has_it else 'echo No module >&2; exit 1'}\n"
        )
        program.chmod(0o755)
        (folder / "stepscript").write_text("#!/bin/sh\n")
        (folder / "stepscript").chmod(0o755)
        return str(program)

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(self.script), *words]
        return subprocess.run(command, env=self.environment, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_named_python_starts_the_module_with_its_own_options(machine: Machine) -> None:
    named, other = machine.python("named"), machine.python("bin")
    machine.environment["STEPSCRIPT_PYTHON"] = other
    ran = machine.run(named, "-I", "-m", MODULE, "--task", "a  b")
    assert ran.stdout == f"{named} -I -m {MODULE} --task a  b\n"


@pytest.mark.parametrize("words", [["/gone/python", "-I"], ["BROKEN", "-I"], []])
@pytest.mark.parametrize(
    "place",
    [
        ".local/share/uv/tools/stepscript/bin",
        ".local/share/pipx/venvs/stepscript/bin",
        ".local/pipx/venvs/stepscript/bin",
        "bin",
        "chosen",
    ],
)
def test_without_the_named_python_another_live_one_is_found(place: str, words: list[str], machine: Machine) -> None:
    broken, found = machine.python("broken", has_it=False), machine.python(place)
    if place == "chosen":
        machine.environment["STEPSCRIPT_PYTHON"] = found
    given = [word.replace("BROKEN", broken) for word in words]
    ran = machine.run(*given, "-m", MODULE, "--step", "1")
    assert (ran.stdout, ran.returncode) == (f"{found} -E -P -m {MODULE} --step 1\n", 0)


def test_a_launcher_of_several_words_is_used_as_it_is(machine: Machine) -> None:
    named = machine.python("named", has_it=False)
    ran = machine.run("env", "X=1", named, "-P", "-m", MODULE)
    assert ran.stdout == f"{named} -P -m {MODULE}\n"


def test_missing_package_prints_how_to_install_every_source(machine: Machine) -> None:
    machine.python("bin", has_it=False)
    ran = machine.run("/gone/python", "-I", "-m", MODULE)
    assert ran.returncode == 3
    assert "uv tool install stepscript --with 'acme @ file:///a b'\n" in ran.stdout
    assert ran.stderr == ""


@pytest.mark.parametrize("words", [["/gone/python", "-I"], ["BROKEN", "-I"], []])
def test_hook_prints_nothing_if_the_package_is_missing(words: list[str], machine: Machine) -> None:
    broken = machine.python("broken", has_it=False)
    ran = machine.run("--quiet", *(word.replace("BROKEN", broken) for word in words), "-m", MODULE)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "No module" not in ran.stdout


@pytest.mark.parametrize("words", [[], ["--help"], ["-m"], ["-m", "a'b"]])
def test_missing_module_prints_the_usage(words: list[str], machine: Machine) -> None:
    ran = machine.run(*words)
    assert ran.returncode == 2
    assert "MODULE" in ran.stderr


@pytest.mark.parametrize("home", ["~", "home", ""])
def test_interpreter_in_the_working_directory_is_never_used(home: str, machine: Machine, tmp_path: Path) -> None:
    """Check relative home folders and search paths, because a repository can bring an interpreter."""
    project = tmp_path / "project"
    for folder in (".", "bin", home, "~"):
        machine.python(f"project/{folder}")
        machine.python(f"project/{folder}/.local/share/uv/tools/stepscript/bin")
    (project / "python3").symlink_to("python")
    machine.environment |= {"HOME": home, "PATH": f".:bin::{machine.environment['PATH']}"}
    machine.environment["STEPSCRIPT_PYTHON"] = "./python"
    ran = machine.run("-m", MODULE, cwd=project)
    assert ran.returncode == 3, ran.stdout


def test_real_python_runs_a_real_module(tmp_path: Path) -> None:
    script = tmp_path / "launch"
    script.write_text(launcher(["stepscript"]))
    words = ["sh", str(script), "/gone/python", "-I", "-m", "skills.problem_analysis.analyze", "--step", "1"]
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "STEPSCRIPT_PYTHON": sys.executable}
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert f"{shlex.quote(sys.executable)} -I -m skills.problem_analysis" in ran.stdout
