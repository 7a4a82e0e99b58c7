"""git does not offer installed files for a commit, and the exclude file is as it was after an uninstallation."""

import subprocess
from pathlib import Path

import pytest

from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.host.exclusion import FILE
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import Asked, install, uninstall

CLAUDE = Asked((Agent.CLAUDE,))


def git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *settings, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "main"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


@pytest.mark.parametrize("inner", [".", "packages/a [b] *c"])
@pytest.mark.parametrize("before", [b"# mine\r\n*.log\xff", b"", None])
def test_installed_files_are_excluded_until_they_are_removed(
    before: bytes | None, inner: str, repository: Path
) -> None:
    excludes = repository / ".git" / FILE
    excludes.unlink()
    if before is not None:
        excludes.write_bytes(before)
    project = repository / inner
    project.mkdir(parents=True, exist_ok=True)
    install(Tree(str(project)), CLAUDE, Scope.PROJECT)
    install(Tree(str(project)), CLAUDE, Scope.PROJECT)
    assert git(repository, "status", "--porcelain") == ""
    own = project / ".claude/skills/planner/SKILL.local.md"
    own.write_text("mine\n")
    assert own.name in git(repository, "status", "--porcelain", "-uall")
    own.unlink()
    uninstall(Tree(str(project)))
    assert (excludes.read_bytes() if excludes.exists() else b"") == (before or b"")


def test_two_work_trees_have_their_own_lines(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(repository, "worktree", "add", "-q", str(other))
    for folder in (repository, other):
        install(Tree(str(folder)), CLAUDE, Scope.PROJECT)
    uninstall(Tree(str(repository)))
    assert git(other, "status", "--porcelain") == ""
    uninstall(Tree(str(other)))
    assert "stepscript" not in (repository / ".git" / FILE).read_text()


def test_a_repository_that_a_project_only_names_is_not_written(repository: Path, tmp_path: Path) -> None:
    """Check a file `.git` that came with a folder: the repository that it names does not know the folder."""
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / ".git").write_text(f"gitdir: {repository}/.git\n")
    before = (repository / ".git" / FILE).read_bytes()
    install(Tree(str(strange)), CLAUDE, Scope.PROJECT)
    assert (repository / ".git" / FILE).read_bytes() == before


def test_a_folder_that_is_only_called_like_gits_gets_no_file(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "project").mkdir()
    install(Tree(str(tmp_path / "project")), CLAUDE, Scope.PROJECT)
    assert not list((tmp_path / ".git").iterdir())
