"""The journal holds what was appended, whatever is torn off its end."""

import asyncio
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.workflow.run.journal import Entry, Event, Journal, JournalError, line_of, read, read_line

TEXTS = st.text(max_size=40)
ENTRIES = st.builds(Entry, event=st.sampled_from(Event), key=TEXTS, text=TEXTS, who=TEXTS, number=st.integers())


@given(ENTRIES)
def test_an_entry_is_one_line_of_ascii_and_reads_back(entry: Entry) -> None:
    line = line_of(entry)
    assert line.isascii()
    assert "\n" not in line
    assert read_line(line) == entry


def append(path: str, entry: Entry) -> None:
    async def appended() -> None:
        journal = Journal(path)
        journal.append(entry)
        await journal.close()

    asyncio.run(appended())


def test_a_line_that_was_torn_says_nothing_and_the_next_writer_cuts_it_off(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    whole = [Entry(event=Event.STEP, key=str(number), text="é" * number) for number in range(3)]
    for entry in whole:
        append(path, entry)
    data = Path(path).read_bytes()
    start = data[:-1].rfind(b"\n") + 1
    for length in range(start, len(data)):
        Path(path).write_bytes(data[:length])
        assert list(read(path)) == whole[:2]
        append(path, whole[2])
        assert list(read(path)) == whole


@pytest.mark.parametrize(
    "line",
    [
        "null",
        "[]",
        "{}",
        '{"event": "step", "more": 1}',
        '{"event": "nothing"}',
        '{"event": "step", "key": 1}',
        "{",
        "é",
    ],
)
def test_a_line_that_is_no_entry_is_named_by_its_place(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal"
    path.write_text(f"{line_of(Entry(event=Event.BEGUN))}\n{line}\n", encoding="latin-1")
    with pytest.raises(JournalError, match=":2:"):
        list(read(str(path)))


def test_what_is_settled_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "journal", list[bytes]()
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes()))

    async def settled() -> None:
        journal = Journal(str(path))
        for event in (Event.BEGUN, Event.STEP):
            journal.append(Entry(event=event))
            await journal.settled()
            assert synced[-1:] == [path.read_bytes()]
        await journal.close()

    asyncio.run(settled())
    assert len(synced) == 2


def test_a_link_in_the_place_of_a_journal_is_not_followed(tmp_path: Path) -> None:
    target, path = tmp_path / "kept", tmp_path / "journal"
    target.write_bytes(b"torn")
    path.symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        Journal(str(path))
    assert target.read_bytes() == b"torn"
