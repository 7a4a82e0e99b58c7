"""The journal holds every appended entry, even if its end is torn off."""

import asyncio
import errno
import json
import os
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lib.workflow.ast.relay import Answer, NeedsUserInput, Option, Question, UserResponse
from lib.workflow.codec import codec
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.run.journal.entry import OPENING, header_of
from lib.workflow.run.journal.journal import (
    LONGEST,
    Entry,
    Event,
    Journal,
    JournalError,
    LongEntryError,
    line_of,
    read,
    read_from,
    read_line,
    stamp_of,
    stamped,
)
from lib.workflow.run.journal.projection import milliseconds
from lib.workflow.run.journal.spec import Pin, Session, Spec
from lib.workflow.state.files import OddFileError

TEXTS = st.text(max_size=40)
LINES = TEXTS.filter(str.isprintable)
KEYS = st.from_regex(r"\A\d{1,9}(\.(\d{1,9}|thinks|again\d))*\Z".replace("\\d", "[0-9]")).filter(
    lambda key: key.count(".") < 9
)
SPEC = Spec(workflow="x", start=str(Command("x", ("--step", "1"))), agent="y")
QUESTION = Question(header="H", text="T", options=(Option(label="a"), Option(label="b")))
HELD = {
    Event.BEGUN: codec(Spec).dumps(SPEC),
    Event.ASKED: render(NeedsUserInput((QUESTION,))),
    Event.ANSWERED: render(UserResponse((Answer(header="H", text="a"),))),
}
"""Texts of entries that require one."""
UNTIL = {event: stamp_of(0) if event is Event.PAUSED else "" for event in Event}


def entry(event: Event, **more: object) -> Entry:
    """Return an entry with the fields that its event requires."""
    return Entry(event=event, **{"key": "1", "until": UNTIL[event], "text": HELD.get(event, ""), **more})  # type: ignore[arg-type]


ENTRIES = st.sampled_from(Event).flatmap(
    lambda event: st.builds(
        Entry,
        event=st.just(event),
        key=KEYS,
        text=st.just(HELD[event]) if event in HELD else TEXTS,
        errors=TEXTS,
        until=st.just(UNTIL[event]),
        who=LINES,
        command=st.sampled_from(("", str(Command("a.b", ("é'$ x", ""))))),
        number=st.integers(-(1 << 31), 1 << 32),
        session=st.none()
        | st.just(Session(folder="/x", launcher=("a b", "-P"), graphs=(Pin(module="m", digest="d"),))),
    )
)


@given(ENTRIES)
def test_an_entry_is_one_line_of_ascii_and_reads_back(entry: Entry) -> None:
    line = line_of(entry)
    assert line.isascii()
    assert "\n" not in line
    assert line.encode().startswith(OPENING)
    assert line.encode().count(OPENING) == 1
    assert read_line(line) == entry


def append(path: str, entry: Entry) -> None:
    async def appended() -> None:
        journal = Journal(path)
        journal.append(entry)
        await journal.close()

    asyncio.run(appended())


def test_torn_line_is_ignored_and_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    whole = [entry(Event.STEP, key=str(number), text="é" * number) for number in range(3)]
    for each in whole:
        append(path, each)
    data = Path(path).read_bytes()
    start = data[:-1].rfind(b"\n") + 1
    for length in range(start, len(data)):
        Path(path).write_bytes(data[:length])
        assert list(read(path)) == whole[:2]
        append(path, whole[2])
        assert list(read(path)) == whole


