"""`stepscript new` makes a package that builds into a wheel whose skills work."""

import json
import os
import sys
from pathlib import Path

import pytest

from lib.workflow.app.install.host.environment import adding_line, extra_line, repairing_line
from lib.workflow.app.main import main
from lib.workflow.app.skeleton import package as packages_made
from lib.workflow.command.quoting import quote
from tests.subjects import ROOT
from tests.wheels import built, environment, run
from tests.wording import carries

Captured = pytest.CaptureFixture[str]
PIP = f"{quote(sys.executable)} -m pip install"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter an empty folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_wheel_of_a_new_package_has_skills_that_work(work: Path, tmp_path: Path, capsys: Captured) -> None:
    assert main(["new", "tidy-up", "--package", "acme_skills", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {Path(path).name for path in data["made"]} == {"__init__.py", "pyproject.toml"}
    assert data["lacking"] == ""
    wheel = built(work)
    program = environment(tmp_path / "environment", wheel)
    assert run(program, "validate", "acme_skills", cwd=tmp_path).returncode == 0
    assert "tidy-up" in run(program, "list", cwd=tmp_path).stdout
    installed = run(program, "install", "--agent", "claude", "--skill", "tidy-up", "--yes", cwd=project(tmp_path))
    assert installed.returncode == 0, installed.stderr
    assert (tmp_path / "project/.claude/skills/tidy-up/SKILL.md").exists()


def project(folder: Path) -> Path:
    (folder / "project").mkdir()
    return folder / "project"


def test_wheel_without_the_texts_says_how_to_build_it(work: Path, tmp_path: Path) -> None:
    assert main(["new", "tidy-up", "--package", "acme_skills"]) == 0
    text = (work / "pyproject.toml").read_text()
    (work / "pyproject.toml").write_text(text[: text.index("# Without this")])
    program = environment(tmp_path / "environment", built(work))
    ran = run(program, "validate", "acme_skills", cwd=tmp_path)
    assert ran.returncode == 1
    assert carries(" ".join(ran.stdout.split()), "prompts.md: … missing")


@pytest.mark.parametrize(
    ("prefix", "adds", "repairs", "extends"),
    [
        (
            "/h/.local/share/uv/tools/stepscript",
            "uv tool install here --with-editable '/a b'",
            "uv tool upgrade --reinstall stepscript",
            "uv tool install 'stepscript[x] @ here'",
        ),
        (
            "/h/.local/share/pipx/venvs/stepscript",
            "pipx inject stepscript --editable '/a b'",
            "pipx reinstall stepscript",
            "pipx install --force 'stepscript[x] @ here'",
        ),
        (
            "/h/project/.venv",
            f"{PIP} --editable '/a b'",
            f"{PIP} --force-reinstall here",
            f"{PIP} 'stepscript[x] @ here'",
        ),
    ],
)
def test_commands_for_the_environment_are_those_of_the_tool_that_made_it(
    prefix: str, adds: str, repairs: str, extends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert adding_line("/a b", "here") == adds
    assert repairing_line("here") == repairs
    assert extra_line("x", "here") == extends
    assert extra_line("x", "stepscript==1.0") == extends.replace("[x] @ here", "[x]==1.0")


def test_package_that_is_here_but_not_installed_gets_the_skill_and_the_command(work: Path, capsys: Captured) -> None:
    (work / "acme_skills").mkdir()
    (work / "acme_skills/__init__.py").touch()
    (work / "pyproject.toml").write_text('[project]\nname = "acme"\n')
    assert main(["new", "tidy-up", "--package", "acme_skills"]) == 0
    shown = capsys.readouterr().out
    assert '[project.entry-points."stepscript.skills"]\nacme-skills = "acme_skills"\n' in shown
    assert f"{quote(sys.executable)} -m pip install --editable {work}\n" in shown
    assert (work / "pyproject.toml").read_text() == '[project]\nname = "acme"\n'


def test_proof_of_a_package_that_is_not_installed_says_where_and_how_to_install_it(
    work: Path, capsys: Captured
) -> None:
    assert main(["new", "tidy-up", "--package", "acme_skills"]) == 0
    assert main(["validate", "acme_skills"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f", {sys.prefix}." in said
    assert f"{quote(sys.executable)} -m pip install --editable {work}" in said


def test_the_made_project_file_declares_every_kind_of_file_that_a_skill_has() -> None:
    from lib.workflow.app.skeleton.write import FILES

    assert {os.path.splitext(name)[1] for name in FILES} == {".py", ".md"}
    assert '"*" = ["*.md"]' in packages_made.project_text("x")
    assert os.path.isfile(os.path.join(ROOT, "lib/workflow/app/skeleton/pyproject.txt"))
