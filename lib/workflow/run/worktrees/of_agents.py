"""Worktrees of the agents of a wave: each begins with all work so far, and its changes are merged back."""

import os
from collections.abc import Sequence
from threading import Lock

from ...state.run_dirs import OWN_WORKTREE
from ...util.plurals import count
from ..clients.results import CrashError
from ..driver.jobs import first_key
from ..workplace import Lent
from .of_run import APART, HIDDEN, SHOWN, RunWorkplace, message
from .tree import Record, Tree


def uncommitted(left: Sequence[str]) -> str:
    """Return the reason why an attempt fails whose worktree has paths that cannot be committed."""
    return (
        f"{count(len(left), 'path')} cannot be committed: {', '.join(left[:SHOWN])}. They are nested repositories, or "
        "files of a filter such as Git LFS: remove them, or leave them unchanged"
    )


class WaveWorkplace(RunWorkplace):
    """A worktree for each launched agent, beside that of the run.

    An agent keeps its worktree over attempts and questions. Then its changes are put into the run's worktree, as if it
    had worked there: they are committed to the branch at the run's end. Until then a reference has them.
    """

    is_shared = False
    _lock = Lock()  # agents end at the same time, in threads

    @property
    def _latest(self) -> str:
        """Return the reference of the latest commit with all work so far."""
        return HIDDEN + self.record.branch

    def prepare(self) -> None:
        was_gone = not os.path.lexists(self.tree.path)
        super().prepare()
        if was_gone and self.tree.repository.commit_of(self._latest):
            self._show(self.tree.head(), self._latest)

    def finish(self) -> None:
        with self._lock:
            latest, head = self._snapshot(), self.tree.head()
            if latest != head:
                self.tree.repository.git("update-ref", f"refs/heads/{self.record.branch}", latest, head)
            self.tree.repository.git("update-ref", "-d", self._latest)

    def lend(self, key: str) -> Lent:
        with self._lock:
            tree = self.tree_of(key)
            record = tree.record()
            if record is None or not record.is_whole or tree.place is None:
                record = Record(base=self._snapshot(), within=self.record.within)
                tree.make(record)
            return Lent(tree.folder(record), {OWN_WORKTREE: tree.path})

    def give(self, key: str) -> None:
        with self._lock:
            tree = self.tree_of(key)
            record = tree.record()
            if record is None:
                return
            if record.is_whole and tree.place is not None:
                left = tree.repository.commit(message(f"Agent {key}: {self.about}"), tree.here())
                theirs = tree.head()
                if theirs != record.base:  # most agents only read
                    self._merge(tree, key, theirs)
                if left:
                    raise CrashError(uncommitted(left))
            tree.discard()
            tree.forget()

    def tree_of(self, key: str) -> Tree:
        """Return the worktree of an agent, which need not exist."""
        return Tree(self.tree.repository, f"{self.tree.path}.{first_key(key)}")

    def _snapshot(self) -> str:
        """Return a commit with all that is in the run's worktree; its branch stays where it is."""
        git, place = self.tree.repository, self.place()
        git.stage(place)
        head, before = self.tree.head(), git.commit_of(self._latest)
        if before is None or git.has(head, before):
            parents = [head]
        else:
            parents = [before] if git.has(before, head) else [before, head]
        made = git.git("write-tree", place=place).strip()
        if len(parents) == 1 and git.tree(parents[0]) == made:
            return parents[0]
        latest = git.commit_tree(made, parents, self.message)
        git.git("update-ref", self._latest, latest)
        return latest

    def _show(self, before: str, after: str) -> None:
        """Change the files of the run's worktree from one commit to another."""
        self.tree.repository.git("read-tree", "-m", "-u", before, after, place=self.place())

    def _merge(self, tree: Tree, key: str, theirs: str) -> None:
        """Put an agent's commits into the run's worktree. Raises CrashError if they conflict; a branch keeps them."""
        git, ours = self.tree.repository, self._snapshot()
        if git.has(ours, theirs):
            return
        words = ("--write-tree", "--name-only", "--no-messages", "-z", ours, theirs)
        merged = git.ask("merge-tree", *words, place=self.place())
        made, *names = filter(None, merged.out.split("\0")) if merged.out else [""]
        if merged.status > 1:
            raise CrashError(f"its changes cannot be merged: {' '.join(merged.errors.split())}")
        if merged.status:
            kept = self._keep(theirs, f"{self.record.branch}{APART}{first_key(key)}")
            tree.discard()
            tree.forget()
            raise CrashError(
                f"its changes conflict with those of another agent in {', '.join(names[:SHOWN])}. They are kept on the "
                f"branch {kept}; do the work again on the present files (see `git show {kept}`)"
            )
        latest = theirs if git.has(theirs, ours) else git.commit_tree(made, (ours, theirs), f"Merge the agent {key}")
        self._show(ours, latest)
        git.git("update-ref", self._latest, latest)

    def _keep(self, commit: str, branch: str) -> str:
        """Keep a commit on a new branch, and return its name."""
        git, number = self.tree.repository, 1
        name = branch
        while git.commit_of(f"refs/heads/{name}") not in (None, commit):
            number += 1
            name = f"{branch}-{number}"
        git.git("update-ref", f"refs/heads/{name}", commit)
        return name
