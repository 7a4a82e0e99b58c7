"""A program as an agent: its input, and its complete end in any case."""

import asyncio
import os
import sys
import textwrap
from pathlib import Path

import pytest

from lib.workflow.run.clients import agents
from lib.workflow.run.clients.agents import Attempt, CommandAgent, CrashError, fenced
from lib.workflow.run.clients.job import Job, ReplyError
from lib.workflow.run.clients.presets import agent_of
from lib.workflow.run.conditions.kinds import Condition, Kind
from lib.workflow.run.processes.capture import PART
from lib.workflow.types import AgentRole, Tier
from tests.gone import is_gone
from tests.wording import carries, elided

JOB = Job(key="1.1", role=AgentRole.DEVELOPER, prompt="Tu das Ünïcode\n", tier=Tier.STRONG)
CASES = {
    "echo": "print(sys.stdin.read().upper(), os.environ['STEPSCRIPT_ATTEMPT'], sys.argv[2:])",
    "latin": "sys.stdout.buffer.write(b'caf\\xe9 \\xff\\x00 done')",
    "flood": "print('the begin'); [sys.stdout.write('x' * 1_000_000) for _ in range(50)]; print('the end')",
    "talk": "print('x' * 800_000)",
    "grumble": "[sys.stderr.write('x' * 1_000_000) for _ in range(50)]; print('done')",
    "flood and fail": "[sys.stdout.write('x' * 1_000_000) for _ in range(50)]; sys.exit('no credit left')",
    "print and fail": "[print('line', number, '\\x1b[0m') for number in range(10)]; sys.exit(7)",
    "print much and fail": "[sys.stdout.write('x' * 1_000_000) for _ in range(5)]; sys.exit(7)",
    "fail at once": "sys.exit(2)",
    "die": "os.kill(os.getpid(), 9)",
    "login": "print('Invalid API key · Please run /login'); sys.exit(1)",
    "limit": "sys.stdout.buffer.write('You\\u2019ve hit your session limit'.encode())",
    "about limits": "print('I read about the usage limit reached by each user.')",
    "fail": "print('half'); sys.exit('no credit left')",
    "deaf": "signal.signal(signal.SIGTERM, signal.SIG_IGN); child(); time.sleep(600)",
    "leaves": "child(); print('done')",
    "daemon": "child(start_new_session=True); time.sleep(600)",
}
SCRIPT = f"""
import os, signal, subprocess, sys, time
def child(**how):
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], **how)
    open(sys.argv[1] + ".pid", "w").write(str(process.pid))
exec({CASES!r}[sys.argv[1].rpartition("/")[2]])
"""


def work(tmp_path: Path, case: str, until: Path | None = None) -> str:
    """Return the result of an attempt; its time is over once a file has content."""

    async def timed() -> str:
        async with asyncio.timeout(60) as limit:
            working = asyncio.ensure_future(agent.work(attempt))
            while until and not (until.exists() and until.read_text()):
                await asyncio.sleep(0.01)
            if until:
                limit.reschedule(asyncio.get_running_loop().time())
            return await working

    words = (sys.executable, "-c", textwrap.dedent(SCRIPT), str(tmp_path / case), "{prompt}")
    agent = CommandAgent(words, ("-W", "ignore:{model}"), {Tier.STRONG: "big"}, cwd=str(tmp_path))
    attempt = Attempt(job=JOB, number=2, folder=str(tmp_path), environment=fenced(str(tmp_path / "fence"), "1.1/1.2"))
    return asyncio.run(timed())


def test_agent_gets_its_prompt_environment_and_arguments(tmp_path: Path) -> None:
    echoed = work(tmp_path, "echo")
    assert echoed.startswith("TU DAS ÜNÏCODE\n")
    assert "/fence=1.1/1.2" in echoed
    assert "['-W', 'ignore:big']" in echoed.replace(f"'{tmp_path / '1.1-2.prompt'}', ", "")
    assert str(tmp_path / "1.1-2.prompt") in echoed


def test_bytes_that_are_not_utf_8_are_decoded_with_replacement(tmp_path: Path) -> None:
    assert work(tmp_path, "latin").endswith("\ufffd\x00 done")


def test_oversized_reply_fails_and_keeps_its_first_and_last_part(tmp_path: Path) -> None:
    with pytest.raises(ReplyError, match=elided("50,000,018 … 200,000")) as caught:
        work(tmp_path, "flood")
    kept = tmp_path / "1.1-2.out"
    assert str(kept) in str(caught.value)
    held = kept.read_text()
    assert len(held) < 2 * PART + 100
    assert held.startswith("the begin\n")
    assert held.endswith("the end\n")
    assert carries(held, f"\n[{50_000_018 - 2 * PART:,} … ]\n")


