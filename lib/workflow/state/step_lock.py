"""The lock of a run's steps: only one step that changes its state runs at a time.

Such a step reads, decides and writes several files. Two at once would decide on outdated state, for example if an
agent's tool gives a command up and the agent repeats it while the first still runs.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Final, TypeAlias

from ..command import Command
from ..errors import RefusedError
from ..util.progress import Progress, say
from .locks import BusyError, LockError, locked
from .run_documents import database_of

FILE: Final = ".step.lock"
"""Lock file in the state directory."""
STATE_DIR: Final = "state_dir"
"""The workflow parameter that names the state directory."""
SHORT: Final = 2.0
"""Seconds after which a waiting step reports that it waits."""
WAIT: Final = 100.0
"""Seconds to wait in all. Clients give a command two minutes, so a step must answer within them."""
Lock: TypeAlias = Callable[[str, float], AbstractContextManager[None]]
_held: Final[set[str]] = set()
"""Locks of this process: a step can print the page of another step that changes state too."""


@contextmanager
def one_at_a_time(folder: object, command: Command) -> Iterator[None]:
    """Run a step while no other process runs one that changes the same state.

    Args:
        folder: The state directory. Without one there is nothing to wait for: the step makes it, or has none.
        command: The command of the step.

    Raises:
        RefusedError: If another step ran for the whole wait, or the file cannot be locked.
    """
    path, lock = _lock_of(folder) if isinstance(folder, str) else ("", locked)
    if not path or path in _held:
        yield
        return
    with ExitStack() as stack:
        _take(stack, path, lock, command)
        _held.add(path)
        stack.callback(_held.discard, path)
        yield


def _lock_of(folder: str) -> tuple[str, Lock]:
    """Return the name of a state directory's lock, and the function that takes it; an empty name if it has none."""
    database = database_of(folder)
    if database is not None:
        return folder, lambda _, wait: database.alone(wait)
    return (os.path.join(os.path.realpath(folder), FILE) if os.path.isdir(folder) else ""), locked


def _take(stack: ExitStack, path: str, lock: Lock, command: Command) -> None:
    try:
        try:
            stack.enter_context(lock(path, SHORT))
        except BusyError:
            say(Progress("another process runs a step of this run; waiting for it", round(WAIT)))
            stack.enter_context(lock(path, WAIT - SHORT))
    except BusyError:
        what = f"another process is still running a step of this run after {WAIT:g} seconds"
        fix = "Nothing was changed. Wait until that step has ended, then run the same command again."
        raise RefusedError("step-running", os.path.dirname(path), what, fix, command) from None
    except LockError as error:
        fix = "nothing was changed; check the folder's permissions and free space, then run the same command again"
        raise RefusedError("unwritable-state", path, f"it cannot be written: {error.strerror or error}", fix) from None
