"""Worktrees on an agent's host, each the mirror of one on the run's host: changes travel between them as packs."""

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from tempfile import TemporaryFile
from typing import Final

from ....errors import RefusedError
from ....state.git import ask_git
from ....state.locks import locked
from ...workplace import in_thread
from ...worktrees.repository import CODE, Repository
from ...worktrees.tree import MainTree, Record, Tree
from ...worktrees.twins import At, Twin, known, read_pack, remember, write_pack
from .copies import repositories
from .shipping import Shipper
from .wire import Change, Found, Known, Sent

WAIT: Final = 600.0
"""Seconds to wait for another agent that prepares its worktree in the same repository."""
Within = Callable[[Callable[[], None]], Awaitable[None]]
"""Function that runs work on a worktree in a thread, alone if others use the same one."""


async def packed(shipper: Shipper, git: Repository, at: At, known: Iterable[str]) -> Change:
    """Return a state of a worktree for somebody who has the commits `known`. Raises RefusedError."""
    with TemporaryFile() as file:
        await in_thread(lambda: write_pack(git, at, known, file))
        return Change(at=at, pack=await shipper.send(file))


async def unpacked(shipper: Shipper, git: Repository, change: Change, strict: bool) -> None:
    """Add the commits of a change to a repository; arguments as for `read_pack`. Raises RefusedError."""
    with TemporaryFile() as file:
        await shipper.fetch(change.pack, file)
        await in_thread(lambda: read_pack(git, file, strict))


async def taken(shipper: Shipper, twin: Twin, common: At, change: Change | None, within: Within) -> None:
    """Bring the changes of an agent into its worktree on the run's host.

    Args:
        shipper: The shipper of the run.
        twin: The worktree.
        common: The last state that both hosts had. The worktree may have changed since.
        change: The agent's state; None if nothing has changed.
        within: Runs the work on the worktree.

    Raises:
        RefusedError: If the change cannot be used.
        CrashError: If it conflicts with what has changed meanwhile.
    """
    if change is None:
        return
    wanted = change.at
    await unpacked(shipper, twin.tree.repository, change, strict=True)

    def take() -> None:
        now = twin.look(common)
        twin.turn(now, wanted if now == common else twin.joined(common, now, wanted))

    await within(take)


class Original:
    """A repository of a run directory on its host, such as a copy of the project.

    Args:
        folder: The run directory.
        name: The repository in it.
    """

    def __init__(self, folder: str, name: str) -> None:
        self._lock, self._name = os.path.join(folder, f".{name}.lock"), name
        self._twin = Twin(MainTree(os.path.join(folder, name)))

    async def found(self, shipper: Shipper, known: Iterable[str], before: At | None) -> Found | None:
        """Return it for an agent's host; None if the agent has it as it is. Raises RefusedError if it cannot be read.

        Args:
            shipper: The shipper of the run.
            known: Commits that the agent's host has, with all before them.
            before: The state that the agent has; None if it lacks the repository.
        """
        git = self._twin.tree.repository
        at = await in_thread(lambda: self._looked(before))
        if at == before:
            return None
        change = await packed(shipper, git, at, [before.files] if before else known)
        words = ("--merged", at.head, "--format=%(objectname) %(refname:strip=2)")
        tags = await in_thread(lambda: git.git("tag", *words))
        return Found(name=self._name, change=change, tags=tuple(tags.splitlines()))

    async def take(self, shipper: Shipper, sent: Sent) -> None:
        """Bring the changes of an agent into it; raises as `taken`."""
        await taken(shipper, self._twin, sent.common, sent.change, self._alone)

    async def _alone(self, work: Callable[[], None]) -> None:
        def run() -> None:
            with locked(self._lock, WAIT):
                work()

        await in_thread(run)

    def _looked(self, before: At | None) -> At:
        with locked(self._lock, WAIT):
            return self._twin.look(before)