def test_an_output_that_is_too_long_for_a_reply_is_kept_whole_while_there_is_room(tmp_path: Path) -> None:
    with pytest.raises(ReplyError, match="800,001"):
        work(tmp_path, "talk")
    assert (tmp_path / "1.1-2.out").stat().st_size == 800_001


def test_flood_on_standard_error_is_bounded_and_the_reply_is_kept(tmp_path: Path) -> None:
    assert work(tmp_path, "grumble") == "done\n"
    assert (tmp_path / "1.1-2.errors").stat().st_size < 2 * PART + 100


@pytest.mark.parametrize(
    ("case", "says", "whole"),
    [
        ("fail", "1): no credit left", "errors"),
        ("flood and fail", "1): no credit left", "errors"),
        (
            "print and fail",
            "7): line 5 / line 6 / line 7 / line 8 / line 9",
            "out",
        ),
        ("print much and fail", "7): … xxx", "out"),
        ("fail at once", "2)", ""),
        ("die", "SIGKILL)", ""),
    ],
)
def test_a_program_that_fails_has_crashed_and_says_why(tmp_path: Path, case: str, says: str, whole: str) -> None:
    with pytest.raises(CrashError, match=elided(says)) as caught:
        work(tmp_path, case)
    assert caught.value.condition == Condition(kind=Kind.FAILURE, client="the agent")
    if whole:
        assert str(tmp_path / f"1.1-2.{whole}") in str(caught.value)
    assert len(str(caught.value)) < 600 + len(str(tmp_path))
    assert str(caught.value).isprintable()


def test_known_condition_is_named_with_its_fix(tmp_path: Path) -> None:
    with pytest.raises(CrashError) as caught:
        work(tmp_path, "login")
    assert caught.value.condition == Condition(kind=Kind.LOGIN, client="the agent")
    assert carries(str(caught.value), "1): Invalid API key · Please run /login (")
    assert str(caught.value).endswith(Condition(kind=Kind.LOGIN, client="").fix)


def test_reply_that_is_only_an_error_message_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(CrashError) as caught:
        work(tmp_path, "limit")
    assert caught.value.condition == Condition(kind=Kind.LIMIT, client="the agent")
    assert work(tmp_path, "about limits") == "I read about the usage limit reached by each user.\n"


def test_a_program_that_is_not_there_has_crashed(tmp_path: Path) -> None:
    attempt = Attempt(job=JOB, number=1, folder=str(tmp_path))
    with pytest.raises(CrashError, match="No such file"):
        asyncio.run(CommandAgent(("/no/such/program",)).work(attempt))


def test_late_output_of_an_attempt_of_the_same_number_is_in_no_reply(tmp_path: Path) -> None:
    with open(tmp_path / "1.1-2.out", "wb", buffering=0) as orphan:
        orphan.write(b"mine ")
        echoed = work(tmp_path, "echo")
        orphan.write(b"and more")
    assert (tmp_path / "1.1-2.out").read_text() == echoed
    assert "mine" not in echoed


@pytest.mark.parametrize(
    "case",
    [
        "deaf",
        pytest.param("daemon", marks=pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="cannot be found")),
    ],
)
def test_when_its_time_is_over_it_and_its_children_are_gone(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "GRACE", 0.1)
    pid = tmp_path / f"{case}.pid"
    with pytest.raises(TimeoutError):
        work(tmp_path, case, until=pid)
    assert is_gone(int(pid.read_text()))


def test_children_that_it_leaves_behind_are_gone_with_it(tmp_path: Path) -> None:
    assert work(tmp_path, "leaves") == "done\n"
    assert is_gone(int((tmp_path / "leaves.pid").read_text()))


@pytest.mark.parametrize(
    ("named", "chosen", "says"),
    [
        ("true", ["fast=x"], "{model}"),
        ("claude", ["quick=x"], "fast"),
        ("claude", ["fast"], "TIER=NAME"),
        ("claude", ["fast=--yolo"], "TIER=NAME"),
        ("cluade", [], "claude"),
        ("", [], "claude"),
    ],
)
def test_unknown_agent_or_model_is_refused(named: str, chosen: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=elided(says)):
        agent_of(named, chosen)


def test_a_model_that_the_user_chooses_goes_before_the_clients_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.run.clients.presets.which", lambda name: name)
    assert agent_of("codex", ["strong=o=9"]).models == {Tier.STRONG: "o=9"}
    chosen = agent_of("gemini", ["fast=tiny"]).models
    assert (chosen[Tier.FAST], chosen[Tier.STRONG]) == ("tiny", "pro")
    assert agent_of("my-agent --use '{model}'", ["fast=tiny"]).models == {Tier.FAST: "tiny"}
