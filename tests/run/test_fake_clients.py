"""A run whose client shows a condition: what the driver does, and what the user reads."""

import asyncio
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.runs.driving import sample_command
from lib.workflow.ast.parse import parse
from lib.workflow.command.quoting import join
from lib.workflow.run.clients import results
from lib.workflow.run.clients.presets import agent_of
from lib.workflow.run.conditions.kinds import Condition, Course, Kind
from lib.workflow.run.engine import Ended, LocalEngine, Spec, State, entries
from lib.workflow.run.journal.journal import Entry, Event
from lib.workflow.run.pool import Cast
from lib.workflow.run.processes.capture import PART
from lib.workflow.run.steps import in_this_process
from tests.run.recorded_outputs import Recorded, recorded
from tests.run.runs import KNOWN
from tests.run.test_envelope import envelope
from tests.run.test_retries import Clock
from tests.wording import carries

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
FAKE = Path(__file__).parent / "fake_client.py"
NOW = datetime(2026, 11, 29, 21, tzinfo=UTC)
REPLY = {"do": "say", "out": "Done.\nWAY: 1\n", "errors": "", "status": 0}
ONE_EACH = {(each.client, each.kind): each for each in recorded()}
"""One output for each client and condition."""


def put(folder: Path, monkeypatch: pytest.MonkeyPatch, client: str, plan: list[dict[str, object]]) -> None:
    """Put a fake of a client on the path."""
    (folder / "bin").mkdir(exist_ok=True)
    fake = folder / "bin" / client
    # a shell starts it: the first line of a script cannot name a Python whose path has a blank
    words = join((sys.executable, "-IS", str(FAKE), str(fake)))
    fake.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    fake.chmod(0o700)
    Path(f"{fake}.plan").write_text(json.dumps(plan))
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")


def run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, client: str, plan: list[dict[str, object]], waits: bool = True
) -> tuple[Ended, tuple[Entry, ...]]:
    """Return the end of a run whose client does each thing of the plan in turn, and the events."""
    put(folder, monkeypatch, client, plan)
    monkeypatch.setattr(results, "local_time", lambda: NOW)
    start = sample_command(ANALYSIS, "It hangs", str(folder))
    spec = Spec(workflow=ANALYSIS.name, start=str(start), agent=client)
    cast = Cast(
        agent=agent_of(client, cwd=str(folder), packages=["skills"]),
        run_step=in_this_process,
        seconds=1 if plan[0]["do"] == "hang" else None,
        waits=waits,
        pace=Clock(NOW.timestamp()),
    )
    ended = asyncio.run(LocalEngine(KNOWN, cast).go(str(folder / "driver"), spec))
    return ended, entries(str(folder / "driver"))


def said(each: Recorded) -> dict[str, object]:
    return {"do": "say", "out": each.out, "errors": each.errors, "status": each.status}


