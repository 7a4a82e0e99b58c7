"""Fence of a job that several processes may try: only the latest attempt counts, in any order of starts and ends."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.errors import RefusedError
from lib.workflow.run.clients.agents import CrashError
from lib.workflow.run.clients.job import Job
from lib.workflow.run.temporal.host.memory import Memory, Turns
from lib.workflow.state import attempts as fence
from lib.workflow.types import AgentRole

JOB = Job(key="4.2", role=AgentRole.DEVELOPER, prompt="Build it")
FIRST, SECOND = (datetime(2026, 1, 1, 0, 0, second, tzinfo=UTC) for second in (1, 2))


def counts(memory: Turns, token: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return True if an attempt may write."""
    monkeypatch.setenv(fence.VARIABLE, fence.variable(memory.fence, token))
    try:
        fence.check_attempt()
    except RefusedError:
        return False
    return True


def test_the_latest_attempt_counts_until_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(str(tmp_path), JOB).turns
    first, second = memory.token(FIRST), memory.token(SECOND)
    assert not memory.admit(first)
    assert counts(memory, first, monkeypatch)
    assert memory.admit(second)
    memory.close(first)
    assert not counts(memory, first, monkeypatch)
    assert counts(memory, second, monkeypatch)
    memory.close(second)
    assert not counts(memory, second, monkeypatch)


@pytest.mark.parametrize("ended", [True, False])
def test_late_attempt_is_refused(ended: bool, tmp_path: Path) -> None:
    memory = Memory(str(tmp_path), JOB).turns
    memory.admit(memory.token(SECOND))
    if ended:
        memory.close(memory.token(SECOND))
    with pytest.raises(CrashError):
        memory.admit(memory.token(FIRST))


def test_a_reply_is_remembered_for_its_very_job(tmp_path: Path) -> None:
    memory = Memory(str(tmp_path), JOB)
    memory.turns.admit(memory.turns.token(FIRST))
    memory.keep("done")
    assert Memory(str(tmp_path), JOB).reply() == "done"
    assert Memory(str(tmp_path), evolve(JOB, prompt="Build another")).reply() is None
    Path(memory.folder, "4.2.reply").write_text("{torn")
    assert Memory(str(tmp_path), JOB).reply() is None
