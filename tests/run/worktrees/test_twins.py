"""Worktrees on two hosts, made equal in both directions by packs of commits."""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.run.clients.results import CrashError
from lib.workflow.run.worktrees.repository import Repository
from lib.workflow.run.worktrees.tree import Record, Tree
from lib.workflow.run.worktrees.twins import KNOWN, MOST_KNOWN, At, Twin, known, read_pack, remember, write_pack
from tests.run.worktrees.projects import begun, lent, project, write
from tests.security.repositories import Trap, git


def carry(source: Repository, target: Repository, at: At, *there: str, strict: bool = False) -> int:
    """Bring a state's objects into another repository, and return the size of the pack."""
    with TemporaryFile() as file:
        write_pack(source, at, there, file)
        size = file.tell()
        file.seek(0)
        read_pack(target, file, strict)
    return size


def far_from(source: Repository, at: At, folder: Path) -> Twin:
    """Return a worktree of a new repository that is equal to a state of another one."""
    folder.mkdir()
    git(folder, "init", "-q")
    there = Repository(str(folder))
    carry(source, there, at)
    remember(there, at.files)
    tree = Tree(there, str(folder / "trees" / "1128-7e57.2.1"))
    tree.make(Record(base=at.head))
    twin = Twin(tree)
    twin.turn(At(head=at.head, files=at.head), at)
    return twin


def pair(tmp_path: Path) -> tuple[Twin, Twin, At]:
    """Return an agent's worktree on the run's host, its twin, and the state of both."""
    place = begun(project(tmp_path), each=True)
    folder = lent(place, "2.1")
    here = Twin(Tree(place.tree.repository, folder))
    write(folder, "before.py", "b\n")
    at = here.look()
    return here, far_from(place.tree.repository, at, tmp_path / "far"), at


def contents(twin: Twin) -> dict[str, tuple[bytes, bool]]:
    """Return the files of a worktree by path: their contents, and if they can be executed."""
    root = Path(twin.tree.path)
    files = (path for path in root.rglob("*") if path.is_file() and path.name != ".git")
    return {str(path.relative_to(root)): (path.read_bytes(), os.access(path, os.X_OK)) for path in files}


def test_every_kind_of_change_travels_in_both_directions(tmp_path: Path) -> None:
    here, far, at = pair(tmp_path)
    assert contents(far) == contents(here)
    root = Path(far.tree.path)
    (root / "a.py").unlink()
    (root / "b.py").write_bytes(b"\0\xff")
    (root / "b.py").chmod(0o755)
    write(str(root), "new/d é.py", "d\n")
    git(root, "add", "b.py")
    git(root, "commit", "-q", "-m", "By the agent")
    write(str(root), "src/c.py", "later\n")
    after = far.look(at)
    assert after != at
    size = carry(far.tree.repository, here.tree.repository, after, at.files, strict=True)
    assert size < 1_000
    here.turn(at, after)
    assert contents(here) == contents(far)
    assert "By the agent" in git(Path(here.tree.path), "log", "-1", "--format=%s")
    assert far.look(after) is after
    write(here.tree.path, "by-a-command.py", "1\n")
    back = here.look(after)
    carry(here.tree.repository, far.tree.repository, back, after.files)
    far.turn(after, back)
    assert contents(here) == contents(far)
    assert here.look(back) is back


def test_second_pack_holds_only_what_is_new(tmp_path: Path) -> None:
    here, far, _ = pair(tmp_path)
    (commit,) = known(far.tree.repository)
    write(here.tree.path, "noise.bin", "".join(map(str, range(2_000))))
    with TemporaryFile() as whole, TemporaryFile() as rest:
        write_pack(here.tree.repository, here.look(), (), whole)
        shutil.rmtree(Path(here.tree.path, "src"))
        Path(here.tree.path, "noise.bin").unlink()
        write_pack(here.tree.repository, here.look(), (commit, "0" * 40), rest)
        assert rest.tell() < whole.tell() / 2


def test_only_the_latest_known_commits_are_kept(tmp_path: Path) -> None:
    _, far, at = pair(tmp_path)
    commit = at.files
    made = [far.tree.repository.commit_tree(f"{commit}^{{tree}}", [commit], f"{number}") for number in range(20)]
    for each in made:
        remember(far.tree.repository, each)
    assert len(known(far.tree.repository)) == MOST_KNOWN
    assert git(Path(far.tree.repository.root), "for-each-ref", KNOWN).count("\n") == MOST_KNOWN


def test_files_that_changed_meanwhile_are_not_overwritten(tmp_path: Path) -> None:
    here, far, at = pair(tmp_path)
    write(here.tree.path, "a.py", "here\n")
    after = here.look(at)
    carry(here.tree.repository, far.tree.repository, after, at.files)
    write(far.tree.path, "a.py", "far\n")
    with pytest.raises(RefusedError, match=r"a\.py"):
        far.turn(at, after)
    assert Path(far.tree.path, "a.py").read_text() == "far\n"


def test_changes_of_both_twins_are_joined_unless_they_conflict(tmp_path: Path) -> None:
    here, far, common = pair(tmp_path)
    write(here.tree.path, "here.py", "1\n")
    write(far.tree.path, "far.py", "1\n")
    git(Path(far.tree.path), "add", "far.py")
    git(Path(far.tree.path), "commit", "-q", "-m", "By the agent")
    theirs, ours = far.look(common), here.look(common)
    carry(far.tree.repository, here.tree.repository, theirs, common.files)
    here.turn(ours, here.joined(common, ours, theirs))
    assert {"here.py", "far.py", "before.py"} <= contents(here).keys()
    assert here.tree.head() == theirs.head
    common = here.look()
    write(here.tree.path, "a.py", "here\n")
    ours = here.look(common)
    write(far.tree.path, "a.py", "far\n")
    theirs = far.look()
    carry(far.tree.repository, here.tree.repository, theirs)
    with pytest.raises(CrashError, match=r"a\.py"):
        here.joined(common, ours, theirs)


def test_damaged_pack_is_refused(tmp_path: Path) -> None:
    here, far, at = pair(tmp_path)
    with TemporaryFile() as file:
        write_pack(here.tree.repository, at, (), file)
        file.seek(40)
        file.write(b"xxxx")
        file.seek(0)
        with pytest.raises(RefusedError):
            read_pack(far.tree.repository, file, strict=True)


def test_no_program_that_a_repository_names_is_run_on_either_host(tmp_path: Path) -> None:
    trap = Trap(tmp_path / "repository", tmp_path / "witnesses")
    place = begun(trap.folder, each=True, carries=True)
    here = Twin(Tree(place.tree.repository, lent(place, "2.1")))
    (tmp_path / "far").mkdir()
    at = here.look()
    far = far_from(place.tree.repository, at, tmp_path / "far" / "repository")
    write(far.tree.path, "one.py", "1\n")
    after = far.look(at)
    carry(far.tree.repository, here.tree.repository, after, at.files, strict=True)
    here.turn(at, after)
    assert Path(here.tree.path, "one.py").read_text() == "1\n"
    write(far.tree.path, "a.odd", "changed\n")
    filtered = far.look(after)
    carry(far.tree.repository, here.tree.repository, filtered, after.files)
    here.turn(after, filtered)
    here.look()
    with pytest.raises(CrashError, match=r"a\.odd"):
        here.check_whole()
    assert trap.sprung == []
