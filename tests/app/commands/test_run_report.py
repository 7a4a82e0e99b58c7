"""`stepscript report` of driven runs."""

import base64
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from attrs import evolve
from lxml import html

from lib.workflow.app.main import main
from lib.workflow.run.journal.entry import Entry, Event, line_of, stamp_of
from lib.workflow.run.journal.history import entries
from lib.workflow.run.journal.journal import JOURNAL, LOCK
from lib.workflow.state.locks import locked
from tests.run.test_envelope import envelope

HOSTILE = "<script>x</script> \x1b[31m \u202egnp.exe\u202c \x9b [a](javascript:x) ![i](https://x.y/z)"
KINDS = {"script", "img", "iframe", "object", "embed", "form", "link", "base"}
ASKED = (
    '<needs_user_input><question header="Way"><text>Which way?</text>'
    '<option label="a"/><option label="b"/></question></needs_user_input>'
)
NOON = 1_700_000_000.0
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished run of a skill without a report of its own."""
    folder = tmp_path_factory.mktemp("sample") / "run"
    assert main(["rehearse", "deepthink", "--keep", str(folder)]) == 0
    return folder


@pytest.fixture
def rewritten(sample: Path) -> Iterator[Callable[[Iterable[Entry]], Path]]:
    """Return a function that writes events after the run's start, without touching its marks."""
    begun = entries(str(sample / "driver"))[0]
    before = (sample / "driver" / JOURNAL).read_bytes()

    def write(events: Iterable[Entry]) -> Path:
        lines = [evolve(begun, at=stamp_of(NOON)), *events]
        (sample / "driver" / JOURNAL).write_text("".join(f"{line_of(each)}\n" for each in lines))
        return sample

    yield write
    (sample / "driver" / JOURNAL).write_bytes(before)


def step(key: int, at: float, text: str = "") -> Entry:
    return Entry(event=Event.STEP, key=str(key), who=f"skill {key}/9 Title", text=text, at=stamp_of(NOON + at))


def event(kind: Event, key: str, at: float, text: str = "", number: int = 1) -> Entry:
    return Entry(event=kind, key=key, who="developer", text=text, number=number, at=stamp_of(NOON + at))


def report_of(folder: Path, capsys: Captured, *words: str) -> html.HtmlElement:
    capsys.readouterr()
    assert main(["report", str(folder), *words]) == 0
    return html.document_fromstring(Path(capsys.readouterr().out.strip()).read_text())


def facts(root: html.HtmlElement) -> dict[str, str]:
    return {each.findtext("dt"): each.findtext("dd") for each in root.xpath("//dl/div")}


def test_report_has_the_verdict_first_then_numbers_timeline_and_replies(sample: Path, capsys: Captured) -> None:
    root = report_of(sample, capsys)
    first = root.xpath("//h1/following-sibling::*")[0]
    assert first.get("class") == "labelled good"
    assert len(list(root.iter("h2"))) == 3
    shown = facts(root)
    assert int(shown["Attempts"]) == len(root.xpath("//*[local-name()='rect']"))
    assert int(shown["Pages"]) == len(list(root.iter("h3")))
    assert len(root.xpath("//main//details")) == int(shown["Attempts"]) + int(shown["Pages"])


@pytest.mark.parametrize(
    ("events", "label", "says", "bars"),
    [
        ((event(Event.ASKED, "1.asks1", 2, ASKED),), "Waiting", "Which way?", "bar open"),
        ((), "Interrupted", "resume", "bar open"),
        ((event(Event.STOPPED, "", 2, "no login"),), "Stopped", "no login", "bar open"),
        ((event(Event.CANCELLED, "", 2),), "Cancelled", "cancelled", "bar open"),
        ((event(Event.REPLIED, "1.1", 2), event(Event.DONE, "", 2)), "Done", "done", "bar good"),
    ],
)
def test_verdict_says_the_state_and_why(
    events: Iterable[Entry],
    label: str,
    says: str,
    bars: str,
    rewritten: Callable[[Iterable[Entry]], Path],
    capsys: Captured,
) -> None:
    root = report_of(rewritten([step(1, 1), event(Event.ATTEMPT, "1.1", 1), *events]), capsys)
    first = root.xpath("//h1/following-sibling::*")[0]
    assert first.findtext("p") == label
    assert says in first.text_content()
    assert [each.get("class") for each in root.xpath("//*[local-name()='rect']")] == [bars]


