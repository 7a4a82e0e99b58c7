"""Projects in git, and worktrees of runs in them, for the tests."""

import os
from pathlib import Path
from typing import Final

from lib.workflow.run.worktrees.of_agents import WaveWorkplace
from lib.workflow.run.worktrees.of_run import RunWorkplace, planned, tree_of
from lib.workflow.state.run_folder import make_run
from tests.security.repositories import git

NAME: Final = "1128-7e57"
BRANCH: Final = f"stepscript/{NAME}"


def project(folder: Path) -> Path:
    """Return a project with one commit, in a folder with blanks and other signs in its name."""
    root = folder / "it's a próject"
    (root / "src").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for name in ("a.py", "b.py", "src/c.py"):
        (root / name).write_text("".join(f"{number}\n" for number in range(20)))
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Begin")
    return root


def run_in(root: Path) -> str:
    """Return the folder of a run of a project."""
    return str(root / ".stepscript" / "runs" / NAME)


def begun(root: Path, here: Path | None = None, each: bool = False, carries: bool = False) -> RunWorkplace:
    """Return the workplace of a new run, which is ready."""
    folder = run_in(root)
    tree, record = planned(folder, str(here or root), each, carries)
    make_run(folder)
    tree.begin(record)
    return resumed(root)


def resumed(root: Path) -> RunWorkplace:
    """Return the workplace of a run, as another process finds it, ready."""
    tree = tree_of(run_in(root))
    record = None if tree is None else tree.record()
    assert tree is not None
    assert record is not None
    place = (WaveWorkplace if record.each else RunWorkplace)(tree, record, "Fix it")
    place.prepare()
    return place


def lent(place: RunWorkplace, key: str) -> str:
    """Return the folder that an agent gets."""
    folder = place.lend(key).folder
    assert folder is not None
    return folder


def shown(root: Path, name: str, commit: str = BRANCH) -> str:
    """Return a file of a commit."""
    return git(root, "show", f"{commit}:{name}")


def files(root: Path, commit: str = BRANCH) -> list[str]:
    """Return the files of a commit."""
    return git(root, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", commit).splitlines()


def write(folder: str | None, name: str, text: str) -> None:
    """Write a file of a folder, with its parents."""
    path = Path(folder or "", name)
    os.makedirs(path.parent, exist_ok=True)
    path.write_text(text)
