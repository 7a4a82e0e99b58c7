"""The worktree of a run: its branch, its result. It is in the run directory, so all runs have their own."""

import os
import re
from hashlib import sha256
from typing import Final

from attrs import frozen

from ...errors import RefusedError
from ...state import git
from ...state.run_dirs import NAME, WORKTREES, project_of, slug
from ...util.plurals import count
from ..workplace import Workplace
from .repository import CODE, Repository
from .tree import Record, Tree

PREFIX: Final = "stepscript/"
APART: Final = "+"
"""Sign between the run's branch and the key of an agent, in the name of a branch that keeps the agent's changes."""
HIDDEN: Final = "refs/stepscript/"
"""Prefix of the references, unseen by `git branch`, that keep the work of agents until the run's end."""
SHOWN: Final = 5
"""Maximum names of files in a message."""
ODD: Final = re.compile(r"[\"<>&\\]|[^\x20-\U0010ffff]")
"""Characters that formats of texts spell in another way."""
SUBJECT: Final = 68
"""Maximum characters of the first line of a commit's message."""


def path_of(folder: str) -> str:
    """Return the path of a run's worktree. Its last part is the run's name, which `git worktree list` shows."""
    real = os.path.realpath(folder)
    return os.path.join(real, WORKTREES, os.path.basename(real))


def tree_of(folder: str) -> Tree | None:
    """Return the worktree of the run in a folder; None for a run without one. Raises RefusedError if it is broken."""
    path = path_of(folder)
    record = Tree(Repository(""), path).record()
    if record is None:
        return None
    return Tree(Repository(_repository(folder, record)), path)


def _repository(folder: str, record: Record) -> str:
    """Return the repository's folder: around the run in a project's own folder of runs, which may have moved."""
    project = project_of(folder)
    found = git.repository(project) if project else None
    root = found or record.repository
    if not os.path.isabs(root) or not os.path.isdir(root):
        fix = "Put the repository back, or remove the run directory."
        raise RefusedError(CODE, folder, f"the repository of its worktree is gone: {root}", fix)
    return root


def planned(folder: str, here: str, each: bool, carries: bool) -> tuple[Tree, Record]:
    """Return the worktree that a new run would get. Nothing is written.

    Args:
        folder: The run directory.
        here: The user's folder: steps and agents work in the same one of the worktree.
        each: If true, each launched agent has a worktree of its own.
        carries: If true, it begins with the uncommitted changes of the user's working tree.

    Raises:
        RefusedError: If there can be no worktree: no repository, no commit, uncommitted changes.
    """
    repository, real = Repository.around(here), os.path.realpath(here)
    base = repository.commit_of("HEAD")
    if base is None:
        why = "the repository has no commit yet, so a worktree would be empty"
        raise RefusedError(CODE, repository.root, why, "Commit the files first: git add, git commit.")
    changed = repository.changed()
    if changed and not carries:
        named = ", ".join(changed[:SHOWN]) + (", ..." if len(changed) > SHOWN else "")
        why = f"{count(len(changed), 'uncommitted change')} would not be in the worktree: {named}"
        fix = "Commit or stash them, or start with --carry-changes, which copies them into the worktree."
        raise RefusedError(CODE, repository.root, why, fix)
    if each and repository.ask("merge-tree", "--write-tree", base, base).status:
        why = "worktrees of single agents need git 2.38 or newer"
        raise RefusedError(CODE, repository.root, why, "Update git, or leave out `each`.")
    record = Record(
        base=base,
        branch=_branch(folder),
        target=repository.branch(),
        repository=repository.root,
        within=os.path.relpath(real, repository.root),
        each=each,
        carries=carries,
    )
    if repository.commit_of(f"refs/heads/{record.branch}") is not None:
        why = f"the branch {record.branch} exists already"
        raise RefusedError(CODE, repository.root, why, f"Rename or delete it: git branch -m {record.branch} NAME.")
    return Tree(repository, path_of(folder)), record


def _branch(folder: str) -> str:
    name = os.path.basename(os.path.realpath(folder))
    if re.fullmatch(NAME, name) is None:  # a name of the user's own, which may not be valid in git
        name = f"{slug(name)}-{sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:6]}"
    return PREFIX + name


def caveats(repository: Repository) -> tuple[str, ...]:
    """Return what a new worktree of a repository lacks, as sentences."""
    said = []
    if os.path.lexists(os.path.join(repository.root, ".gitmodules")):
        said.append("submodules are empty in the worktree")
    files = repository.git("ls-files", "-z").split("\0")
    kept = len(repository.filtered(filter(None, files)))
    if kept:
        said.append(f"{count(kept, 'file')} that a filter keeps, such as Git LFS, have no content in the worktree")
    return tuple(said)


