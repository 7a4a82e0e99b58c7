"""Worktrees on two hosts that are made equal: states of a worktree as commits, and commits as packs.

A pack is made and read by git itself, without a remote, a transport or a hook.
"""

from collections.abc import Iterable
from typing import IO, Final

from attrs import frozen

from ..clients.results import CrashError
from .of_agents import uncommitted
from .of_run import SHOWN
from .repository import Repository
from .tree import Tree

MESSAGE: Final = "Files of an agent at work"
WORDS: Final = ("--write-tree", "--name-only", "--no-messages", "-z")
KNOWN: Final = "refs/stepscript/known/"
"""Prefix of the references to commits that the repository of an agent's host has, with all before them."""
MOST_KNOWN: Final = 16


@frozen(kw_only=True)
class At:
    """The state of a worktree."""

    head: str
    """Its commit."""
    files: str
    """A commit with all its files; `head` if nothing differs from that."""


class Twin:
    """A worktree that has a twin on another host."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.left = tree, tuple[str, ...]()
        """`left` has the paths that no commit can hold, as of the last look."""

    def look(self, known: At | None = None) -> At:
        """Return its state; `known` if that has not changed. Raises RefusedError."""
        git, place = self.tree.repository, self.tree.here()
        self.left = git.stage(place)
        head, made = self.tree.head(), git.git("write-tree", place=place).strip()
        if known is not None and known.head == head and git.tree(known.files) == made:
            return known
        files = head if git.tree(head) == made else git.commit_tree(made, [head], MESSAGE)
        return At(head=head, files=files)

    def turn(self, before: At, after: At) -> None:
        """Change it from one state to another. Raises RefusedError if its files have changed since."""
        git, place = self.tree.repository, self.tree.here()
        if before.files != after.files:
            git.git("read-tree", "-m", "-u", before.files, after.files, place=place)
        if before.head != after.head:
            git.git("update-ref", "HEAD", after.head, place=place)

    def joined(self, common: At, ours: At, theirs: At) -> At:
        """Return a state with the changes of both twins since a common one. Raises CrashError if they conflict."""
        git, place = self.tree.repository, self.tree.here()
        merged = git.ask("merge-tree", *WORDS, ours.files, theirs.files, place=place)
        made, *names = filter(None, merged.out.split("\0")) if merged.out else [""]
        if merged.status:
            raise CrashError(f"its changes conflict with others made meanwhile in {', '.join(names[:SHOWN])}")
        head = theirs.head if ours.head == common.head else ours.head
        return At(head=head, files=git.commit_tree(made, [head], MESSAGE))

    def check_whole(self) -> None:
        """Raise CrashError if the last look has found files that no commit can hold."""
        if self.left:
            raise CrashError(uncommitted(self.left))


def write_pack(git: Repository, at: At, known: Iterable[str], out: IO[bytes]) -> None:
    """Write the objects of a state that somebody who has the commits `known` lacks. Raises RefusedError."""
    there = (commit for commit in known if git.commit_of(commit))
    given = "\n".join((at.files, at.head, *(f"^{commit}" for commit in there)))
    git.git("pack-objects", "--revs", "--stdout", "-q", "--thin", "--delta-base-offset", given=given, out=out)


def read_pack(git: Repository, file: IO[bytes], strict: bool) -> None:
    """Add the objects of a pack to a repository. Raises RefusedError if they are damaged.

    Args:
        git: The repository.
        file: The pack.
        strict: If true, refuse objects that git calls malformed, which an old history may hold.
    """
    words = ("--strict",) if strict else ()
    git.git("index-pack", "--stdin", "--fix-thin", *words, given=file)


def known(git: Repository) -> tuple[str, ...]:
    """Return the latest commits that a repository of an agent's host has, with all before them."""
    return _known(git)[:MOST_KNOWN]


def remember(git: Repository, commit: str) -> None:
    """Note that a repository of an agent's host has a commit, with all before it; forget the oldest ones."""
    git.git("update-ref", f"{KNOWN}{commit}", commit)
    for old in _known(git)[MOST_KNOWN:]:
        git.git("update-ref", "-d", f"{KNOWN}{old}")


def _known(git: Repository) -> tuple[str, ...]:
    return tuple(git.git("for-each-ref", "--sort=-creatordate", "--format=%(objectname)", KNOWN).split())
