"""A status needs only parts of a journal, and is the same as that of the whole one."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.relay import NeedsUserInput, Option, Question
from lib.workflow.codec import codec
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.run.journal import status
from lib.workflow.run.journal.entry import Entry, Event, line_of, stamp_of, stamped
from lib.workflow.run.journal.journal import BLOCK, JOURNAL, LOCK, LONGEST, JournalError, read
from lib.workflow.run.journal.outline import Others, Outline, deciding, outlines, summary
from lib.workflow.run.journal.projection import RunProjection, State, account_of
from lib.workflow.run.journal.spec import Session, Spec
from lib.workflow.state.locks import locked

ASKED = render(NeedsUserInput((Question(header="H", text="T", options=(Option(label="a"), Option(label="b"))),)))
START = str(Command("skills.problem_analysis.analyze", ("--step", "1")))
WRITTEN = (
    Entry(event=Event.BEGUN, text=codec(Spec).dumps(Spec(workflow="w", start=START, agent="true"))),
    Entry(event=Event.STEP, key="1", who='a "page" 1/2 é', text='"number": 9}', command=START),
    Entry(event=Event.STEP, key="2", who="a 2/2", text="x" * 5000),
    Entry(event=Event.ATTEMPT, key="2.1", who="explore", number=3, command=START),
    Entry(event=Event.ATTEMPT, key="2.2", number=2),
    Entry(event=Event.FAILED, key="2.1", who="explore", number=3, text="no credit"),
    Entry(event=Event.REPLIED, key="2.2", who="explore", number=12, text='}\n{"event": "done"'),
    Entry(event=Event.ASKED, key="2.2.asks1", text=ASKED),
    Entry(event=Event.ATTEMPT, key="2.3", number=1),
    Entry(event=Event.STOPPED, key="2.1", text="no credit"),
)


def without_agents(account: RunProjection) -> RunProjection:
    """Return a projection without its agents, which a run that no process drives does not have."""
    return evolve(account, at_work=(), pauses=())


def test_outlined_journal_gives_the_same_account_as_the_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [f"{line_of(stamped(entry))}\n" for entry in WRITTEN]
    for number in range(1, len(lines) + 1):
        torn = "".join(f"{line[:40]}{line}" for line in lines[1:number])
        path.write_text(lines[0] + torn + lines[-1][:40])
        whole = account_of(read(str(path)))
        assert account_of(outlines(str(path))) == whole
        assert without_agents(account_of(summary(str(path)))) == without_agents(whole)
        decided = account_of(deciding(str(path), 1 << 20))
        assert (decided.halt, decided.text, decided.last) == (whole.halt, whole.text, whole.last)
        assert decided.questions == whole.questions
        assert whole.pages == sum(entry.event is Event.STEP for entry in WRITTEN[:number])


@pytest.mark.parametrize("seed", range(12))
def test_outlined_journal_of_many_blocks_gives_the_same_account(tmp_path: Path, seed: int) -> None:
    path, choose = tmp_path / "journal.jsonl", random.Random(seed)
    kinds = [Event.STEP, Event.ATTEMPT, Event.REPLIED] * 40 + [Event.FAILED, Event.PAUSED, Event.RESUMED, Event.STOPPED]
    lines = [line_of(stamped(each)) for each in WRITTEN[: seed % 2]]
    for number in range(1500):
        kind, until = choose.choice(kinds), "2026-11-30T00:00:00.000000Z"
        text = "a page\n" * choose.randrange(40) if kind is Event.STEP else "no credit"
        session = Session(folder="/x") if kind is Event.RESUMED else None
        key = "" if session else f"1.{choose.randrange(30)}"
        if seed > 7 and number == 100 * seed:
            kind = Event.CANCELLED
        line = line_of(
            Entry(
                event=kind,
                key=key,
                at=stamp_of(60 * number),
                who=f"x {number}",
                number=number,
                text=text,
                until=until,
                session=session,
            )
        )
        lines.append(line[:50] + line if choose.random() < 0.002 else line)
    path.write_text("\n".join(lines) + "\n")
    assert path.stat().st_size > 3 * BLOCK
    whole, summed = account_of(read(str(path))), list(summary(str(path)))
    assert account_of(outlines(str(path))) == whole
    assert without_agents(account_of(summed)) == without_agents(whole)


def test_summary_of_a_row_of_events_outlines_three_of_them(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text("".join(f"{line_of(stamped(WRITTEN[each]))}\n" for each in (0, 3, 2, 2, 6, 3, 3, 6)))
    begun, first, one, page, more, last = summary(str(path))
    assert (one, more) == (Others(1, 0, 0), Others(0, 2, 1))
    kinds = [each.event for each in (begun, first, page, last) if not isinstance(each, Others)]
    assert kinds == [Event.BEGUN, Event.ATTEMPT, Event.STEP, Event.REPLIED]


AT = '{"event": "step", "key": "1", "at": "2026-11-30T00:00:00.000000Z"}'


@pytest.mark.parametrize(
    "line", ['{"event": "step"}', '{"event": "failed"}', AT.replace("2026", "soon"), f"{AT} {AT[1:]}"]
)
def test_malformed_line_is_reported_by_an_outline_too(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal.jsonl"
    first, *rest = [line_of(stamped(entry)) for entry in (WRITTEN[0], *[WRITTEN[2]] * 40)]
    for before, after in (([], []), (rest, []), ([], rest), (rest, rest)):
        path.write_text("\n".join((first, *before, line, *after, "")))
        for read_all in (outlines,) if after and AT[:30] in line else (outlines, summary):
            with pytest.raises(JournalError, match=rf"journal\.jsonl:{len(before) + 2}:"):
                list(read_all(str(path)))
    assert path.stat().st_size > 6 * BLOCK


def test_driver_that_begins_while_its_run_is_read_is_seen_with_its_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / JOURNAL
    agents = [Entry(event=Event.ATTEMPT, key=f"2.{number}", who="explore", number=1) for number in range(5)]
    path.write_text("".join(f"{line_of(stamped(entry))}\n" for entry in (WRITTEN[0], *agents)))
    with ExitStack() as driver:

        def begun(path: str) -> Iterator[Entry | Outline | Others]:
            driver.enter_context(locked(str(tmp_path / LOCK), 0))
            return summary(path)

        monkeypatch.setattr(status, "summary", begun)
        now = status.standing(str(tmp_path))
    assert (now.state, len(now.account.at_work)) == (State.AT_WORK, 5)


def test_first_line_that_is_too_long_is_reported_by_a_list_of_runs(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"x" * 2 * LONGEST + f"\n{line_of(stamped(WRITTEN[1]))}\n".encode())
    with pytest.raises(JournalError, match=r"journal\.jsonl:1"):
        list(deciding(str(path), 1 << 16))