@pytest.mark.parametrize("each", ONE_EACH.values(), ids=str)
def test_run_reacts_to_the_condition_of_its_client(
    each: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, events = run(tmp_path, monkeypatch, each.client, [said(each), REPLY])
    until = round(each.until.timestamp()) if each.until else 0
    condition = Condition(kind=Kind(each.kind), client=each.client, until=until)
    (failure,) = [event for event in events if event.event is Event.FAILED]
    assert failure.text.startswith(condition.sentence)
    assert failure.text.endswith(condition.fix)
    assert f"{tmp_path}/driver/agents/1.thinks-1." in failure.text
    pauses = [event for event in events if event.event is Event.PAUSED]
    if condition.course is Course.ASK:
        assert ended.state is State.WAITING
        assert condition.sentence in ended.text
        assert [event.number for event in events if event.event is Event.ATTEMPT] == [1]
    else:
        assert ended.state is State.DONE
        assert len(pauses) == (condition.course in (Course.WAIT, Course.SLOW))
    if until:
        assert datetime.fromisoformat(pauses[0].until).timestamp() > until


def test_limit_is_a_question_without_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = next(each for each in recorded() if each.until)
    ended, _ = run(tmp_path, monkeypatch, limit.client, [said(limit), REPLY], waits=False)
    assert ended.state is State.WAITING
    assert f"until {limit.until:%Y-%m-%d %H:%M} UTC" in ended.text
    assert parse(ended.text).blocks


@pytest.mark.parametrize(
    ("step", "reasons"),
    [
        (REPLY, []),
        (REPLY | {"out": "\x1b]0;claude\x07\x1b[1mDone.\x1b[0m\r\n\x1b[32mWAY: 1\x1b[0m\r\n"}, []),
        (REPLY | {"out": envelope("Done.\nWAY: 1\n")}, []),
        (
            REPLY | {"out": envelope("It broke", is_error=True)},
            ["): It broke ("],
        ),
        (REPLY | {"do": "hang"}, ["1 … ): Thinking ("]),
        (REPLY | {"do": "crash"}, ["claude … SIGABRT"]),
        (REPLY | {"do": "flood"}, ["4,000,013 … 200,000"]),
        (REPLY | {"do": "flood", "status": 3}, ["/"]),
        (REPLY | {"out": "I could not decide"}, ["`WAY: n`"]),
    ],
    ids=[
        "success",
        "colours",
        "JSON",
        "error as JSON",
        "hang",
        "crash",
        "flood",
        "flood and fail",
        "no answer",
    ],
)
def test_run_goes_on_after_an_attempt_that_went_wrong(
    step: dict[str, object], reasons: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, events = run(tmp_path, monkeypatch, "claude", [step, REPLY])
    assert ended.state is State.DONE
    failures = [event.text for event in events if event.event is Event.FAILED]
    assert [carries(failure, reason) for reason, failure in zip(reasons, failures, strict=True)] == [True] * len(
        reasons
    )
    assert all(path.stat().st_size < 3 * PART for path in (tmp_path / "driver" / "agents").iterdir())


def test_client_that_always_fails_is_a_question_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, events = run(tmp_path, monkeypatch, "claude", [REPLY | {"errors": "no such option", "status": 2}])
    assert ended.state is State.WAITING
    assert carries(ended.text, "2): no such option")
    assert len([event for event in events if event.event is Event.ATTEMPT]) == 3


def test_reason_is_in_the_driver_s_message_in_status_and_in_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    put(tmp_path, monkeypatch, "claude", [said(ONE_EACH["claude", Kind.LOGIN])])
    assert main(["run", "problem-analysis", "It hangs"]) == 3
    for words in ([], ["status"], ["logs"], ["logs", "--agent", "1.thinks"], ["status", "--json"]):
        if words:
            main(words)
        shown = capsys.readouterr().out
        assert carries(shown, "1)")
        assert "/driver/agents/1.thinks-1.out)" in shown
        assert "claude auth login" in shown


@pytest.mark.parametrize("kind", [Kind.LIMIT, Kind.LOGIN])
def test_second_client_goes_on_when_the_first_one_cannot(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(results, "local_time", lambda: NOW)
    put(tmp_path, monkeypatch, "codex", [said(ONE_EACH["codex", kind])])
    put(tmp_path, monkeypatch, "claude", [REPLY])
    assert main(["run", "problem-analysis", "It hangs", "--agent", "codex,claude", "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["text"] for each in events if each["event"] == Event.ATTEMPT] == ["codex", *["claude"] * 5]
    assert [each["event"] for each in events if each["event"] == Event.FAILED] == [Event.FAILED]


def test_role_has_its_own_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    put(tmp_path, monkeypatch, "codex", [REPLY])
    put(tmp_path, monkeypatch, "claude", [said(ONE_EACH["claude", Kind.LOGIN])])
    agents = ("--agent", "orchestrator=codex", "--agent", "claude")
    assert main(["run", "problem-analysis", "It hangs", *agents]) == 0
    assert main(["run", "problem-analysis", "It hangs", *agents, "--agent", "gemini"]) == 2
    assert "codex,claude" in capsys.readouterr().err
