"""What a host keeps of an activity: which attempt is waited for, and what the agent of a job replied."""

import os
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from attrs import define, frozen

from ...codec import codec
from ...state import attempts as fence
from ...state.files import PRIVATE, private_folder, read_whole, replace_whole
from ...state.locks import locked
from .. import orphans as leftovers
from ..agents import CrashError
from ..job import LONGEST, Job
from ..journal import AGENTS

WAIT = 10.0
"""Seconds; the lock is held for a moment."""
MAX_SIZE = 8 * LONGEST
ENDED = " ended"


@frozen(kw_only=True)
class Kept:
    """A reply, and the job that it is one to."""

    job: str
    text: str


@define
class Turns:
    """Whose turn an activity is: several processes may do it, one that died, or seems to have, and the one after it."""

    folder: str
    """Where the run's agents have their files."""
    key: str

    @property
    def fence(self) -> str:
        """The file that says which attempt is waited for."""
        return os.path.join(self.folder, f"{self.key}.fence")

    def token(self, begun: datetime) -> str:
        """An attempt's, by the time when the server gave it out: a later one is greater."""
        return f"{self.key}/{begun:%Y%m%dT%H%M%S.%f}"

    def admit(self, token: str) -> bool:
        """Make every earlier attempt stale, and end what is left of it here. Returns whether one was cut off.

        Raises CrashError if a later one has begun or ended already.
        """
        private_folder(self.folder)
        with locked(f"{self.fence}.lock", WAIT):
            before = self._token()
            if before > token:
                raise CrashError("another attempt has begun since")
            fence.admit(self.fence, token)
        cut_off = bool(before) and not before.endswith(ENDED)
        if cut_off:
            leftovers.end(fence.VARIABLE, fence.variable(self.fence, before))
        return cut_off

    def close(self, token: str) -> None:
        """Make an attempt stale, unless a later one has done that."""
        with locked(f"{self.fence}.lock", WAIT):
            if self._token() == token:
                fence.admit(self.fence, token + ENDED)

    def _token(self) -> str:
        try:
            return read_whole(self.fence, fence.LONGEST).decode()
        except FileNotFoundError:
            return ""


@define
class Memory:
    """What is kept of one job."""

    run: str
    job: Job

    @property
    def folder(self) -> str:
        """Where the run's agents have their files."""
        return os.path.join(self.run, AGENTS)

    @property
    def turns(self) -> Turns:
        """Whose turn the job is."""
        return Turns(self.folder, self.job.key)

    def reply(self) -> str | None:
        """What an agent replied to this very job."""
        try:
            kept = codec(Kept).loads(read_whole(self._path, MAX_SIZE))
        except (OSError, ValueError):
            return None
        return kept.text if kept.job == self._digest else None

    def keep(self, text: str) -> None:
        """Keeps a reply that is one."""
        with locked(f"{self.turns.fence}.lock", WAIT):
            data = codec(Kept).dumps(Kept(job=self._digest, text=text)).encode()
            replace_whole(self._path, data, PRIVATE, sweep=False)

    @property
    def _path(self) -> str:
        return os.path.join(self.folder, f"{self.job.key}.reply")

    @cached_property
    def _digest(self) -> str:
        return sha256(codec(Job).dumps(self.job).encode(errors="replace")).hexdigest()
