"""Worktrees of the agents of a wave: their changes come together, or the conflict is named and nothing is lost."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.run.clients.results import CrashError
from lib.workflow.run.worktrees.of_run import result
from lib.workflow.state.git import Said, ask_git
from lib.workflow.state.run_dirs import OWN_WORKTREE, here
from tests.run.worktrees.projects import BRANCH, begun, files, lent, project, resumed, run_in, shown, write
from tests.security.repositories import git
from tests.wording import elided


def lines(changed: int, text: str) -> str:
    return "".join(f"{text if number == changed else number}\n" for number in range(20))


def test_changes_of_two_agents_come_together(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    one, two = lent(place, "2.1"), lent(place, "2.2")
    write(one, "a.py", lines(2, "two"))
    write(one, "one.py", "1\n")
    write(two, "a.py", lines(17, "seventeen"))
    os.unlink(os.path.join(two or "", "b.py"))
    write(place.folder, "by-a-step.py", "s\n")
    place.give("2.1")
    place.give("2.2")
    place.finish()
    assert {one, two, place.folder} == {one, two, place.folder}
    assert len({one, two, place.folder}) == 3
    assert shown(root, "a.py") == lines(2, "two").replace("17\n", "seventeen\n")
    assert files(root) == ["a.py", "by-a-step.py", "one.py", "src/c.py"]
    assert Path(place.folder, "a.py").read_text() == shown(root, "a.py")
    assert git(Path(place.tree.path), "status", "--porcelain") == ""
    assert not os.path.exists(one or "")
    assert git(root, "worktree", "list").count("\n") == 2


def test_agent_without_changes_leaves_no_commit(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    lent(place, "2.1")
    place.give("2.1")
    place.give("2.1")
    place.finish()
    found = result(run_in(root))
    assert found is not None
    assert (found.commits, found.command) == (0, "")


def test_conflict_fails_the_attempt_and_a_branch_keeps_its_work(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    one, two = lent(place, "2.1"), lent(place, "2.2")
    write(one, "a.py", lines(5, "one"))
    write(two, "a.py", lines(5, "two"))
    write(two, "two.py", "2\n")
    place.give("2.1")
    with pytest.raises(CrashError, match=elided("a.py … stepscript/")):
        place.give("2.2")
    assert Path(place.folder, "a.py").read_text() == lines(5, "one")
    found = result(run_in(root))
    assert found is not None
    assert found.conflicts == (f"{BRANCH}+2.2",)
    assert shown(root, "two.py", found.conflicts[0]) == "2\n"
    again = lent(place, "2.2.again1")
    assert Path(again or "", "a.py").read_text() == lines(5, "one")
    write(again, "a.py", lines(5, "both"))
    place.give("2.2.again1")
    place.finish()
    assert shown(root, "a.py") == lines(5, "both")


def test_changes_of_agents_differ_from_the_last_commit_until_the_end(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    for key in ("2.1", "2.2"):
        write(lent(place, key), f"{key}.py", "1\n")
        place.give(key)
    seen = git(Path(place.folder), "diff", "--name-only", "HEAD").split()
    assert seen == ["2.1.py", "2.2.py"]
    shutil.rmtree(place.tree.path)
    place = resumed(root)
    assert git(Path(place.folder), "diff", "--name-only", "HEAD").split() == seen
    place.finish()
    assert set(seen) <= set(files(root))
    assert "stepscript" not in git(root, "for-each-ref", "--format=%(refname)").replace("refs/heads/stepscript/", "")


def test_commits_of_a_step_in_the_runs_worktree_stay(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    write(lent(place, "2.1"), "one.py", "1\n")
    place.give("2.1")
    git(Path(place.folder), "commit", "-q", "-m", "By a step")
    write(lent(place, "3.1"), "two.py", "2\n")
    place.give("3.1")
    place.finish()
    assert {"one.py", "two.py"} <= set(files(root))
    assert "By a step" in git(root, "log", "--format=%s", BRANCH)
    assert git(Path(place.folder), "status", "--porcelain") == ""


def test_pages_of_an_agent_name_its_own_worktree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path)
    place = begun(root, root / "src", each=True)
    given = place.lend("2.1")
    run, own = place.tree.path, f"{place.tree.path}.2.1"
    assert given.environment == {OWN_WORKTREE: own}
    assert (here(run), here(f"{run}/src"), given.folder) == (run, f"{run}/src", f"{own}/src")
    monkeypatch.setenv(OWN_WORKTREE, own)
    assert (here(run), here(f"{run}/src")) == (own, f"{own}/src")
    assert here(str(root)) == str(root)
    for other in ("", str(root), f"{run}.2.2", f"{run}/src", "/"):
        monkeypatch.setenv(OWN_WORKTREE, other)
        assert here(run) == run


def test_next_attempt_has_the_files_of_the_one_before(tmp_path: Path) -> None:
    place = begun(project(tmp_path), each=True)
    write(lent(place, "2.1"), "half.py", "half\n")
    assert Path(lent(place, "2.1.again1") or "", "half.py").exists()


def test_paths_that_cannot_be_committed_fail_the_attempt(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root, each=True)
    mine = lent(place, "2.1")
    write(mine, "one.py", "1\n")
    nested = Path(mine or "", "nested")
    nested.mkdir()
    git(nested, "init", "-q")
    with pytest.raises(CrashError, match="nested/"):
        place.give("2.1")
    assert Path(place.folder, "one.py").exists()
    os.rename(nested / ".git", nested / "git")
    place.give("2.1")
    place.finish()
    assert "nested/git/HEAD" in files(root)


@pytest.mark.parametrize(
    ("name", "ours", "theirs"),
    [("b.py", "o", "t"), ("b.py", None, "t"), ("b.py", "o", None), ("new.py", "o", "t")],
)
def test_conflicts_that_an_agent_has_not_resolved_are_not_committed(
    name: str, ours: str | None, theirs: str | None, tmp_path: Path
) -> None:
    place = begun(project(tmp_path), each=True)
    folder = Path(lent(place, "2.1"))
    for branch, text in (("theirs", theirs), ("ours", ours)):
        git(folder, "switch", "-q", "-c", branch, "main")
        (folder / name).unlink() if text is None else (folder / name).write_text(text)
        git(folder, "add", "--all")
        git(folder, "commit", "-q", "-m", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git(folder, "merge", "theirs")
    with pytest.raises(RefusedError, match="conflicts"):
        place.give("2.1")
    (folder / name).write_text("both")
    git(folder, "add", name)
    place.give("2.1")
    assert Path(place.folder, name).read_text() == "both"


def test_agent_that_only_reads_costs_few_calls_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = begun(project(tmp_path), each=True)
    write(place.folder, "by-a-step.py", "s\n")
    lent(place, "2.1")
    ask, made = killer(0)
    monkeypatch.setattr("lib.workflow.run.worktrees.repository.ask_git", ask)
    lent(place, "2.2")
    place.give("2.2")
    assert len(made) <= 15, made


class KilledError(BaseException):
    """The end of a process at a call of git."""


def killer(at: int) -> tuple[Callable[..., Said], list[str]]:
    """Return a replacement of the calls of git that ends the process after one of them; 0 for none."""
    made: list[str] = []

    def ask(
        folder: str,
        question: str,
        *words: str,
        options: Sequence[str] = (),
        given: str | IO[bytes] = "",
        out: IO[bytes] | None = None,
        seconds: float = 60,
    ) -> Said:
        made.append(question)
        said = ask_git(folder, question, *words, options=options, given=given, out=out, seconds=seconds)
        if len(made) == at:
            raise KilledError
        return said

    return ask, made


READS = frozenset({"check-attr", "diff", "ls-files", "rev-list", "rev-parse", "status", "symbolic-ref", "var"})
"""Calls that change nothing: a kill after one of them is a kill after the change before it."""


def parts(root: Path) -> Iterator[Callable[[], None]]:
    """Yield what a run does to two agents' changes and its own; after a kill each is repeated."""

    def begin() -> None:
        if not os.path.exists(run_in(root)):
            begun(root, each=True)

    def end() -> None:
        place = resumed(root)
        write(place.folder, "end.py", "e\n")
        place.finish()

    def work(number: int) -> None:
        write(lent(resumed(root), f"2.{number}"), "a.py", lines(number * 9, "x"))

    yield begin
    yield from (partial(work, 1), partial(work, 2))
    yield from (lambda: resumed(root).give("2.1"), lambda: resumed(root).give("2.2"))
    yield end


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_wave_that_is_killed_after_any_change_of_git_ends_alike(
    every: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, made = killer(0)
    monkeypatch.setattr("lib.workflow.run.worktrees.repository.ask_git", ask)
    for part in parts(project(tmp_path)):
        part()
    changes = [at for at, question in enumerate(made, 1) if question not in READS]
    last_of_each = list({question: at for at, question in enumerate(made, 1) if at in changes}.values())
    assert len(last_of_each) > 4
    for at in changes if every else last_of_each:
        root = project(tmp_path / f"{at}")
        monkeypatch.setattr("lib.workflow.run.worktrees.repository.ask_git", killer(at)[0])
        for part in parts(root):
            try:
                part()
            except KilledError:
                part()
        assert shown(root, "a.py") == "".join(f"{'x' if number in (9, 18) else number}\n" for number in range(20)), at
        assert files(root) == ["a.py", "b.py", "end.py", "src/c.py"], at
        assert git(root, "worktree", "list").count("\n") == 2, at
        assert git(root, "status", "--porcelain") == "", at
