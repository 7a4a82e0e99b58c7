"""The state of the project's repository: a commit can be on no branch."""

from pathlib import Path

from skills.planner.execution.worktree import is_detached
from skills.planner.simulation.project import begin, git


def test_commit_is_on_no_branch_only_if_none_is_checked_out(tmp_path: Path) -> None:
    project, without = tmp_path / "project", tmp_path / "without"
    without.mkdir()
    begin(str(project))
    assert not is_detached(str(without))
    assert not is_detached(str(project))
    (project / ".git" / "HEAD").write_text(git(str(project), "rev-parse", "HEAD"))
    assert is_detached(str(project))
    git(str(without), "init", "-q")
    assert not is_detached(str(without))
