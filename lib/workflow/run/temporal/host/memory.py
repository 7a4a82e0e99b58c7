"""A host's files for an activity: the current attempt, and the reply to a job."""

import os
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from attrs import define, frozen

from ....codec import codec
from ....state import attempts as fence
from ....state.files import PRIVATE, private_folder, read_whole, replace_whole
from ....state.locks import locked
from ...clients.agents import CrashError
from ...clients.job import LONGEST, Job
from ...journal.journal import AGENTS
from ...processes import orphans as leftovers

WAIT = 10.0
"""Seconds to wait for a lock that is held only briefly."""
MAX_SIZE = 8 * LONGEST
ENDED = " ended"
NEWER = "a newer attempt has started"


@frozen(kw_only=True)
class Kept:
    """A reply with the digest of its job."""

    job: str
    text: str


@define
class Turns:
    """The attempts at an activity: several processes may execute it, a dead or slow one and its successor."""

    folder: str
    """Folder of the files of the run's agents."""
    key: str

    @property
    def fence(self) -> str:
        """Return the file that names the current attempt."""
        return os.path.join(self.folder, f"{self.key}.fence")

    def token(self, begun: datetime, is_local: bool = False) -> str:
        """Return an attempt's token, from the time when the server scheduled it: later ones are greater.

        An attempt of the worker that drives the run has a time of that worker, and is below all others.
        """
        return f"{self.key}/{'0' * is_local}{begun:%Y%m%dT%H%M%S.%f}"

    def admit(self, token: str) -> bool:
        """Make every earlier attempt stale, and end its processes here. Returns True if one was cut off.

        Raises CrashError if a later one has started or ended already.
        """
        private_folder(self.folder)
        with locked(f"{self.fence}.lock", WAIT):
            before = self._token()
            if before > token:
                raise CrashError(NEWER)
            fence.admit(self.fence, token)
        cut_off = bool(before) and not before.endswith(ENDED)
        if cut_off:
            leftovers.end(fence.VARIABLE, fence.variable(self.fence, before))
        return cut_off

    def is_current(self, token: str) -> bool:
        """Return False if a newer attempt has started. A missing or unreadable file says nothing."""
        try:
            return self._token() in (token, "")
        except OSError:
            return True

    def close(self, token: str) -> None:
        """Make an attempt stale, unless a later one has done so."""
        with locked(f"{self.fence}.lock", WAIT):
            if self._token() == token:
                fence.admit(self.fence, token + ENDED)

    def _token(self) -> str:
        try:
            return fence.current(self.fence)
        except FileNotFoundError:
            return ""


@define
class Memory:
    """The files of one job."""

    run: str
    job: Job

    @property
    def folder(self) -> str:
        """Return the folder of the files of the run's agents."""
        return os.path.join(self.run, AGENTS)

    @property
    def turns(self) -> Turns:
        """Return the attempts at the job."""
        return Turns(self.folder, self.job.key)

    def reply(self) -> str | None:
        """Return an agent's stored reply to exactly this job, or None."""
        try:
            kept = codec(Kept).loads(read_whole(self._path, MAX_SIZE))
        except (OSError, ValueError):
            return None
        return kept.text if kept.job == self._digest else None

    def keep(self, text: str) -> None:
        """Store a valid reply. The server records it a moment later, so it is not synced to the disk."""
        with locked(f"{self.turns.fence}.lock", WAIT):
            data = codec(Kept).dumps(Kept(job=self._digest, text=text)).encode()
            replace_whole(self._path, data, PRIVATE, sweep=False, sync=False)

    @property
    def _path(self) -> str:
        return os.path.join(self.folder, f"{self.job.key}.reply")

    @cached_property
    def _digest(self) -> str:
        return sha256(codec(Job).dumps(self.job).encode(errors="replace")).hexdigest()
