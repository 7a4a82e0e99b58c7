"""Worktrees of the agents of a wave: each begins at the run's latest commit, and its changes are merged back."""

from threading import Lock

from ...util.plurals import count
from ..jobs import first_key
from ..results import CrashError
from .of_run import APART, SHOWN, RunWorkplace
from .tree import Record, Tree


class WaveWorkplace(RunWorkplace):
    """A worktree for each launched agent, beside that of the run.

    An agent keeps its worktree over attempts and questions, until its changes are in the run's worktree.
    """

    is_shared = False
    _lock = Lock()  # agents end at the same time, in threads

    def lend(self, key: str) -> str | None:
        with self._lock:
            tree = self._tree(key)
            record = tree.record()
            if record is None or not record.is_whole or tree.place is None:
                self.commit()  # what steps and the orchestrator have changed
                record = Record(base=self.tree.head(), within=self.record.within)
                tree.make(record)
            return tree.folder(record)

    def give(self, key: str) -> None:
        with self._lock:
            tree = self._tree(key)
            record = tree.record()
            if record is None:
                return
            if record.is_whole and tree.place is not None:
                self.commit()
                tree.repository.commit(f"{self.message}\n\nBy the agent {key}.", tree.here())
                self._merge(tree, key)
            tree.discard()
            tree.forget()

    def _tree(self, key: str) -> Tree:
        return Tree(self.tree.repository, f"{self.tree.path}.{first_key(key)}")

    def _merge(self, tree: Tree, key: str) -> None:
        """Merge an agent's commits into the run's branch. Raises CrashError if they conflict; a branch keeps them."""
        git, place = self.tree.repository, self.tree.here()
        ours, theirs, left = self.tree.head(), tree.head(), git.changed(tree.here())
        merged = git.ask("merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs, place=place)
        made, *names = filter(None, merged.out.split("\0"))
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
        if made != git.git("rev-parse", f"{ours}^{{tree}}").strip():
            parents = ("-p", ours, "-p", theirs)
            author, text = git.author(), f"Merge the agent {key}"
            both = git.git("commit-tree", made, *parents, place=(*author, *place), given=text).strip()
            onto = theirs if git.ask("rev-list", "--count", f"{theirs}..{ours}").out.strip() == "0" else both
            git.git("read-tree", "-m", "-u", ours, onto, place=place)
            git.git("update-ref", f"refs/heads/{self.record.branch}", onto, ours)
        if left:
            raise CrashError(
                f"{count(len(left), 'path')} cannot be committed: {', '.join(left[:SHOWN])}. They are nested "
                f"repositories or files of a filter such as Git LFS; remove them, or leave them unchanged ({tree.path})"
            )

    def _keep(self, commit: str, branch: str) -> str:
        """Keep a commit on a new branch, and return its name."""
        git, number = self.tree.repository, 1
        name = branch
        while git.commit_of(f"refs/heads/{name}") not in (None, commit):
            number += 1
            name = f"{branch}-{number}"
        git.git("update-ref", f"refs/heads/{name}", commit)
        return name
