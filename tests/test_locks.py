"""Locks: a look at a lock does not hold it."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.state.locks import BusyError, is_held, locked


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / ".lock")


@pytest.fixture
def looking(path: str) -> Iterator[None]:
    """Hold the lock of a reader that is about to look."""
    Path(path).touch()
    handle = os.open(path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_SH)
    yield
    os.close(handle)


def test_a_lock_is_held_while_its_holder_has_it(path: str) -> None:
    with locked(path, 0):
        assert is_held(path)
    assert not is_held(path)


def test_reading_the_lock_state_does_not_hold_the_lock(path: str, looking: None) -> None:
    assert not is_held(path)


def test_taking_a_lock_waits_for_readers_of_its_state(path: str, looking: None) -> None:
    with pytest.raises(BusyError), locked(path, 0.05):
        pass


def test_reading_the_lock_state_creates_no_file(path: str) -> None:
    assert not is_held(path)
    assert not os.path.lexists(path)
