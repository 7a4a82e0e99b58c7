"""One worktree, with a record beside it that says how it was made and if it is whole."""

import os
import shutil
from typing import Final

from attrs import evolve, frozen

from ...codec import codec
from ...errors import RefusedError
from ...state.files import PRIVATE, private_folder, read_whole, remove, replace_whole
from ...state.run_dirs import inside
from .repository import CODE, Repository

SUFFIX: Final = ".json"
GONE: Final = ".gone"
"""Suffix of a worktree that is being removed: a kill may leave a part of its files."""
MAX_SIZE: Final = 1 << 16


@frozen(kw_only=True)
class Record:
    """The record of how a worktree was made."""

    base: str
    """The commit that it began at."""
    branch: str = ""
    """Its branch; empty if it has none."""
    target: str = ""
    """The user's branch at that time; empty for a detached HEAD."""
    repository: str = ""
    """The repository's folder at that time."""
    within: str = "."
    """Its folder in which steps and agents work."""
    each: bool = False
    """True if each launched agent has a worktree of its own."""
    carries: bool = False
    """True if it began with the uncommitted changes of the user's working tree."""
    is_whole: bool = False
    """False while it is made: nobody has worked in it yet."""


class Tree:
    """A worktree of a repository.

    Args:
        repository: The repository.
        path: The worktree's folder, which need not exist.
    """

    def __init__(self, repository: Repository, path: str) -> None:
        self.repository, self.path = repository, path

    def folder(self, record: Record) -> str:
        """Return the folder in which steps and agents work."""
        return os.path.normpath(os.path.join(self.path, record.within))

    def record(self) -> Record | None:
        """Return its record; None if it was never begun. Raises RefusedError for a broken one."""
        try:
            return codec(Record).loads(read_whole(self.path + SUFFIX, MAX_SIZE))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            fix = "Remove the worktree and this file, or restore the file."
            raise RefusedError(CODE, self.path + SUFFIX, f"its record cannot be used: {error}", fix) from None

    @property
    def place(self) -> tuple[str, ...] | None:
        """Return git's options for it; None if its folder is missing or git does not know it."""
        return self.repository.place_of(self.path) if os.path.isdir(self.path) else None

    def here(self) -> tuple[str, ...]:
        """Return git's options for it. Raises RefusedError if it is gone."""
        place = self.place
        if place is None:
            why = "the worktree is gone, or git does not know it any more; no file in it was changed"
            fix = (
                f"If {self.path} exists, save what you need and move it away. Then resume: the branch has all commits."
            )
            raise RefusedError(CODE, self.path, why, fix)
        return place

    def begin(self, record: Record) -> None:
        """Write the record of a worktree that is still to be made."""
        private_folder(os.path.dirname(self.path))
        self.write(evolve(record, is_whole=False))

    def make(self, record: Record) -> None:
        """Make it as a record says, or make it again if it is gone or not whole.

        An existing branch stays where it is. The record says that it is whole only after its last file.

        Raises:
            RefusedError: If git fails, or does not know a worktree in which somebody may have worked.
        """
        known = self.record()
        if known is not None and known.is_whole and os.path.lexists(self.path):
            if self.place is None:
                self.repository.adopt(self.path)
            self.here()
            return
        self.begin(record)
        self.discard()
        words = ["worktree", "add", "--quiet"]
        if not record.branch:
            words += ["--detach", self.path, record.base]
        elif self.repository.commit_of(f"refs/heads/{record.branch}") is None:
            words += ["-b", record.branch, self.path, record.base]
        else:
            words += [self.path, record.branch]
        self.repository.git(words[0], *words[1:])
        os.makedirs(os.path.join(self.path, record.within), exist_ok=True)
        if record.carries and self.head() == record.base:
            self._carry()
        self.write(evolve(record, is_whole=True))

    def write(self, record: Record) -> None:
        """Write its record."""
        replace_whole(self.path + SUFFIX, codec(Record).dumps(record).encode(), PRIVATE)

    def head(self) -> str:
        """Return its commit."""
        found = self.repository.commit_of("HEAD", self.here())
        assert found is not None
        return found

    def discard(self) -> None:
        """Remove its folder and its registration, with all changes in it; its branch and its record stay."""
        shutil.rmtree(self.path + GONE, ignore_errors=True)
        if os.path.lexists(self.path):
            os.rename(self.path, self.path + GONE)
        if self.repository.place_of(self.path) is not None:
            self.repository.git("worktree", "remove", "--force", "--force", self.path)
        shutil.rmtree(self.path + GONE, ignore_errors=True)

    def forget(self) -> None:
        """Remove its record."""
        remove(self.path + SUFFIX)

    def _carry(self) -> None:
        """Copy the uncommitted changes of the repository's own working tree, and commit them."""
        changed = self.repository.changed()
        odd = self.repository.filtered(path for path in changed if not path.endswith("/"))
        names = [name for name in changed if name not in odd and not name.endswith("/")]
        sources = {name: os.path.join(self.repository.root, name) for name in names}
        for name, source in sorted(sources.items(), key=lambda pair: (os.path.lexists(pair[1]), pair[0])):
            target = os.path.join(inside(self.path, os.path.dirname(name)), os.path.basename(name))
            if os.path.isdir(source) and not os.path.islink(source):  # a submodule, or files in place of a file
                if os.path.islink(target) or os.path.isfile(target):
                    os.unlink(target)
                continue
            _clear(target)
            if os.path.lexists(source):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        self.repository.commit("Uncommitted changes at the start of the run", self.here())


class MainTree(Tree):
    """The working tree of a repository itself.

    Args:
        path: Its folder, which holds `.git`.
    """

    def __init__(self, path: str) -> None:
        super().__init__(Repository(path), path)

    @property
    def place(self) -> tuple[str, ...] | None:
        folder = os.path.join(self.path, ".git")
        return ("--git-dir", folder, "--work-tree", self.path) if os.path.isdir(folder) else None


def _clear(path: str) -> None:
    """Remove what is at a path, without following a link."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)