def test_run_at_work_is_drawn_until_now(rewritten: Callable[[Iterable[Entry]], Path], capsys: Captured) -> None:
    folder = rewritten([step(1, 1), event(Event.ATTEMPT, "1.1", 1)])
    with locked(str(folder / "driver" / LOCK), 1):
        root = report_of(folder, capsys)
    assert root.xpath("//h1/following-sibling::*")[0].get("class") == "labelled open"
    assert root.xpath("//*[local-name()='svg']/*[local-name()='text']")[1].text.startswith("… developer 1.1")


def test_project_without_runs_says_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report"]) == 2
    assert "stepscript run" in capsys.readouterr().err


def test_time_of_work_leaves_out_the_time_between_sessions(
    rewritten: Callable[[Iterable[Entry]], Path], capsys: Captured
) -> None:
    folder = rewritten(
        [
            step(1, 1),
            event(Event.ATTEMPT, "1.1", 1),
            event(Event.STOPPED, "", 5, "no login"),
            Entry(event=Event.RESUMED, at=stamp_of(NOON + 10_000)),
            event(Event.ATTEMPT, "1.1", 10_000, number=2),
            event(Event.FAILED, "1.1", 10_002, "its reply is empty", 2),
            event(Event.ATTEMPT, "1.1", 10_002, number=3),
            event(Event.REPLIED, "1.1", 10_005, "| a | b |\n|---|---|\n| 1 | 2 |", 3),
            event(Event.STOPPED, "", 10_005, "no <b>way</b>"),
        ]
    )
    root = report_of(folder, capsys)
    assert "10 s" in facts(root).values()
    assert root.xpath("//h1/following-sibling::*")[0].get("class") == "labelled bad"
    assert "no <b>way</b>" in root.xpath("//h1/following-sibling::*")[0].text_content()
    bars = root.xpath("//*[local-name()='rect']")
    assert [each.get("class") for each in bars] == ["bar open", "bar bad", "bar good"]
    assert [each.get("width") for each in bars] == ["40.00%", "20.00%", "30.00%"]
    assert len(root.xpath("//details//table")) == 1


@pytest.mark.parametrize("place", [Event.STEP, Event.REPLIED, Event.FAILED, Event.LOST, Event.PAUSED, Event.STOPPED])
def test_no_text_of_others_becomes_a_part_of_the_report(
    place: Event, rewritten: Callable[[Iterable[Entry]], Path], capsys: Captured
) -> None:
    until = stamp_of(NOON + 9) if place is Event.PAUSED else ""
    harmful = evolve(event(place, "1" if place is Event.STEP else "1.1", 3, HOSTILE), until=until)
    root = report_of(rewritten([step(1, 1), event(Event.ATTEMPT, "1.1", 1), harmful]), capsys)
    assert not {element.tag for element in root.iter()} & KINDS
    assert all(link.startswith(("#", "https:")) for _, _, link, _ in root.iterlinks())
    assert not {"\x1b", "\x9b", "\u202e"} & set(root.text_content())
    assert "<script>x</script>" in root.xpath("//main")[0].text_content()


def test_report_of_another_users_run_shows_no_command_and_no_page(
    sample: Path, tmp_path: Path, capsys: Captured
) -> None:
    os.rename(sample / "driver" / "begun-here", tmp_path / "begun-here")
    try:
        root = report_of(sample, capsys, "--output", str(tmp_path / "r.html"))
    finally:
        os.rename(tmp_path / "begun-here", sample / "driver" / "begun-here")
    assert " -m skills" not in root.text_content()
    assert f"trust {sample}" in root.xpath("//h1/following-sibling::*")[0].text_content()


