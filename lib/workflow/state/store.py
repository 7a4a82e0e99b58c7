"""One state file that many processes change at once: locked, checked before it is written, replaced whole.

Reading takes no lock and changes nothing. A file that cannot be used is reported, and left as it is; so is a symbolic
link in its place.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ..codec import MAX_SIZE
from ..errors import RefusedError
from .attempts import check_attempt
from .files import PRIVATE, OddFileError, UnsyncedError, read_whole, remove, replace_whole
from .locks import BusyError, LockError, locked
from .run_dirs import check_unlinked
from .run_folder import tend

S = TypeVar("S")
R = TypeVar("R")

if TYPE_CHECKING:
    from typing import Protocol

    class Form(Protocol[S]):
        """How a state stands in its file; a codec is one. Both raise ValueError for what must not stand there."""

        def loads(self, data: bytes, /) -> S: ...
        def dumps(self, value: S, /) -> str: ...


WAIT: Final = 30.0
"""Seconds for which a change waits for those before it; each takes a few thousandths."""


class StateError(RefusedError):
    """A state file that cannot be used: missing, corrupt, locked for too long, not to be written."""


def _anything(_: object) -> None:
    """Checks nothing."""


class Store(Generic[S]):
    """The state of one class in one file.

    `check` raises ValueError for a value of the class that must not be: a reference that leads nowhere, another's
    file. It is asked whenever the file is read, and before it is written. `guard` raises RefusedError for a state that
    is not to be changed now; it is asked within the lock, before each change. `remedy` says how to make the file anew,
    as the end of a sentence.
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
        self.remedy = remedy
        self._codec = codec
        self._check = check
        self._guard = guard
        self._wait = wait

    def find(self) -> S | None:
        """The state; None where there is no file. Raises StateError for a file that holds no such state."""
        try:
            data = read_whole(self.path, MAX_SIZE)
            value = self._codec.loads(data)
            self._check(value)
            return value
        except FileNotFoundError:
            return None
        except (OddFileError, ValueError) as error:
            fix = f"it was left as it is; move it away, then {self.remedy}"
            raise StateError("corrupt-state", self.path, str(error), fix) from None
        except OSError as error:
            raise StateError("unreadable-state", self.path, str(error.strerror), "make it readable") from None

    def load(self) -> S:
        """The state. Raises StateError for a file that does not exist, too."""
        found = self.find()
        if found is None:
            raise self._missing("there is no such file")
        return found

    def create(self, value: S, same: Callable[[S], bool] | None = None) -> bool:
        """Writes the first state; whether it did. A file that holds the same already is left as it is.

        `same` says whether a state that is there counts as this one, where that is not plain equality. Raises
        RefusedError where another state is there.
        """
        with self._locked():
            found = self.find()
            if found is None:
                self._write(value)
                return True
        if found == value or (same is not None and same(found)):
            return False
        raise RefusedError("state-exists", self.path, "it exists, and holds something else", "change what it holds")

    def change(self, by: Callable[[S], tuple[S, R]]) -> R:
        """Replaces the state by what a pure function makes of it, and returns what that function says besides.

        What it raises leaves the file as it was; so does an equal state. Raises RefusedError for a state that `guard`
        or `check` refuses, StateError for a file that cannot be used.
        """
        if not os.path.lexists(self.path):  # a wrong path is no place for a lock
            raise self._missing("there is no such file")
        with self._locked():
            before = self.load()
            self._guard(before)
            after, result = by(before)
            if after is not before and after != before:
                self._write(after)
            return result

    def remove(self) -> bool:
        """Takes the file away; whether there was one. What it holds is not looked at."""
        if not os.path.lexists(self.path):
            return False
        with self._locked():
            check_attempt()
            try:
                return remove(self.path)
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
            raise RefusedError("invalid-change", self.path, str(error), "nothing was written") from None
        if len(data) > MAX_SIZE:
            message = f"it would have {len(data):,} bytes; at most {MAX_SIZE:,} are read"
            raise RefusedError("invalid-change", self.path, message, "nothing was written; shorten the texts")
        try:
            replace_whole(self.path, data, PRIVATE)
        except UnsyncedError as error:
            fix = "the change is there; look at the disk before you rely on it"
            raise StateError("unsynced-state", self.path, str(error.strerror), fix) from None
        except OSError as error:
            raise self._unwritable(error) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        folder, name = os.path.split(self.path)
        check_unlinked(folder)
        try:
            with locked(os.path.join(folder, f".{name}.lock"), self._wait):
                self._tend(folder)
                yield
        except BusyError:
            fix = "nothing was changed; run the same command again"
            message = f"other processes held its lock for {self._wait:g} seconds"
            raise StateError("locked-state", self.path, message, fix) from None
        except LockError as error:
            if not os.path.isdir(folder or "."):
                raise self._missing("its folder does not exist") from None
            raise self._unwritable(error) from None

    def _tend(self, folder: str) -> None:
        try:
            tend(folder)
        except OSError as error:
            raise self._unwritable(error) from None

    def _missing(self, message: str) -> StateError:
        return StateError("missing-state", self.path, message, self.remedy)

    def _unwritable(self, error: OSError) -> StateError:
        fix = "nothing was changed; see to the folder's rights and room, then run the same command again"
        return StateError("unwritable-state", self.path, error.strerror or str(error), fix)
