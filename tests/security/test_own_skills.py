"""Skills of a project's own folder run only after the user's consent to what they hold now."""

import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.app.install.launcher import launcher
from lib.workflow.app.main import main
from lib.workflow.command.quoting import split
from tests.scripts import environment

TRACE = "ran.txt"
"""File that a skill's code leaves when it is imported."""


class Project:
    """A project with a skill that leaves a trace when its code is read, and its user."""

    def __init__(self, folder: Path, made: Path) -> None:
        self.folder = folder / "project"
        self._made = made
        self.trace = folder / TRACE
        (self.folder / ".git").mkdir(parents=True)
        self.environment = {**environment(folder), "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        self.environment["PYTHONDONTWRITEBYTECODE"] = ""

    def stepscript(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-P", "-m", "stepscript", *words, cwd=cwd)

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=cwd or self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def add(self, place: str = "skills") -> Path:
        """Add a skill as a repository brings it, and return its workflow."""
        folder = self.folder / place / "tidy_up"
        shutil.copytree(self._made, folder)
        workflow = folder / "workflow.py"
        workflow.write_text(f"{workflow.read_text()}\nopen({str(self.trace)!r}, 'w').close()\n")
        return workflow

    def command(self) -> list[str]:
        """Return the first command of the skill, as `show` prints it after consent."""
        shown = self.stepscript("show", "tidy-up").stdout
        return list(split(shown.splitlines()[-1]))


def asks_for_trust(ran: subprocess.CompletedProcess[str]) -> bool:
    """Return True if the output names the command that agrees; its program can be quoted."""
    return re.search(r"stepscript'? trust", ran.stdout + ran.stderr) is not None


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a skill as `stepscript new` makes it."""
    folder = tmp_path_factory.mktemp("made")
    assert main(("new", "tidy-up", "-C", str(folder))) == 0
    return folder / "skills" / "tidy_up"


@pytest.fixture
def project(tmp_path: Path, made: Path) -> Project:
    return Project(tmp_path, made)


@pytest.mark.parametrize("place", ["skills", ".stepscript/skills"])
def test_nothing_runs_before_consent_and_everything_after(place: str, project: Project) -> None:
    project.add(place)
    for words in (["list"], ["list", "--all"], ["show", "tidy-up"], ["doctor"], ["step", "tidy-up", "1"]):
        ran = project.stepscript(*words)
        assert asks_for_trust(ran)
        assert not project.trace.exists()
    (project.folder / "conftest.py").write_text("stepscript_packages = 'project_skills'\n")
    proof = (sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert asks_for_trust(project.run(*proof))
    assert not project.trace.exists()
    assert project.stepscript("trust", place).returncode == 1
    assert project.stepscript("trust", place, "--yes").returncode == 0
    assert not project.trace.exists()
    assert "tidy-up" in project.stepscript("list").stdout
    assert project.trace.exists()
    ran = project.run(*project.command(), cwd=Path("/"))
    assert (ran.returncode, "<step_header" in ran.stdout) == (0, True)


def changed(project: Project, workflow: Path) -> None:
    workflow.write_text(f"{workflow.read_text()}\n")


def one_more(project: Project, workflow: Path) -> None:
    workflow.with_name("more.py").write_text("")


def removed(project: Project, workflow: Path) -> None:
    workflow.with_name("prompts.md").unlink()


def linked(project: Project, workflow: Path) -> None:
    workflow.with_name("more.py").symlink_to(workflow)


def linked_folder(project: Project, workflow: Path) -> None:
    workflow.with_name("more").symlink_to(workflow.parent)


def too_large(project: Project, workflow: Path) -> None:
    for name in ("a", "b"):
        with workflow.with_name(name).open("wb") as file:
            file.truncate(9 << 20)


def a_pipe(project: Project, workflow: Path) -> None:
    os.mkfifo(workflow.with_name("pipe"))


def copied(project: Project, workflow: Path) -> None:
    shutil.copytree(project.folder, project.folder.parent / "copy")
    project.folder.rename(project.folder.parent / "original")  # it stays, so that the copy cannot get its file numbers
    (project.folder.parent / "copy").rename(project.folder)


@pytest.mark.parametrize("change", [changed, one_more, removed, linked, linked_folder, too_large, a_pipe, copied])
def test_what_has_changed_since_needs_consent_again(change: Callable[[Project, Path], None], project: Project) -> None:
    workflow = project.add()
    assert project.stepscript("trust", "skills", "--yes").returncode == 0
    command = project.command()
    project.trace.unlink()
    change(project, workflow)
    assert "tidy-up" not in project.stepscript("list").stdout
    ran = project.run(*command)
    assert (ran.returncode, "<refusal" in ran.stdout) == (1, True), ran.stdout
    assert not project.trace.exists()


def test_consent_is_one_json_object_for_a_program(project: Project) -> None:
    project.add()
    refused = json.loads(project.stepscript("trust", "skills", "--json").stdout)
    assert "--yes" in refused["error"]["fix"]
    agreed = json.loads(project.stepscript("trust", "skills", "--yes", "--json").stdout)
    assert (agreed["trusted"], agreed["skills"]) == (True, ["tidy_up"])


@pytest.mark.parametrize("module", ["workflow", "run"])
def test_compiled_code_that_a_repository_brings_is_not_run(module: str, project: Project) -> None:
    file = project.add().with_name(f"{module}.py")
    compiled = project.trace.with_name("compiled")
    text = file.read_text()
    file.write_text(f"open({str(compiled)!r}, 'w').close()\n{text}")
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    file.write_text(text)
    assert project.stepscript("trust", "skills", "--yes").returncode == 0
    assert project.run(*project.command()).returncode == 0
    for words in (["validate", "project_skills"], ["rehearse", "tidy-up", "--pace", "0"]):
        assert project.stepscript(*words).returncode == 0
    assert project.trace.exists()
    assert not compiled.exists()
    assert len(list(file.parent.rglob("*.pyc"))) == 1


@pytest.mark.parametrize("held", ["package", "link", "empty"])
def test_other_folders_of_that_name_are_no_skills(held: str, project: Project) -> None:
    skills = project.folder / "skills"
    if held == "package":
        project.add()
        (skills / "__init__.py").touch()
    elif held == "link":
        project.add("elsewhere")
        skills.symlink_to(project.folder / "elsewhere")
    else:
        skills.mkdir()
    ran = project.stepscript("list")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "project_skills" not in ran.stdout


def test_new_skill_beside_strange_files_is_not_agreed_to_with_them(project: Project) -> None:
    strange = project.folder / "skills/strange"
    strange.mkdir(parents=True)
    (strange / "flow.py").write_text(f"WORKFLOW = open({str(project.trace)!r}, 'w')\n")
    assert asks_for_trust(project.stepscript("new", "tidy-up"))
    project.stepscript("list")
    assert not project.trace.exists()


def test_installed_skill_of_a_project_is_started_by_a_live_python(project: Project, tmp_path: Path) -> None:
    project.add()
    assert project.stepscript("trust", "skills", "--yes").returncode == 0
    command = project.command()
    script = tmp_path / "launch"
    script.write_text(launcher(["stepscript"]))
    project.environment |= {"STEPSCRIPT_PYTHON": sys.executable, "PATH": os.defpath}
    ran = project.run("sh", str(script), "/gone/python", "-I", "/gone/own.py", *command[3:])
    assert (ran.returncode, "<step_header" in ran.stdout) == (0, True), ran.stderr + ran.stdout


def test_a_project_of_its_own_skills_passes_the_proof(project: Project) -> None:
    assert project.stepscript("new", "tidy-up").returncode == 0
    ran = project.stepscript("validate", "project_skills")
    assert ran.returncode == 0, ran.stdout + ran.stderr