def stray(event: str, **more: object) -> str:
    return json.dumps({"event": event, **more})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("null", "null"),
        ("[]", ""),
        ("{}", "'event'"),
        ("{", "JSON"),
        ("[" * 100_000, ""),
        ("é", "UTF-8"),
        (stray("nothing"), "event"),
        (stray("step", key="1", more=1), "more"),
        ('{"event": "step", "key": "1", "key": "2"}', "'key'"),
        (stray("step", key=1), "key"),
        (stray("step"), "step"),
        (stray("attempt", key="../../etc/passwd"), "key"),
        (stray("attempt", key="1", number="1"), "number"),
        (stray("attempt", key="1", number=10**30), "number"),
        (stray("attempt", key="1", number=1.5), "number"),
        (stray("attempt", key="1", who="a\nb"), "who"),
        (stray("attempt", key="1", who="\x1b[31m"), "who"),
        (stray("attempt", key="1", at="yesterday"), "at"),
        (stray("step", key="1", text="\x00"), "text"),
        (stray("step", key="1", text="\ud800"), "text"),
        (stray("step", key="1", command="rm -rf /"), "'rm -rf /'"),
        (stray("step", key="1", command="a\nb"), "command"),
        (stray("asked", key="1", text="<complete/>"), ""),
        (stray("asked", key="1", text="which?"), "text|questions|1:"),
        (stray("answered", key="1", text=HELD[Event.ASKED]), ""),
        (stray("begun", text="{}"), "'workflow'"),
        (stray("begun", text=HELD[Event.BEGUN].replace('"max_parallel": 8', '"max_parallel": 0')), "max_parallel"),
        (stray("begun", text=HELD[Event.BEGUN].replace(" -m ", " ")), "start"),
        (stray("resumed", session={"folder": 1}), "session.folder"),
    ],
)
def test_malformed_line_is_reported_with_its_place(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "journal"
    path.write_text(f"{line_of(entry(Event.BEGUN))}\n{line}\n", encoding="latin-1")
    with pytest.raises(JournalError, match=f"{path}:2: .*({says})"):
        list(read(str(path)))


def test_torn_writes_are_skipped_even_if_entries_follow(tmp_path: Path) -> None:
    path, whole = tmp_path / "journal", entry(Event.STEP, text='quotes ", \\", {"event": "done"} and \n')
    line = f"{line_of(whole)}\n".encode()
    for length in range(len(line)):
        path.write_bytes(line + line[:length] + line + line[: length // 2] + line[:length] + line + line[:length])
        assert list(read(str(path))) == [whole] * 3


def test_a_write_that_fails_in_the_middle_leaves_the_journal_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write, room = tmp_path / "journal", os.write, [10]
    first, second = (entry(Event.STEP, text=text) for text in ("first", "second"))

    def full(handle: int, data: memoryview) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(handle, data[: room[0]])
        room[0] -= written
        return written

    async def appended() -> None:
        journal = Journal(str(path))
        journal.append(first)
        before = path.read_bytes()
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(OSError, match=str(path)):
                journal.append(second)
        assert path.read_bytes() == before
        journal.append(second)
        await journal.close()

    asyncio.run(appended())
    assert list(read(str(path))) == [first, second]


def test_a_line_is_as_long_as_it_can_be_read_and_no_longer(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    longest = entry(Event.STEP, text="x")
    longest = evolve(longest, text="x" * (LONGEST - len(line_of(longest))))
    append(path, longest)
    append(path, entry(Event.DONE))
    with pytest.raises(LongEntryError, match="4,194,305"):
        append(path, evolve(longest, text=f"{longest.text}x"))
    assert list(read(path)) == [longest, entry(Event.DONE)]
    with open(path, "ab") as file:
        file.write(b"x" * (2 * LONGEST) + b"\n")
    with pytest.raises(JournalError, match=r":3: .*bytes"):
        list(read(path))


def test_the_folder_of_a_new_journal_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr("lib.workflow.run.journal.journal.sync_folder", synced.append)
    for _ in range(2):
        append(str(tmp_path / "journal"), entry(Event.STEP))
    assert synced == [str(tmp_path)]


def test_settled_entries_are_synced_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "journal", list[bytes]()
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes()))

    async def settled() -> None:
        journal = Journal(str(path))
        del synced[:]  # that of the folder
        for event in (Event.BEGUN, Event.STEP):
            journal.append(entry(event))
            await journal.settled()
            assert synced[-1:] == [path.read_bytes()]
        await journal.close()

    asyncio.run(settled())
    assert len(synced) == 2


def test_a_pipe_in_the_place_of_a_journal_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "journal")
    with pytest.raises(OddFileError):
        list(read(str(tmp_path / "journal")))


def test_a_link_in_the_place_of_a_journal_is_not_followed(tmp_path: Path) -> None:
    target, path = tmp_path / "kept", tmp_path / "journal"
    target.write_bytes(b"torn")
    path.symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        Journal(str(path))
    assert target.read_bytes() == b"torn"


def test_entries_are_read_on_from_a_place(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [f"{line_of(stamped(entry(event)))}\n" for event in Event]
    path.write_text("".join(lines[:3]) + lines[3][:9])
    found, place = read_from(str(path), 0)
    path.write_text("".join(lines))
    more, end = read_from(str(path), place)
    assert (found + more, end) == (list(read(str(path))), path.stat().st_size)
    assert read_from(str(path), end) == ([], end)


def test_impossible_time_counts_as_no_time() -> None:
    assert milliseconds("2026-99-99T99:99:99.000000Z", "2026-01-01T00:00:00.000000Z") == 0
    assert milliseconds("", "2026-01-01T00:00:00.000000Z") == 0
    assert milliseconds("2026-01-01T00:00:01.000000Z", "2026-01-01T00:00:00.000000Z") == 0
    assert milliseconds("2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:01.500000Z") == 1500


@pytest.mark.parametrize(
    ("before", "title"),
    [
        ("", "Verify"),
        ('<gate_result status="pass">passed\n\n&lt;/step_header></gate_result>\n\n', "Verify"),
        ("<broken>", ""),
        ("text", ""),
    ],
)
def test_header_of_a_page_is_found_behind_the_result_of_a_gate(before: str, title: str) -> None:
    page = (
        f'{before}<step_header script="s" step="1" total="2">Verify</step_header>\n\n<current_action>x</current_action>'
    )
    found = header_of(page)
    assert (found.title if found else "") == title