def check_sendable(repository: Repository, folder: str) -> None:
    """Raise RefusedError if worktrees of a run cannot be made on another host.

    Args:
        repository: The project's repository.
        folder: The run's folder, whose path pages name.
    """
    if repository.git("rev-parse", "--is-shallow-repository").strip() == "true":
        why = "the repository is a shallow clone, which cannot be sent to another host"
        raise RefusedError(CODE, repository.root, why, "Run: git fetch --unshallow.")
    odd = ODD.search(os.path.realpath(folder))
    if odd is not None:
        why = f"the path has the sign {odd[0]!r}, which pages for another host cannot carry"
        raise RefusedError(CODE, folder, why, "Rename the folder.")


class RunWorkplace(Workplace):
    """A run's own worktree."""

    def __init__(self, tree: Tree, record: Record, about: str) -> None:
        """Make a workplace of a worktree.

        Args:
            tree: The worktree.
            record: Its record.
            about: The message of commits.
        """
        self.tree, self.record, self.about, self.message = tree, record, about, message(about)

    @property
    def folder(self) -> str:
        """Return the folder for the steps, and for agents without a worktree of their own."""
        return self.tree.folder(self.record)

    def prepare(self) -> None:
        self.tree.make(self.record)

    def finish(self) -> None:
        self.tree.repository.commit(self.message, self.place())

    def place(self) -> tuple[str, ...]:
        """Return git's options for the worktree. Raises RefusedError if it is gone, or on another branch."""
        place = self.tree.here()
        branch = self.tree.repository.branch(place)
        if branch != self.record.branch:
            why = f"an agent left the branch {self.record.branch}: HEAD is {branch or self.tree.head()}"
            fix = f"In {self.tree.path}, merge it into {self.record.branch} and switch to that branch; then resume."
            raise RefusedError(CODE, self.tree.path, why, fix)
        return place


def message(about: str) -> str:
    """Return the message of a commit: the first words of a text, and all of it below if it is longer."""
    line = " ".join(about.split())
    return line if len(line) <= SUBJECT else f"{line[: SUBJECT - 1]}…\n\n{line}"


@frozen(kw_only=True)
class Result:
    """The contents of a run's worktree."""

    path: str
    branch: str
    target: str
    """The user's branch when the run started; empty for a detached HEAD."""
    commits: int
    """Commits on the branch since the run's start."""
    uncommitted: tuple[str, ...]
    """Paths with uncommitted changes."""
    is_merged: bool
    """True if another branch, a tag or a remote has all commits."""
    conflicts: tuple[str, ...] = ()
    """Branches with changes of agents that did not fit."""
    problem: str = ""
    """The reason why the worktree cannot be inspected."""

    @property
    def command(self) -> str:
        """Return the command that brings the result into the user's branch; empty if there is nothing to bring."""
        return f"git merge {self.branch}" if self.commits and not self.is_merged else ""

    @property
    def sentence(self) -> str:
        """Return the result in one line."""
        if self.problem:
            return self.problem
        parts = [f"{count(self.commits, 'commit')} on branch {self.branch}" + ", merged" * self.is_merged]
        if not self.commits:
            parts = [f"no commits on branch {self.branch}"]
        if self.uncommitted:
            parts.append(f"{count(len(self.uncommitted), 'uncommitted change')}")
        parts += [f"changes that conflict: branch {name}" for name in self.conflicts]
        return "; ".join(parts)


def result(folder: str) -> Result | None:
    """Return what the worktree of the run in a folder holds; None for a run without one. Changes nothing."""
    try:
        tree = tree_of(folder)
        return None if tree is None else _result(tree)
    except RefusedError as error:
        return Result(
            path=path_of(folder),
            branch="",
            target="",
            commits=0,
            uncommitted=(),
            is_merged=False,
            problem=f"{error}. {error.fix}",
        )


def _result(tree: Tree) -> Result:
    record, git = tree.record(), tree.repository
    assert record is not None
    tip = git.commit_of(f"refs/heads/{record.branch}")
    place = tree.place
    return Result(
        path=tree.path,
        branch=record.branch,
        target=record.target,
        commits=int(git.git("rev-list", "--count", f"{record.base}..{tip}")) if tip else 0,
        uncommitted=git.changed(place) if place else (),
        is_merged=bool(tip) and tip != record.base and is_elsewhere(git, tip or "", record.branch),
        conflicts=conflicts(git, record.branch),
    )


def is_elsewhere(git: Repository, commit: str, branch: str) -> bool:
    """Return True if a branch, a tag or a remote that is not the run's own has a commit."""
    own = f"refs/heads/{branch}"
    return any(name != own and not name.startswith(own + APART) for name in holders(git, commit))


def holders(git: Repository, commit: str) -> tuple[str, ...]:
    """Return the branches, tags and references of remotes that have a commit."""
    places = ("refs/heads", "refs/remotes", "refs/tags")
    return tuple(git.git("for-each-ref", f"--contains={commit}", "--format=%(refname)", *places).split())


def conflicts(git: Repository, branch: str) -> tuple[str, ...]:
    """Return the branches that keep changes of agents which did not fit the run's branch."""
    return tuple(git.git("for-each-ref", "--format=%(refname:lstrip=2)", f"refs/heads/{branch}{APART}*").split())
