"""A release moves the open section of the changelog under its version, and tags it."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.subjects import ROOT

RELEASE = Path(ROOT, ".ci", "release")
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A door.\n\n## [0.0.1] - 2020-01-01\n\n- A house.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for key, value in {"NAME": "x", "EMAIL": "x@example.org"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{key}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{key}", value)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "x")):
        git(tmp_path, *words)
    return tmp_path


def git(project: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=project, capture_output=True, text=True, check=True).stdout


def release(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, RELEASE, *words], cwd=project, capture_output=True, text=True, check=False)


def test_a_release_names_its_section_and_tags_it(project: Path) -> None:
    assert release(project).returncode == 0
    empty, made, older = (project / "CHANGELOG.md").read_text().split("## [")[1:]
    assert empty == "Unreleased]\n\n"
    assert made.startswith("0.1.0] - ")
    assert "- A door." in made
    assert older.startswith("0.0.1]")
    assert git(project, "cat-file", "-t", "v0.1.0") == "tag\n"
    assert "- A door." in git(project, "tag", "-l", "--format=%(contents)", "v0.1.0")
    assert git(project, "status", "--porcelain") == ""


def test_a_dry_run_shows_the_release_and_changes_nothing(project: Path) -> None:
    before = git(project, "log", "--oneline")
    ran = release(project, "--dry-run")
    assert (ran.returncode, "## [0.1.0] - " in ran.stdout, "- A door." in ran.stdout) == (0, True, True)
    assert "0.0.1" not in ran.stdout
    assert (git(project, "log", "--oneline"), git(project, "tag"), git(project, "status", "-s")) == (before, "", "")


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
@pytest.mark.parametrize("fault", ["changed", "tagged", "empty"])
def test_a_release_that_is_not_ready_changes_nothing(project: Path, fault: str, words: tuple[str, ...]) -> None:
    if fault == "changed":
        (project / "new").write_text("x")
    elif fault == "tagged":
        git(project, "tag", "v0.1.0")
    else:
        (project / "CHANGELOG.md").write_text(CHANGES.replace("### Added\n\n- A door.\n\n", ""))
        git(project, "commit", "-qam", "x")
    before = git(project, "log", "--oneline")
    ran = release(project, *words)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr
    assert git(project, "log", "--oneline") == before


def test_the_pipeline_runs_targets_that_exist_on_every_python_that_the_project_names() -> None:
    pipeline = Path(ROOT, ".github/workflows/test.yml").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", Path(ROOT, "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    called = re.findall(r"run: make ([a-z]+)", pipeline)
    assert {"test", "demo", "site"} <= {*called} <= {*targets}
    classifiers = tomllib.loads(Path(ROOT, "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    named = [found[1] for each in classifiers if (found := re.search(r"Python :: (3\.\d+)$", each))]
    (versions,) = re.findall(r"python: (\[.*\])", pipeline)
    assert json.loads(versions) == named
    assert "[ubuntu-latest, macos-latest]" in pipeline
