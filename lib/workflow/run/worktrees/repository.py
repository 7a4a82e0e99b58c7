"""A git repository as worktrees need it: each call runs no program that the repository names."""

import os
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import IO, Final

from ...errors import RefusedError
from ...state.files import read_whole, replace_whole
from ...state.git import Said, ask_git, repository

CODE: Final = "worktree"
"""Refusal code."""
SECONDS: Final = 900.0
"""Maximum seconds of one call: a large repository is written to the disk."""
LOCKED: Final = ".lock': File exists"
"""Part of git's message while another git, such as that of an editor, holds a lock."""
TRIES: Final = 10
PAUSE: Final = 0.2
"""Number of tries for a locked file, and seconds between two."""
MOST_SAID: Final = 600
MOST_BYTES: Final = 1 << 14
"""Maximum bytes of a file with a path."""
CONFLICTS: Final = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})
"""Letters of `git status` for a file with a conflict."""
WITHOUT_VALUE: Final = frozenset({"unspecified", "unset", "set", ""})
_UNKNOWN: Final = ("-c", "user.name=stepscript", "-c", "user.email=stepscript@localhost")
"""The author of commits if git knows no name of the user."""


class Repository:
    """A repository with a working tree.

    Args:
        root: Its folder, which holds `.git`.
    """

    def __init__(self, root: str) -> None:
        self.root = root

    @classmethod
    def around(cls, folder: str) -> "Repository":
        """Return the repository around a folder. Raises RefusedError if none with a working tree is there."""
        root = repository(os.path.realpath(folder))
        if root is None:
            raise RefusedError(
                CODE,
                folder,
                "a worktree needs a git repository with files, and none is here",
                "Run it in a repository, or make one: git init, git add, git commit.",
            )
        return cls(root)

    def ask(
        self,
        question: str,
        *words: str,
        place: "Sequence[str]" = (),
        given: str | IO[bytes] = "",
        out: IO[bytes] | None = None,
    ) -> Said:
        """Run git and return all that it said.

        Args:
            question: A git command.
            words: Its arguments.
            place: Options that name another working tree of the repository (`place_of`).
            given: Text on standard input, or a file with it.
            out: A file for its standard output; None to return that.

        Raises:
            RefusedError: If git is not installed or too slow.
        """
        try:
            return ask_git(self._cwd(place), question, *words, options=place, given=given, out=out, seconds=SECONDS)
        except FileNotFoundError as error:
            raise _refused(self.root, str(error), "Install it.") from None
        except subprocess.TimeoutExpired:
            raise _refused(self.root, f"git {question} took over {SECONDS:g} seconds", "Try it again.") from None
        except OSError as error:
            raise _refused(self.root, f"git {question}: {error.strerror}", "Check the folder.") from None

    def git(
        self,
        question: str,
        *words: str,
        place: "Sequence[str]" = (),
        given: str | IO[bytes] = "",
        out: IO[bytes] | None = None,
    ) -> str:
        """Run git and return its output; arguments as for `ask`. Raises RefusedError with its message if it fails."""
        said, tries = self.ask(question, *words, place=place, given=given, out=out), 1
        while said.status and LOCKED in said.errors and tries < TRIES:
            time.sleep(PAUSE)
            said, tries = self.ask(question, *words, place=place, given=given, out=out), tries + 1
        if said.status:
            why = " ".join((said.errors or said.out).split())[:MOST_SAID] or f"exit status {said.status}"
            raise _refused(self.root, f"git {question} failed: {why}", "Fix what git names, then go on.")
        return said.out

    def _cwd(self, place: Sequence[str]) -> str:
        return place[place.index("--work-tree") + 1] if "--work-tree" in place else self.root

    def commit_of(self, name: str, place: "Sequence[str]" = ()) -> str | None:
        """Return the commit that a name means, or None."""
        said = self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", place=place)
        return said.out.strip() or None if said.status == 0 else None

    def branch(self, place: "Sequence[str]" = ()) -> str:
        """Return the current branch; empty for a detached HEAD."""
        said = self.ask("symbolic-ref", "--quiet", "HEAD", place=place)
        return said.out.strip().removeprefix("refs/heads/") if said.status == 0 else ""

    def place_of(self, tree: str) -> tuple[str, ...] | None:
        """Return the options for a worktree that this repository has registered, or None.

        The file `.git` in it does not count, because agents can write there.
        """
        link = os.path.realpath(os.path.join(tree, ".git"))
        found = (folder for folder, path in self._registered() if path == link)
        return next((("--git-dir", folder, "--work-tree", tree) for folder in found), None)

    def adopt(self, tree: str) -> None:
        """Register a worktree again that was moved with its repository: git knows it by a path that is gone."""
        link = os.path.join(tree, ".git")
        end = os.path.join("", *link.split(os.sep)[-4:])
        for folder, path in self._registered():
            if path.endswith(f"{os.sep}{end}") and not os.path.lexists(path):
                replace_whole(os.path.join(folder, "gitdir"), os.fsencode(f"{link}\n"))
                replace_whole(link, os.fsencode(f"gitdir: {folder}\n"))

    @cached_property
    def _worktrees(self) -> str:
        """Return git's folder of all worktrees."""
        return os.path.join(self.root, self.git("rev-parse", "--git-common-dir").rstrip("\n"), "worktrees")

    def _registered(self) -> Iterator[tuple[str, str]]:
        """Yield git's folder for each worktree, and the path of the file `.git` in the worktree."""
        folder = self._worktrees
        with suppress(OSError):
            for name in sorted(os.listdir(folder)):
                yield os.path.join(folder, name), _path_in(os.path.join(folder, name, "gitdir"))

    def changed(self, place: "Sequence[str]" = ()) -> tuple[str, ...]:
        """Return the paths that differ from the last commit; a nested repository ends with `/`."""
        return tuple(self._status(place))

    def _status(self, place: Sequence[str]) -> dict[str, str]:
        """Return the paths that differ from the last commit, each with the two letters that git has for it."""
        said = self.git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", place=place)
        return {entry[3:]: entry[:2] for entry in said.split("\0") if entry}

    def filtered(self, paths: Iterable[str], place: "Sequence[str]" = ()) -> frozenset[str]:
        """Return the paths whose content a filter keeps, such as Git LFS. No filter is run, so they cannot be added."""
        given = "\0".join(paths)
        said = self.git("check-attr", "-z", "--stdin", "filter", place=place, given=given) if given else ""
        words = said.split("\0")
        return frozenset(
            path for path, value in zip(words[::3], words[2::3], strict=False) if value not in WITHOUT_VALUE
        )

    def stage(self, place: Sequence[str]) -> tuple[str, ...]:
        """Put all changes of a working tree into its index.

        Returns:
            The paths that cannot be committed: nested repositories, and files that a filter keeps.

        Raises:
            RefusedError: If git fails, or files hold conflicts that nobody has resolved.
        """
        changed = self._status(place)
        if CONFLICTS.intersection(changed.values()):
            fix = "Resolve them there, then go on."
            raise _refused(self._cwd(place), "an agent left files with conflicts in the worktree", fix)
        left = {path for path in changed if path.endswith("/")}
        left |= self.filtered((path for path in changed if path not in left), place)
        added = [path for path in changed if path not in left]
        there = [path for path in added if _is_there(self._cwd(place), path)]
        self._index(place, sorted({*added}.difference(there)), "--force-remove")
        self._index(place, there, "--add", "--replace")
        return tuple(path for path in changed if path in left)

    def commit(self, message: str, place: Sequence[str]) -> tuple[str, ...]:
        """Commit all changes of a working tree, if there are any; returns and raises as `stage`."""
        left = self.stage(place)
        if self.ask("diff", "--cached", "--quiet", place=place).status:
            words = ("--quiet", "--cleanup=whitespace", "--file=-")
            self.git("commit", *words, place=(*self.author(), *place), given=message)
        return left

    def commit_tree(self, tree: str, parents: Sequence[str], message: str) -> str:
        """Make a commit that is on no branch, and return it."""
        words = [word for parent in parents for word in ("-p", parent)]
        return self.git("commit-tree", tree, *words, place=self.author(), given=message).strip()

    def has(self, commit: str, other: str) -> bool:
        """Return True if a commit has another one among its ancestors, or is the same."""
        return self.git("rev-list", "--count", f"{commit}..{other}").strip() == "0"

    def tree(self, commit: str) -> str:
        """Return the tree of a commit."""
        return self.git("rev-parse", f"{commit}^{{tree}}").strip()

    def _index(self, place: Sequence[str], paths: Sequence[str], *words: str) -> None:
        if paths:
            self.git("update-index", *words, "-z", "--stdin", place=place, given="\0".join(paths))

    def author(self) -> tuple[str, ...]:
        """Return options for an author if git knows none."""
        known = self.ask("var", "GIT_COMMITTER_IDENT", place=("-c", "user.useConfigOnly=true"))
        return () if known.status == 0 else _UNKNOWN


def _is_there(tree: str, path: str) -> bool:
    """Return True if a path of a working tree is a file, a link or a submodule, and not behind a link."""
    whole, root = os.path.join(tree, path), os.path.realpath(tree)
    if os.path.realpath(os.path.dirname(whole)) != os.path.normpath(os.path.join(root, os.path.dirname(path))):
        return False
    return os.path.islink(whole) or os.path.isfile(whole) or os.path.lexists(os.path.join(whole, ".git"))


def _path_in(file: str) -> str:
    try:
        return os.path.realpath(os.fsdecode(read_whole(file, MOST_BYTES)).rstrip("\n"))
    except OSError:
        return ""


def _refused(target: str, why: str, fix: str) -> RefusedError:
    return RefusedError(CODE, target, why, fix)
