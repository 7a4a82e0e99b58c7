"""Git questions about a folder run nothing that the folder's own settings or attributes name."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.errors import UsageError
from lib.workflow.state import git as asked
from skills.conventions.check import main as conventions
from skills.doc_sync.check import main as doc_sync
from skills.planner.diffs.git import IN_ALREADY, applied
from skills.planner.execution.worktree import changed
from tests.security.repositories import GIT, Trap, git

PATCH = "--- a/src/api.py\n+++ b/src/api.py\n@@ -1,2 +1,2 @@\n-one\n+three\n two\n"


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    """Enter the repository, with a search path that includes it, like that of a careless user."""
    made = Trap(tmp_path / "repository", tmp_path / "witnesses")
    monkeypatch.chdir(made.folder)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    return made


def listing(folder: str) -> None:
    assert "src/api.py" in asked.listed(folder)


def status(folder: str) -> None:
    assert set(changed(folder)) >= {".gitattributes", "hooks/pre-commit", "within/"}


def applying(folder: str) -> None:
    assert applied(PATCH, folder, 60, *IN_ALREADY) is not None
    assert applied(PATCH, folder, 60) is None
    assert Path(folder, "src/api.py").read_text() == "three\ntwo\n"


def checking_documents(folder: str) -> None:
    assert doc_sync([folder]) == 1


def checking_text(folder: str) -> None:
    assert conventions([folder]) in (0, 1)


ARGUMENTS = {
    "add": ("--all",),
    "check-attr": ("filter", "a.odd"),
    "check-ignore": ("x",),
    "commit": ("-a", "-m", "x"),
    "commit-tree": ("HEAD^{tree}", "-m", "x"),
    "diff": ("HEAD",),
    "for-each-ref": ("--contains=HEAD",),
    "index-pack": ("--stdin",),
    "init": (),
    "log": ("-p", "--stat"),
    "ls-files": ("--modified", "--others"),
    "merge-tree": ("--write-tree", "HEAD", "HEAD"),
    "pack-objects": ("--all", "--stdout", "-q"),
    "read-tree": ("-m", "-u", "HEAD", "HEAD"),
    "rebase": ("-q", "--interactive", "--root"),
    "reset": ("-q", "HEAD"),
    "rev-list": ("--count", "HEAD"),
    "rev-parse": ("HEAD",),
    "status": ("-v",),
    "symbolic-ref": ("HEAD",),
    "tag": ("-m", "x", "x"),
    "update-index": ("--add", "--remove", "src/api.py"),
    "update-ref": ("refs/heads/x", "HEAD"),
    "var": ("GIT_COMMITTER_IDENT",),
    "worktree": ("add", "-b", "y", "apart", "HEAD"),
    "write-tree": (),
}


def test_every_git_query_is_tested_and_no_other_can_be_made() -> None:
    assert ARGUMENTS.keys() == asked.QUESTIONS.keys()
    with pytest.raises(ValueError, match="fetch"):
        asked.ask_git("/", "fetch")


@pytest.mark.parametrize("question", ARGUMENTS)
def test_no_git_query_runs_a_program_that_the_repository_names(question: str, trap: Trap) -> None:
    asked.ask_git(str(trap.folder), question, *ARGUMENTS[question])
    assert trap.sprung == []


@pytest.mark.parametrize("ask", [listing, status, applying, checking_documents, checking_text])
def test_no_command_of_ours_runs_a_program_that_the_repository_names(ask: Callable[[str], None], trap: Trap) -> None:
    ask(str(trap.folder))
    assert trap.sprung == []


@pytest.mark.parametrize("words", [("status",), ("add", "--all"), ("diff",)], ids=lambda words: words[0])
def test_the_trap_is_sprung_by_a_plain_git(words: tuple[str, ...], trap: Trap) -> None:
    subprocess.run([GIT, *words], check=False)
    assert trap.sprung


def test_a_missing_object_is_not_fetched(trap: Trap) -> None:
    shutil.rmtree(trap.folder / ".git" / "objects")
    (trap.folder / ".git" / "objects").mkdir()
    with pytest.raises(ValueError, match="git says"):
        changed(str(trap.folder))
    assert trap.sprung == []


def test_filter_name_that_no_option_can_express_disables_git(trap: Trap) -> None:
    git(trap.folder, "config", "--file", ".git/config", "filter.a=b.clean", trap.program("equals"))
    (trap.folder / ".gitattributes").write_text("* filter=a=b\n")
    with pytest.raises(ValueError, match="filter"):
        changed(str(trap.folder))
    with pytest.raises(UsageError, match="filter"):
        asked.listed(str(trap.folder))
    assert trap.sprung == []


@pytest.mark.parametrize("place", ["/", "{}/elsewhere"])
def test_work_tree_outside_the_folder_is_not_listed(place: str, trap: Trap, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret").write_text("")
    git(trap.folder, "config", "--file", ".git/config", "core.worktree", place.format(tmp_path))
    try:
        found: tuple[str, ...] = changed(str(trap.folder))
    except ValueError:
        found = ()
    assert not [name for name in found if "secret" in name or name.startswith("/")]
    assert trap.sprung == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only the root user can give a folder to another user")
def test_a_repository_of_another_user_is_refused(trap: Trap) -> None:
    for path in (trap.folder, *trap.folder.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    with pytest.raises(ValueError, match="dubious ownership"):
        changed(str(trap.folder))
    with pytest.raises(UsageError, match="dubious ownership"):
        asked.listed(str(trap.folder))
    assert trap.sprung == []
