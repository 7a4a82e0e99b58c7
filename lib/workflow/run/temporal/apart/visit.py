"""One attempt of an agent on a host without the run's folder: its work tree, its commands, its end."""

import os
import shutil
from collections.abc import Mapping

from temporalio.exceptions import ApplicationError

from ....errors import RefusedError
from ....state.run_dirs import OWN_WORKTREE
from ...clients.job import Job
from ...clients.results import CrashError
from ...driver.activities import Printed
from ...workplace import in_thread
from .cache import Place
from .copies import is_repository_name, write
from .door import VARIABLE
from .errand import Errands
from .mirrors import Mirror
from .shipping import Shipper
from .spelling import Spelling
from .wire import CloseCall, CloseSaid, CommandCall, CommandSaid, Copy, Found, Known, OpenCall, OpenSaid, Sent


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
        self._mirror = Mirror(shipper, place.repository, place.tree)
        self._others: dict[str, Mirror] = {}
        self._digests: dict[str, str] = {}

    async def open(self) -> OpenSaid:
        """Return the work of the attempt. Raises CrashError if there is no folder for it, ApplicationError."""
        known = await in_thread(self._mirror.begin)
        call = OpenCall(job=self._job, token=self._token, known=known, has=await in_thread(self._known))
        self.said = await self._errands.send(call, OpenSaid)
        if self.said.failed:
            raise CrashError(self.said.failed)
        if self.said.reply is None:
            self.spelling = Spelling(self.said, self._place.folder, self._place.tree, self._program)
            await self._write(self.said.copies)
        return self.said

    async def prepare(self, kept: bool) -> None:
        """Make the worktrees. Raises RefusedError.

        Args:
            kept: If true, keep those of an agent whose worker has ended: it has done its work.
        """
        change = self.said.change
        assert change is not None
        await self._mirror.make(change, within=self.said.within, kept=kept)
        for found in self.said.repositories:
            await self._make(found, kept)

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
            (common, change), sent = await self._mirror.changed(), await self._sent()
            call = CommandCall(
                key=self._job.key,
                leads=bool(self._job.page),
                token=self._token,
                words=tuple(map(self.spelling.here, words)),
                given=self.spelling.here(given),
                common=common,
                change=change,
                known=tuple(self._digests.values()),
                repositories=sent,
                has=await in_thread(self._known),
            )
            said = await self._errands.send(call, CommandSaid)
            await self._mirror.equal(change, said.change)
            await self._equal(sent, said.repositories)
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
            (common, change), sent = await self._mirror.changed(), await self._sent()
            if text is not None and not self._job.page:
                self._mirror.twin.check_whole()
        except RefusedError as error:
            raise CrashError(f"its changes cannot be taken over: {self.spelling.there(str(error))}") from None
        call = CloseCall(job=self._job, token=self._token, text=text, common=common, change=change, repositories=sent)
        said = await self._errands.send(call, CloseSaid)
        if said.failed:
            raise CrashError(said.failed)
        if text is not None:
            await in_thread(self._discard)

    def _discard(self) -> None:
        """Remove the folders of the agent."""
        for mirror in (self._mirror, *self._others.values()):
            mirror.discard()
        shutil.rmtree(self._place.folder, ignore_errors=True)

    def _known(self) -> tuple[Known, ...]:
        """Return the repositories of the run directory that this host has had before, without those of the agent."""
        names = sorted(filter(is_repository_name, os.listdir(self._place.repositories)))
        others = [name for name in names if name not in self._others]
        return tuple(Known(name=name, commits=self._other(name).begin()) for name in others)

    def _other(self, name: str) -> Mirror:
        """Return the mirror of a repository of the run directory."""
        place = self._place
        return Mirror(self._shipper, os.path.join(place.repositories, name), os.path.join(place.folder, name))

    async def _make(self, found: Found, kept: bool) -> None:
        """Make the mirror of a repository of the run directory. Raises RefusedError."""
        if not is_repository_name(found.name):
            raise RefusedError("worktree", found.name, "it is not the name of a repository of a run directory", "")
        mirror = self._other(found.name)
        await in_thread(mirror.begin)
        await mirror.make(found.change, found.tags, kept=kept)
        self._others[found.name] = mirror

    async def _sent(self) -> tuple[Sent, ...]:
        """Return the repositories of the run directory, with what has changed here. Raises RefusedError."""
        sent = []
        for name, mirror in self._others.items():
            common, change = await mirror.changed()
            sent.append(Sent(name=name, common=common, change=change))
        return tuple(sent)

    async def _equal(self, sent: tuple[Sent, ...], said: tuple[Found, ...]) -> None:
        """Take over what has changed in the repositories of the run directory. Raises RefusedError."""
        changes = {each.name: each.change for each in sent}
        found = {each.name: each for each in said}
        for name, mirror in self._others.items():
            if name in found:
                await mirror.equal(changes[name], found[name].change, found[name].tags)
            else:
                await mirror.equal(changes[name], None)
        for name, each in found.items():
            if name not in self._others:
                await self._make(each, kept=False)

    async def _write(self, copies: tuple[Copy, ...]) -> None:
        await in_thread(lambda: write(copies, self._place.folder, self.spelling))
        for copy in copies:
            if copy.text is None:
                self._digests.pop(copy.name, None)
            else:
                self._digests[copy.name] = copy.digest
