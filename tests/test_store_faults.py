"""System calls that fail during a change of state lose nothing, and no false result is reported."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lib.workflow.state.files import StateError
from lib.workflow.state.store import Store
from tests.tally import Tally, add, store_at


@pytest.fixture
def store(tmp_path: Path) -> Store[Tally]:
    store = store_at(tmp_path / "tally.json")
    store.create(Tally())
    return store


CALLS = ("open", "write", "fsync", "replace", "listdir")
FAULTS = (
    OSError(errno.ENOSPC, "No space left on device"),
    PermissionError(errno.EACCES, "permission denied"),
    KeyboardInterrupt(),
)


LEGAL: dict[str, Callable[[Tally, Tally], list[Tally]]] = {
    "done": lambda before, after: [after],
    "unsynced-state": lambda before, after: [after],
    "interrupted": lambda before, after: [before, after],
    "unwritable-state": lambda before, after: [before],
    "unreadable-state": lambda before, after: [before],
}
"""The possible contents of the file, by the reported result of the change."""


@contextmanager
def failing(call: str, at: int, fault: BaseException) -> Iterator[list[str]]:
    """Let the `at`-th use of a system call fail, none at 0; the list shows the uses."""
    used: list[str] = []
    real: Callable[..., Any] = getattr(os, call)

    def sometimes(*arguments: object, **more: object) -> Any:
        used.append(call)
        if len(used) == at:
            raise fault
        return real(*arguments, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, call, sometimes)
        yield used


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_failed_system_call_leaves_the_old_or_new_state_and_reports_it(
    call: str, fault: BaseException, store: Store[Tally], tmp_path: Path
) -> None:
    """Let every use of the call fail once, one after the other."""
    with failing(call, 0, fault) as used:
        store.change(add("0"))
    assert used
    for number in range(1, len(used) + 1):
        before = store.load()
        after, name = add(str(number))(before)
        code = "done"
        try:
            with failing(call, number, fault):
                store.change(add(name))
        except StateError as error:
            code = error.code
        except KeyboardInterrupt:
            code = "interrupted"
        assert store.load() in LEGAL[code](before, after)
        assert list(tmp_path.glob(".*.tmp")) == []


def test_short_write_is_continued(store: Store[Tally], monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:3]))
    store.change(add("a" * 100))
    assert store.load() == Tally(("a" * 100,), 1)