async def all_found(shipper: Shipper, folder: str, has: Iterable[Known], before: Mapping[str, At]) -> tuple[Found, ...]:
    """Return the repositories of a run directory that an agent lacks, or has in another state. Raises RefusedError.

    Args:
        shipper: The shipper of the run.
        folder: The run directory.
        has: Commits that the agent's host has.
        before: The state that the agent has of each.
    """
    commits = {each.name: each.commits for each in has}
    names = repositories(folder)
    found = [await Original(folder, name).found(shipper, commits.get(name, ()), before.get(name)) for name in names]
    return tuple(each for each in found if each is not None)


async def all_taken(shipper: Shipper, folder: str, sent: Iterable[Sent]) -> None:
    """Bring the changes of an agent into the repositories of a run directory; raises as `taken`."""
    there = repositories(folder)
    for each in sent:
        if each.name in there:
            await Original(folder, each.name).take(shipper, each)
        elif each.change is not None:
            why = f"the run directory has no repository {each.name!r:.200} any more"
            raise RefusedError(CODE, each.name, why, "Go on without it.")


class Mirror:
    """A worktree here.

    Args:
        shipper: The shipper of the run.
        repository: Folder of a repository, which need not exist.
        path: Folder of the worktree, which need not exist.
    """

    def __init__(self, shipper: Shipper, repository: str, path: str) -> None:
        self._shipper, self.twin = shipper, Twin(Tree(Repository(repository), path))
        self._common = At(head="", files="")

    def begin(self) -> tuple[str, ...]:
        """Make the repository if it is not there, and return the latest commits that it has. Raises RefusedError."""
        with self._alone():
            if not os.path.isdir(os.path.join(self._git.root, ".git")):
                os.makedirs(self._git.root, exist_ok=True)
                ask_git(self._git.root, "init", "--quiet", "--template=")
        return known(self._git)

    async def make(self, change: Change, tags: Iterable[str] = (), within: str = ".", kept: bool = False) -> None:
        """Make the worktree as its twin is.

        Args:
            change: The state of the twin.
            tags: The tags of its commits, each after the commit and a blank.
            within: Folder in the worktree in which the agent works.
            kept: If true, keep a worktree that is there.

        Raises:
            RefusedError: If the change cannot be used.
        """
        await unpacked(self._shipper, self._git, change, strict=False)
        await in_thread(lambda: self._made(change.at, Record(base=change.at.head, within=within), kept))
        await in_thread(lambda: self._tag(tags))
        self._common = change.at

    async def changed(self) -> tuple[At, Change | None]:
        """Return the last state that both had, and what has changed here since. Raises RefusedError."""
        common = self._common
        at = await in_thread(lambda: self.twin.look(common))
        if at == common:
            return common, None
        return common, await packed(self._shipper, self._git, at, [common.files])

    async def equal(self, sent: Change | None, said: Change | None, tags: Iterable[str] = ()) -> None:
        """Note that the twin has what was sent, and take over what it says. Raises RefusedError."""
        if sent is not None:
            self._common = sent.at
        if said is None:
            return
        await unpacked(self._shipper, self._git, said, strict=False)
        before = self._common
        await in_thread(lambda: self.twin.turn(before, said.at))
        await in_thread(lambda: self._tag(tags))
        self._common = said.at

    def discard(self) -> None:
        """Remove the worktree, with all changes in it."""
        with self._alone():
            self.twin.tree.discard()
            self.twin.tree.forget()

    @property
    def _git(self) -> Repository:
        return self.twin.tree.repository

    def _alone(self) -> AbstractContextManager[object]:
        return locked(f"{self._git.root}.lock", WAIT)

    def _made(self, at: At, record: Record, kept: bool) -> None:
        with self._alone():
            remember(self._git, at.files)
            tree = self.twin.tree
            if kept and tree.place is not None:
                return
            tree.discard()
            tree.forget()
            tree.make(record)
            self.twin.turn(At(head=at.head, files=at.head), at)

    def _tag(self, tags: Iterable[str]) -> None:
        for tag in tags:
            commit, _, name = tag.partition(" ")
            self._git.git("update-ref", f"refs/tags/{name}", commit)
