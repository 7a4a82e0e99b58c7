"""A state file is read without a trace, changed whole or not at all, and kept when it is broken."""

import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.codec import MAX_SIZE
from lib.workflow.errors import RefusedError
from lib.workflow.state import locks
from lib.workflow.state.files import StateError
from lib.workflow.state.store import Store
from tests.tally import Tally, add, seen, store_at
from tests.wording import carries, coded


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tally.json"


@pytest.fixture
def store(path: Path) -> Store[Tally]:
    store = store_at(path)
    assert store.create(Tally())
    return store


def test_a_change_is_read_back_and_says_what_the_function_said(store: Store[Tally], path: Path) -> None:
    assert store.change(add("é\n🙂")) == "é\n🙂"
    assert store.load() == Tally(("é\n🙂",), 1)
    assert path.read_bytes().decode() == '{\n  "names": [\n    "é\\n🙂"\n  ],\n  "count": 1\n}\n'
    assert {entry.name for entry in path.parent.iterdir()} == {"tally.json", ".tally.json.lock"}


def test_creating_again_changes_nothing_and_another_state_is_refused(store: Store[Tally], path: Path) -> None:
    before = seen(path.parent)
    assert not store.create(Tally())
    assert not store.create(Tally(("a",), 1), same=lambda found: found == Tally())
    with pytest.raises(RefusedError) as caught:
        store.create(Tally(("a",), 1))
    assert caught.value.code == "state-exists"
    assert seen(path.parent) == before


def test_reading_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "tally.json"
    assert store_at(path).find() is None
    with pytest.raises(StateError) as caught:
        store_at(path).load()
    assert (caught.value.code, caught.value.target, caught.value.fix) == ("missing-state", str(path), "run init")
    with pytest.raises(StateError, check=coded("missing-state")):
        store_at(path).change(add("a"))
    assert list(tmp_path.iterdir()) == []
    path.write_text('{"count": 0}')
    assert store_at(path).load() == Tally()
    assert [entry.name for entry in tmp_path.iterdir()] == ["tally.json"]


def test_equal_state_is_not_written(path: Path) -> None:
    path.write_text('{"count":0}')
    before = seen(path.parent)
    assert store_at(path).change(lambda tally: (evolve(tally), 7)) == 7
    assert {name: seen(path.parent)[name] for name in before} == before


BROKEN = {
    "cut short": (b'{"names": [', "JSON: … 1, column 12"),
    "empty": (b"", "JSON"),
    "a list": (b"[]", ""),
    "an unknown key": (b'{"nmes": []}', "'nmes' … 'names'"),
    "what check refuses": (b'{"count": 3}', "count: 3 is not 0"),
    "too large": (b" " * (MAX_SIZE + 1), "has 16,777,217 bytes"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file_is_reported_with_a_fix_and_left_unchanged(name: str, path: Path) -> None:
    data, says = BROKEN[name]
    path.write_bytes(data)
    before = seen(path.parent)
    store = store_at(path)
    acts: list[Callable[[], object]] = [
        store.find,
        store.load,
        lambda: store.change(add("a")),
        lambda: store.create(Tally()),
    ]
    for act in acts:
        with pytest.raises(StateError) as caught:
            act()
        assert (caught.value.code, caught.value.target) == ("corrupt-state", str(path))
        assert carries(str(caught.value), says)
        assert "run init" in caught.value.fix
    assert {name: seen(path.parent)[name] for name in before} == before


def test_link_folder_or_pipe_in_place_of_the_file_is_refused(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    path.symlink_to(other)
    with pytest.raises(StateError, check=coded("corrupt-state")):
        store_at(path).change(add("a"))
    assert other.read_text() == "{}"
    path.unlink()
    path.mkdir()
    with pytest.raises(StateError, check=coded("corrupt-state")):
        store_at(path).load()
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(StateError, check=coded("corrupt-state")):
        store_at(path).load()


def test_a_link_in_the_place_of_the_lock_is_not_followed(store: Store[Tally], path: Path, tmp_path: Path) -> None:
    lock = tmp_path / ".tally.json.lock"
    lock.unlink()
    lock.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError) as caught:
        store.change(add("a"))
    assert caught.value.code == "unwritable-state"
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (Tally(("a",), 2), "count: 2 is not 1"),
        (Tally(("\0",), 1), "names[0]: … U+0000"),
        (Tally(("x" * MAX_SIZE,), 1), "16,777,2"),
    ],
)
def test_a_state_that_could_not_be_read_again_is_not_written(
    bad: Tally, says: str, store: Store[Tally], path: Path
) -> None:
    before = seen(path.parent)
    with pytest.raises(RefusedError) as caught:
        store.change(lambda _: (bad, None))
    assert caught.value.code == "invalid-change"
    assert carries(str(caught.value), says)
    assert seen(path.parent) == before


def test_a_function_that_fails_leaves_the_state(store: Store[Tally], path: Path) -> None:
    before = seen(path.parent)
    with pytest.raises(ZeroDivisionError):
        store.change(lambda tally: (tally, 1 // tally.count))
    assert seen(path.parent) == before
    assert store.change(add("a")) == "a"


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StateError, check=coded("missing-state")):
        store_at(tmp_path / "none" / "tally.json").create(Tally())


def test_a_state_file_that_others_could_read_is_private_after_a_change(store: Store[Tally], path: Path) -> None:
    path.chmod(0o644)
    store.change(add("a"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_temporary_files_of_dead_writers_are_removed_and_never_read(store: Store[Tally], path: Path) -> None:
    (path.parent / ".tally.json.999-dead.tmp").write_text('{"names": ["wrong"')
    (path.parent / "tally.json.bak").write_text("mine")
    store.change(add("a"))
    names = {entry.name for entry in path.parent.iterdir()}
    assert names == {"tally.json", ".tally.json.lock", "tally.json.bak"}


def test_lock_held_too_long_is_refused(path: Path, store: Store[Tally]) -> None:
    hurried = store_at(path, wait=0.05)
    with locks.locked(str(path.parent / ".tally.json.lock"), 1), pytest.raises(StateError) as caught:
        hurried.change(add("a"))
    assert caught.value.code == "locked-state"
    assert hurried.change(add("a")) == "a"


def test_lock_whose_file_was_deleted_meanwhile_is_taken_again(path: Path, store: Store[Tally]) -> None:
    lock = path.parent / ".tally.json.lock"
    waits = threading.Event()
    real = locks._wait_for

    def wait_for(handle: int, deadline: float) -> None:
        waits.set()
        real(handle, deadline)

    with pytest.MonkeyPatch.context() as patch:
        with locks.locked(str(lock), 1):
            patch.setattr(locks, "_wait_for", wait_for)
            late = threading.Thread(target=lambda: store.change(add("late")))
            late.start()
            assert waits.wait(5)
            lock.unlink()
        late.join(5)
    assert store.load() == Tally(("late",), 1)
    assert lock.exists()


def test_threads_and_processes_lose_nothing(store: Store[Tally], path: Path) -> None:
    threads = [
        threading.Thread(target=lambda n=n: [store_at(path).change(add(f"{n}-{m}")) for m in range(20)])
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(store.load().names)) == 80
    assert json.loads(path.read_text())["count"] == 80
