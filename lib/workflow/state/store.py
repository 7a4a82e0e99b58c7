"""A state file that many processes change at once: locked, checked before a write, replaced whole.

Reading takes no lock and changes nothing. An unusable file, or a symbolic link in its place, is reported and left
unchanged. The file is in the run's folder, or in a database if the folder is that of a run with a URL.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ..codec import MAX_SIZE
from ..errors import RefusedError
from .attempts import check_attempt
from .files import OddFileError, StateError, UnsyncedError, unreadable
from .locks import BusyError, LockError
from .run_documents import documents

S = TypeVar("S")
R = TypeVar("R")

if TYPE_CHECKING:
    from typing import Protocol

    class Form(Protocol[S]):
        """The file format of a state; a codec is one. Both methods raise ValueError for illegal content."""

        def loads(self, data: bytes, /) -> S: ...
        def dumps(self, value: S, /) -> str: ...


WAIT: Final = 30.0
"""Seconds that a change waits for earlier ones; each takes a few milliseconds."""


def _anything(_: object) -> None:
    """Accept any value."""


class Store(Generic[S]):
    """The state of one class in one file.

    Args:
        path: The state file.
        codec: Its file format.
        remedy: How to make a new file, as the end of a sentence.
        check: Raises ValueError for an illegal value, such as a reference to nothing; called after each read and
            before each write.
        guard: Raises RefusedError if the state must not change now; called under the lock, before each change.
        wait: Maximum seconds to wait for the lock.
    """

    def __init__(
        self,
        path: str,
        codec: "Form[S]",
        *,
        remedy: str,
        check: Callable[[S], None] = _anything,
        guard: Callable[[S], None] = _anything,
        wait: float = WAIT,
    ) -> None:
        self.path = path
        folder, self._name = os.path.split(path)
        self._at = documents(folder)
        self._target = self._at.target(self._name)
        self.remedy = remedy
        self._codec = codec
        self._check = check
        self._guard = guard
        self._wait = wait

    def find(self) -> S | None:
        """Return the state, or None without a file. Raises StateError if the file holds no legal state."""
        try:
            data = self._at.read(self._name)
            value = self._codec.loads(data)
            self._check(value)
            return value
        except FileNotFoundError:
            return None
        except StateError:
            raise
        except (OddFileError, ValueError) as error:
            fix = f"the file was not changed; {self._at.removal}, then {self.remedy}"
            raise StateError("corrupt-state", self._target, str(error), fix) from None
        except OSError as error:
            raise unreadable(self._target, error) from None

    def load(self) -> S:
        """Return the state. Also raises StateError if the file does not exist."""
        found = self.find()
        if found is None:
            raise self._missing("the file does not exist")
        return found

    def create(self, value: S, same: Callable[[S], bool] | None = None) -> bool:
        """Write the first state. Returns False if the file already holds the same state.

        `same` decides if an existing state counts as this one, instead of equality. Raises RefusedError if the file
        holds another state.
        """
        with self._locked():
            found = self.find()
            if found is None:
                self._write(value)
                return True
        if found == value or (same is not None and same(found)):
            return False
        raise RefusedError("state-exists", self._target, "it exists with other content", "change its content")

    def change(self, by: Callable[[S], tuple[S, R]]) -> R:
        """Replace the state by the first result of a pure function, and return its second result.

        If the function raises, or the state is equal, the file does not change. Raises RefusedError if `guard` or
        `check` refuses a state, StateError if the file cannot be used.
        """
        if not self._at.exists(self._name):  # a wrong path must not get a lock file
            raise self._missing("the file does not exist")
        with self._locked():
            before = self.load()
            self._guard(before)
            after, result = by(before)
            if after is not before and after != before:
                self._write(after)
            return result

    def remove(self) -> bool:
        """Remove the file without reading it. Returns False if there was none."""
        if not self._at.exists(self._name):
            return False
        with self._locked():
            check_attempt()
            try:
                return self._at.remove(self._name)
            except OSError as error:
                raise self._unwritable(error) from None

    def _write(self, value: S) -> None:
        check_attempt()
        try:
            self._check(value)
            data = (self._codec.dumps(value) + "\n").encode()
        except RefusedError:
            raise
        except ValueError as error:
            raise RefusedError("invalid-change", self._target, str(error), "nothing was written") from None
        if len(data) > MAX_SIZE:
            message = f"it would have {len(data):,} bytes; at most {MAX_SIZE:,} are read"
            raise RefusedError("invalid-change", self._target, message, "nothing was written; shorten the texts")
        try:
            self._at.replace(self._name, data)
        except UnsyncedError as error:
            fix = "the change was written; check the disk before you rely on it"
            raise StateError("unsynced-state", self._target, str(error.strerror), fix) from None
        except OSError as error:
            raise self._unwritable(error) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with self._at.locked(self._name, self._wait):
                yield
        except BusyError:
            fix = "nothing was changed; run the same command again"
            message = f"other processes held its lock for {self._wait:g} seconds"
            raise StateError("locked-state", self._target, message, fix) from None
        except LockError as error:
            if not os.path.isdir(os.path.dirname(self.path) or "."):
                raise self._missing("its folder does not exist") from None
            raise self._unwritable(error) from None

    def _missing(self, message: str) -> StateError:
        return StateError("missing-state", self._target, message, self.remedy)

    def _unwritable(self, error: OSError) -> StateError:
        fix = "nothing was changed; check the folder's permissions and free space, then run the same command again"
        return StateError("unwritable-state", self._target, f"it cannot be written: {error.strerror or error}", fix)
