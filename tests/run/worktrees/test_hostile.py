"""A repository in which every setting, hook and attribute leaves a trace: a run in a worktree runs none of them."""

from pathlib import Path

import pytest

from lib.workflow.run.clients.results import CrashError
from lib.workflow.run.worktrees.of_run import APART, caveats, result
from lib.workflow.run.worktrees.removal import reason_to_keep, remove_worktrees
from lib.workflow.run.worktrees.tree import Tree
from tests.run.worktrees.projects import begun, lent, run_in, write
from tests.security.repositories import Trap, git
from tests.wording import elided


def test_no_program_that_the_repository_names_is_run(tmp_path: Path) -> None:
    trap = Trap(tmp_path / "repository", tmp_path / "witnesses")
    place = begun(trap.folder, each=True, carries=True)
    assert caveats(place.tree.repository)
    kept = lent(place, "2.1")
    write(kept, "one.py", "1\n")
    with pytest.raises(CrashError, match=r"one\.py"):
        place.give("2.1")
    assert Path(kept or "", "one.py").read_text() == "1\n"
    attributes = "* diff=trap merge=trap\n*.odd filter=odd.name\n"
    (trap.folder / ".git" / "info" / "attributes").write_text(attributes)
    for number, name in enumerate((kept, lent(place, "2.2")), 1):
        write(name, f"{number}.py", "1\n")
        write(name, "src/api.py", "one\ntwo\nthree\n")
    write(kept, "src/api.py", "one\ntwo\nfour\n")
    place.give("2.1")
    with pytest.raises(CrashError, match=elided(f"src/api.py … {APART}")):
        place.give("2.2")
    third = lent(place, "2.3")
    git(tmp_path, "init", "-q", "harmless")
    for folder in (third, place.tree.path):
        write(folder, ".git", f"gitdir: {tmp_path / 'harmless' / '.git'}\n")
        write(folder, "a.odd", "one\nTWO\n")
    with pytest.raises(CrashError, match=r"a\.odd"):
        place.give("2.3")
    place.finish()
    found = result(run_in(trap.folder))
    assert found is not None
    assert (found.commits, len(found.conflicts)) == (1, 1)
    assert reason_to_keep(run_in(trap.folder))
    assert trap.sprung == []
    (Path(place.tree.path) / "a.odd").write_text("one\ntwo\n")
    write(place.tree.path, ".git", f"gitdir: {trap.folder / '.git' / 'worktrees' / Path(place.tree.path).name}\n")
    Tree(place.tree.repository, third).discard()
    for name in (found.branch, *found.conflicts):
        place.tree.repository.git("update-ref", f"refs/tags/{name}", f"refs/heads/{name}")
    remove_worktrees(run_in(trap.folder))
    assert trap.sprung == []
