"""One attempt of an agent on a host without the run's folder: its work tree, its commands, its end."""

import os
from collections.abc import Mapping
from typing import Final

from temporalio.exceptions import ApplicationError

from ....errors import RefusedError
from ....state.git import ask_git
from ....state.locks import locked
from ....state.run_dirs import OWN_WORKTREE
from ...clients.job import Job
from ...clients.results import CrashError
from ...driver.activities import Printed
from ...workplace import in_thread
from ...worktrees.repository import Repository
from ...worktrees.tree import Record, Tree
from ...worktrees.twins import At, Twin, known, remember
from .cache import Place
from .changes import packed, unpacked
from .copies import write
from .door import VARIABLE
from .errand import Errands
from .shipping import Shipper
from .spelling import Spelling
from .wire import Change, CloseCall, CloseSaid, CommandCall, CommandSaid, Copy, OpenCall, OpenSaid

WAIT: Final = 600.0
"""Seconds to wait for another agent that prepares its worktree in the same repository."""


class Visit:
    """An attempt.

    Args:
        errands: Asks the run's host.
        shipper: Ships packs.
        place: The folders here.
        job: The job, as the run's host has sent it.
        token: Token of the attempt.
        program: The program that pages name.
    """

    def __init__(self, errands: Errands, shipper: Shipper, place: Place, job: Job, token: str, program: str) -> None:
        self._errands, self._shipper, self._place = errands, shipper, place
        self._job, self._token, self._program = job, token, program
        self._twin = Twin(Tree(Repository(place.repository), place.tree))
        self._digests: dict[str, str] = {}

    async def open(self) -> OpenSaid:
        """Return the work of the attempt. Raises CrashError if there is no folder for it, ApplicationError."""
        await in_thread(self._begun)
        call = OpenCall(job=self._job, token=self._token, known=await in_thread(lambda: known(self._git)))
        self.said = await self._errands.send(call, OpenSaid)
        if self.said.failed:
            raise CrashError(self.said.failed)
        if self.said.reply is None:
            self.spelling = Spelling(self.said, self._place.folder, self._place.tree, self._program)
            await self._write(self.said.copies)
        return self.said

    async def prepare(self, kept: bool) -> None:
        """Make the worktree. Raises RefusedError.

        Args:
            kept: If true, keep the worktree of an agent whose worker has ended: it has done its work.
        """
        change = self.said.change
        assert change is not None
        await unpacked(self._shipper, self._git, change, strict=False)
        await in_thread(lambda: self._made(change, kept))
        self._common = change.at

    @property
    def folder(self) -> str:
        """Return the folder in which the agent works."""
        return os.path.normpath(os.path.join(self._place.tree, self.said.within))

    def environment(self, door: str) -> Mapping[str, str]:
        """Return further variables of the agent."""
        own = {} if self._job.page else {OWN_WORKTREE: self._place.tree}
        return {**own, VARIABLE: door}

    async def command(self, words: tuple[str, ...], given: str) -> Printed:
        """Have the run's host run a command, on the files as they are here."""
        try:
            change = await self._change()
            call = CommandCall(
                key=self._job.key,
                leads=bool(self._job.page),
                token=self._token,
                words=tuple(map(self.spelling.here, words)),
                given=self.spelling.here(given),
                common=self._common,
                change=change,
                known=tuple(self._digests.values()),
            )
            said = await self._errands.send(call, CommandSaid)
            if change is not None:
                self._common = change.at
            if said.change is not None:
                await unpacked(self._shipper, self._git, said.change, strict=False)
                before, after = self._common, said.change.at
                await in_thread(lambda: self._twin.turn(before, after))
                self._common = after
            await self._write(said.copies)
        except (RefusedError, ApplicationError, OSError) as error:
            why = f"the run's host may have done this, but its answer is lost: check before you repeat it. {error}\n"
            return Printed(1, "", self.spelling.there(why))
        return Printed(said.status, self.spelling.there(said.out), self.spelling.there(said.errors))

    async def close(self, text: str | None) -> None:
        """Have the run's host take over the changes, with the agent's reply; None if the attempt has failed.

        Raises CrashError with the reason if they do not fit.
        """
        try:
            change = await self._change()
            if text is not None and not self._job.page:
                self._twin.check_whole()
        except RefusedError as error:
            raise CrashError(f"its changes cannot be taken over: {self.spelling.there(str(error))}") from None
        call = CloseCall(job=self._job, token=self._token, text=text, common=self._common, change=change)
        said = await self._errands.send(call, CloseSaid)
        if said.failed:
            raise CrashError(said.failed)
        if text is not None:
            await in_thread(self._discard)

    @property
    def _git(self) -> Repository:
        return self._twin.tree.repository

    def _begun(self) -> None:
        """Make the repository of the project."""
        root = self._place.repository
        with locked(f"{root}.lock", WAIT):
            if os.path.isdir(os.path.join(root, ".git")):
                return
            os.makedirs(root, exist_ok=True)
            ask_git(root, "init", "--quiet", "--template=")

    def _made(self, change: Change, kept: bool) -> None:
        with locked(f"{self._place.repository}.lock", WAIT):
            remember(self._git, change.at.files)
            tree, head = self._twin.tree, change.at.head
            if kept and tree.place is not None:
                return
            tree.discard()
            tree.forget()
            tree.make(Record(base=head, within=self.said.within))
            self._twin.turn(At(head=head, files=head), change.at)

    def _discard(self) -> None:
        with locked(f"{self._place.repository}.lock", WAIT):
            self._twin.tree.discard()
            self._twin.tree.forget()

    async def _change(self) -> Change | None:
        """Return what has changed since both hosts had the same files."""
        at = await in_thread(lambda: self._twin.look(self._common))
        if at == self._common:
            return None
        return await packed(self._shipper, self._git, at, [self._common.files])

    async def _write(self, copies: tuple[Copy, ...]) -> None:
        await in_thread(lambda: write(copies, self._place.folder, self.spelling))
        for copy in copies:
            if copy.text is None:
                self._digests.pop(copy.name, None)
            else:
                self._digests[copy.name] = copy.digest
