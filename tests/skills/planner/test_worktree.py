"""The state of the project's repository: a commit can be on no branch, and an agent has a worktree of its own."""

from pathlib import Path

from skills.planner.execution.worktree import changed, commit_of, is_detached
from skills.planner.simulation.project import begin, git
from tests.run.worktrees.projects import begun, lent, write
from tests.run.worktrees.projects import project as project_with_files


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


def test_agent_with_its_own_worktree_sees_all_changes_since_the_commit_of_the_run(tmp_path: Path) -> None:
    root = project_with_files(tmp_path)
    place = begun(root, root / "src", each=True)
    write(place.folder, "c.py", "c")
    own = lent(place, "2.1")
    write(own, "new.py", "n")
    assert (changed(place.folder), changed(own)) == (("c.py",), ("new.py",))
    assert changed(own, commit_of(place.folder)) == ("c.py", "new.py")
