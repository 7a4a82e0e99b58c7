"""Runs whose client limits, floods and crashes, whose drivers are killed and doubled, and whose user answers twice."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from lib.workflow.run import answers
from lib.workflow.run.driver.ceilings import HEADER
from lib.workflow.run.driver.jobs import first_key
from lib.workflow.run.engine import State, entries
from lib.workflow.run.journal.entry import read_questions, read_response
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.journal.status import standing
from tests.gone import is_gone
from tests.run.soak_client import PRICE
from tests.run.soak_driver import AGENTS, ASKING, BUSY, STEPS, WAYS

MOST = 80
"""Maximum sessions of a run; each may be killed."""
NOTE = """
import sys
from lib.workflow.run import answers
from lib.workflow.run.journal.status import standing
run, key, choice = sys.argv[1:]
sys.stdin.readline()
try:
    now = standing(run).account
    answers.note(run, *answers.response(now, [choice]))
except ValueError:
    sys.exit(1)
"""
"""An answer of the user, as soon as a line is read."""
_AMOUNTS = re.compile(r"has used \$([\d.]+)\. Its ceiling is \$([\d.]+)")
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system shows no environments")


def driver(folder: Path, seed: int) -> "subprocess.Popen[str]":
    words = (sys.executable, "-m", "tests.run.soak_driver", str(folder), str(seed))
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def session(folder: Path, seed: int, random: Random) -> None:
    """Drive the run by one process, or by two at once, which may be killed after a moment."""
    drivers = [driver(folder, seed) for _ in range(1 + (random.random() < 0.25))]
    for each in drivers:
        try:
            each.wait(random.random() * 3 + 0.3 if random.random() < 0.5 else 300)
        except subprocess.TimeoutExpired:
            each.kill()
        errors = each.communicate()[1]
        assert each.returncode in (0, BUSY, -9), errors


def answer(run: str, random: Random) -> None:
    """Answer the open question, by one process or by two at once, of which exactly one may succeed."""
    question = standing(run).account.questions[0]
    asked = read_questions(question.text).questions[0]
    if asked.header == HEADER:
        found = _AMOUNTS.search(asked.text)
        assert found
        assert float(found[1]) < float(found[2]) + PRICE
    choices = (
        [str(1 + random.randrange(2)), "1"][: 1 + (random.random() < 0.5)] if asked.header == "Way" else ["1", "1"]
    )
    words = (sys.executable, "-c", NOTE, run, question.key)
    users = [subprocess.Popen((*words, choice), stdin=subprocess.PIPE) for choice in choices]
    for user in users:
        assert user.stdin
        user.stdin.write(b"\n")
        user.stdin.flush()
    for user in users:
        user.communicate()
    taken = [each for each in entries(run) if (each.event, each.key) == (Event.ANSWERED, question.key)]
    assert len(taken) == 1
    assert 0 in {user.returncode for user in users}


def test_second_of_two_answers_at_once_is_refused(tmp_path: Path) -> None:
    run = str(tmp_path / "driver")
    while not entries(run) or standing(run).state is not State.WAITING:
        session(tmp_path, 0, Random(0))
    key, said = answers.response(standing(run).account, ["1"])
    answers.note(run, key, said)
    with pytest.raises(ValueError):  # noqa: PT011 - the journal shows that it was not taken
        answers.note(run, key, said)
    assert [each.key for each in entries(run) if each.event is Event.ANSWERED] == [key]


@needs_proc
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 200))])
def test_run_ends_the_same_whatever_happens_to_its_client_drivers_and_user(tmp_path: Path, seed: int) -> None:
    random, run = Random(seed), str(tmp_path / "driver")
    for _ in range(MOST):
        session(tmp_path, seed, random)
        if not entries(run):  # killed before it had begun
            continue
        now = standing(run)
        if now.state is State.DONE:
            break
        if now.state is State.WAITING:
            answer(run, random)
    events = entries(run)
    assert events[-1].event is Event.DONE
    replies = {first_key(each.key): each.text.strip() for each in events if each.event is Event.REPLIED}
    wanted = [f"{step}.{number}" for step in range(1, STEPS + 1) if step != ASKING for number in range(1, AGENTS + 1)]
    assert replies == {key: f"answer of {key}" for key in wanted}
    results = Counter(each.key for each in events if each.event in (Event.REPLIED, Event.ANSWERED))
    assert set(results.values()) == {1}
    (way,) = (
        read_response(each.text) for each in events if each.key == f"{ASKING}.asks" and each.event is Event.ANSWERED
    )
    assert way.answers[0].text in WAYS
    assert [pid for pid in marked(run) if not is_gone(pid, 5)] == []


def marked(run: str) -> list[int]:
    """Return the processes of a run's agents."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", name, "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(f"STEPSCRIPT_ATTEMPT={run}/") in environment:
            found.append(int(name))
    return found