def test_report_of_many_agents_stays_small_and_draws_each(
    rewritten: Callable[[Iterable[Entry]], Path], capsys: Captured
) -> None:
    agents = range(500)
    folder = rewritten(
        [
            step(1, 1),
            *(event(Event.ATTEMPT, f"1.{n}", 1) for n in agents),
            *(event(Event.REPLIED, f"1.{n}", 2 + n, "- a **b**\n" * 8_000) for n in agents),
        ]
    )
    root = report_of(folder, capsys)
    assert len(root.xpath("//*[local-name()='rect']")) == len(agents)
    assert int(root.xpath("//*[local-name()='svg']")[0].get("height")) < 3_000
    assert (folder / "report.html").stat().st_size < 6_000_000
    assert len(root.xpath("//details//li")) < 50_000


def test_report_shows_tokens_and_price_by_phase_page_and_agent(
    rewritten: Callable[[Iterable[Entry]], Path], capsys: Captured
) -> None:
    pages = [evolve(step(1, 1), who="skill 1/9 plan-code: Title"), event(Event.ATTEMPT, "1.1", 1)]
    folder = rewritten([*pages, step(2, 2), event(Event.ATTEMPT, "2.1", 2), event(Event.DONE, "", 3)])
    files = folder / "driver" / "agents"
    for key in ("1.1", "2.1"):
        (files / f"{key}-1.prompt").write_text("x" * 4000)
        (files / f"{key}-1.out").write_text(envelope("done", total_cost_usd=0.25) if key == "2.1" else "")
    root = report_of(folder, capsys)
    numbers = facts(root)
    assert (numbers["Price"], numbers["plan-code"], numbers["skill"]) == ("$0.25", "~1,000 tokens", "10 tokens, $0.25")
    assert numbers["Tokens"] == "~1,010"
    agents = [each.text for each in root.xpath("//main//details/summary") if "developer" in each.text]
    assert [text.rpartition(" s, ")[2] for text in agents] == ["~1,000 tokens", "10 tokens, $0.25"]
    for key in ("1.1", "2.1"):
        (files / f"{key}-1.prompt").unlink()
        (files / f"{key}-1.out").unlink()


@pytest.mark.parametrize(
    ("end", "status"), [((Event.DONE, ""), 0), ((Event.STOPPED, ""), 1), ((Event.ASKED, ASKED), 3), (None, 130)]
)
def test_watched_report_loads_itself_until_the_run_stops(
    end: tuple[Event, str] | None,
    status: int,
    rewritten: Callable[[Iterable[Entry]], Path],
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin = [step(1, 1), event(Event.ATTEMPT, "1.1", 1)]
    folder, seen = rewritten(begin), list[bool]()
    page = folder / "report.html"

    def goes_on(run: str) -> Iterator[None]:
        while True:
            root = html.document_fromstring(page.read_text())
            policy = next(each for each in root.iter("meta") if each.get("http-equiv")).get("content") or ""
            (script,) = root.iter("script")
            digest = base64.b64encode(hashlib.sha256((script.text or "").encode()).digest()).decode()
            seen.append(f"script-src 'sha256-{digest}'" in policy)
            if len(seen) == 2:
                held.close()
                rewritten([*begin, *([event(end[0], "1.asks1", 2, end[1])] if end else [])])
            yield

    held = ExitStack()
    held.enter_context(locked(os.path.join(folder, "driver", LOCK), 0))
    monkeypatch.setattr("lib.workflow.app.commands.report.changes_at", goes_on)
    capsys.readouterr()
    assert main(["report", str(folder), "--watch"]) == status
    assert capsys.readouterr().out.strip() == str(page)
    assert seen == [True, True]
    assert not KINDS & {each.tag for each in html.document_fromstring(page.read_text()).iter()}


def test_run_that_an_agent_leads_cannot_be_watched_in_a_report(tmp_path: Path, capsys: Captured) -> None:
    assert main(["report", "--state-dir", str(tmp_path), "--watch"]) == 2
    assert "--watch" in capsys.readouterr().err
