"""The cached list is valid until one of its sources changes; a broken cache does no harm."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.skills import listing_cache as kept
from lib.workflow.app.skills.listing import Fault, Listing, Row
from tests.plugins.sites import installed

ROW = Row("tidy", "sweep", 3, "Sweep a floor.", "python3 -m tidy.sweep --step 1", False)
LISTING = Listing((ROW,), (), (("tidy", 2),))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the path of the empty cache, with a foreign package installed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for _ in installed("site", monkeypatch):
        yield tmp_path / "cache" / "stepscript" / "list.json"


def read_again(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let reading return the listing. The result has an entry for each read."""
    reads: list[bool] = []

    def read(everything: bool) -> Listing:
        reads.append(everything)
        return listing

    monkeypatch.setattr(kept, "read_listing", read)
    return reads


def test_unchanged_listing_is_read_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = read_again(LISTING, monkeypatch)
    assert [kept.listing(False), kept.listing(False)] == [LISTING, LISTING]
    assert reads == [False]


@pytest.mark.parametrize("change", ["file", "size", "interpreter", "agents' too"])
def test_changed_listing_is_read_again(change: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = read_again(LISTING, monkeypatch)
    kept.listing(False)
    known = list(kept._files_of("tidy"))
    if change == "file":
        monkeypatch.setattr(kept, "_files_of", lambda _: iter([*known, ("new.py", 1, 1)]))
    elif change == "size":
        monkeypatch.setattr(kept, "_files_of", lambda _: ((path, at, size + 1) for path, at, size in known))
    elif change == "interpreter":
        monkeypatch.setenv("WORKFLOW_PYTHON", "python3.12")
    kept.listing(change == "agents' too")
    assert len(reads) == 2


def test_a_list_with_faults_is_not_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = read_again(LISTING._replace(faults=(Fault("tidy", "tidy.torn", "no module named x"),)), monkeypatch)
    kept.listing(False)
    kept.listing(False)
    assert len(reads) == 2
    assert not place.exists()


@pytest.mark.parametrize(
    "row",
    [
        [*ROW[:2], "3", *ROW[3:]],
        ROW[:-1],
        [*ROW, 1],
        None,
        [*ROW[:5], 1],
    ],
)
def test_malformed_cached_row_is_read_again(row: object, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = read_again(LISTING, monkeypatch)
    kept.listing(False)
    (sign,) = json.loads(place.read_text())
    place.write_text(json.dumps({sign: {"rows": [row], "unread": []}}))
    assert kept.listing(False) == LISTING
    assert len(reads) == 2


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\x00"])
def test_truncated_cache_file_is_read_again(text: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_again(LISTING, monkeypatch)
    place.parent.mkdir(parents=True)
    place.write_text(text)
    assert kept.listing(False) == LISTING


def test_listing_is_read_if_nothing_can_be_cached(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.parent.parent.mkdir()
    place.parent.write_text("a file where the folder should be")
    reads = read_again(LISTING, monkeypatch)
    assert [kept.listing(False), kept.listing(False)] == [LISTING, LISTING]
    assert len(reads) == 2


def test_relative_cache_home_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path))
    kept.keep("sign", LISTING)
    assert os.listdir(tmp_path / ".cache" / "stepscript") == ["list.json"]
