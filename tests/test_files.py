"""Files: content is on the disk before anything reports it, and a locked file is not removed."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lib.workflow.state.files import OddFileError, read_whole, remove, replace_whole
from lib.workflow.state.locks import locked
from tests.tally import Tally, store_at


def test_a_file_is_on_the_disk_before_it_takes_its_name_and_the_name_is_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def recorded(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **more: Any) -> Any:
            calls.append(name)
            return real(*arguments, **more)

        return call

    for name in ("write", "fsync", "replace"):
        monkeypatch.setattr(os, name, recorded(name))
    replace_whole(str(tmp_path / "x"), b"data")
    assert calls == ["write", "fsync", "replace", "fsync"]


def test_no_more_is_read_than_was_allowed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_whole(str(path), 5) == b"12345"
    with pytest.raises(OddFileError, match="5 bytes"):
        read_whole(str(path), 4)


def test_a_file_is_not_taken_away_while_another_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "tally.json"
    store = store_at(path)
    store.create(Tally())
    (lock,) = (str(each) for each in tmp_path.iterdir() if each.name.endswith(".lock"))
    taking = threading.Thread(target=store.remove)
    with locked(lock, 5):
        taking.start()
        taking.join(0.2)
        assert path.exists()
    taking.join()
    assert not path.exists()


def test_removed_file_whose_folder_goes_too_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "file"
    path.parent.mkdir()
    path.touch()
    unlink = os.unlink

    def unlink_both(name: str) -> None:
        unlink(name)
        path.parent.rmdir()

    monkeypatch.setattr(os, "unlink", unlink_both)
    assert remove(str(path))
