"""Ceilings of a run: the user decides before an agent passes one."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve, mutable

from lib.workflow.ast.relay import Answer, NeedsUserInput, UserResponse
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.driver.activities import RunError
from lib.workflow.run.driver.ceilings import HEADER, KEYS, Ceilings
from lib.workflow.run.driver.driver import takes_options_only
from lib.workflow.run.engine import State
from lib.workflow.run.journal.entry import Entry, read_questions, stamp_of
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.journal.projection import account_of
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.spending.usage import NOT_USED, Usage, Used, total, usages, used_by
from tests.run.engines import Locally, Play, Stage, alone, gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.test_conformance import run
from tests.run.test_retries import Clock

START = "python -m skills.problem_analysis.analyze --step 1"
SURVEY = KNOWN.workflows["tests.workflows.survey.run"]


@mutable
class User:
    """A user who always chooses the same option."""

    choice: int = 0
    asked: int = 0
    at_work: Callable[[], int] = lambda: 0

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        assert takes_options_only(key)
        assert not self.at_work()
        self.asked += 1
        (question,) = questions.questions
        return UserResponse((Answer(header=HEADER, text=question.options[self.choice].label),))


def ceilings(
    agents: int = 0,
    minutes: int = 0,
    launched: int = 0,
    seconds: float = 0,
    tokens: int = 0,
    cents: int = 0,
    used: Used = NOT_USED,
) -> Ceilings:
    spec = Spec(workflow="w", start=START, agent="x", max_agents=agents, max_minutes=minutes)
    return Ceilings(evolve(spec, max_tokens=tokens, max_cents=cents), launched, lambda: seconds, used)


def spent(tokens: int, dollars: float = 0) -> Used:
    """Return what one attempt has used."""
    return used_by(Usage(reported=tokens, dollars=dollars))


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        (ceilings(), 0),
        (ceilings(launched=10**6, seconds=10**6), 0),
        (ceilings(agents=3, launched=2), 0),
        (ceilings(agents=3, launched=3), 1),
        (ceilings(agents=3, launched=300), 1),
        (ceilings(minutes=2, seconds=119), 0),
        (ceilings(minutes=2, seconds=120), 1),
        (ceilings(minutes=2, seconds=9_999), 1),
        (ceilings(agents=1, minutes=1, launched=1, seconds=60), 2),
        (ceilings(tokens=100, used=spent(99)), 0),
        (ceilings(tokens=100, used=spent(100)), 1),
        (ceilings(cents=250, used=spent(9, 2.49)), 0),
        (ceilings(cents=250, used=spent(9, 2.5)), 1),
        (ceilings(cents=250, used=spent(9, 999)), 1),
    ],
)
def test_user_is_asked_once_when_a_ceiling_is_reached(given: Ceilings, asked: int) -> None:
    user = User()
    asyncio.run(given.admit("1.1", user.ask))
    assert user.asked == asked


def test_agents_that_start_at_once_do_not_pass_a_ceiling_together() -> None:
    given, at_work, most = ceilings(agents=3), set[str](), list[int]()
    user = User(at_work=lambda: len(at_work))

    async def work(key: str) -> None:
        await given.admit(key, user.ask)
        most.append(user.asked)
        at_work.add(key)
        await asyncio.sleep(0)
        at_work.remove(key)
        given.release(key)

    async def act() -> None:
        await asyncio.gather(*(work(f"1.{number}") for number in range(13)))

    asyncio.run(act())
    assert Counter(most) == {0: 3, 1: 3, 2: 6, 3: 1}


@pytest.mark.parametrize("sizes", [[10] * 40, [7, 10, 3] * 13, [10, 1, 1, 1, 9] * 8], ids=["equal", "mixed", "rare"])
@pytest.mark.parametrize("tokens", [1, 10, 55, 100])
def test_tokens_pass_their_ceiling_by_one_agent_at_most(tokens: int, sizes: list[int]) -> None:
    given, used = ceilings(tokens=tokens), list[int]()

    async def work(key: str, size: int) -> None:
        await given.admit(key, user.ask)
        await asyncio.sleep(0)
        used.append(size)
        given.release(key, spent(size))

    async def act() -> list[BaseException | None]:
        works = (work(f"1.{number}", size) for number, size in enumerate(sizes))
        return await asyncio.gather(*works, return_exceptions=True)

    user = User(choice=1)
    ends = asyncio.run(act())
    assert user.asked == 1
    assert tokens <= sum(used) < tokens + max(sizes)
    assert {type(end) for end in ends} == {type(None), RunError}


def test_attempts_of_unknown_size_do_not_stop_the_others() -> None:
    given, user = ceilings(tokens=100), User()

    async def act() -> None:
        for number in range(3):
            await given.admit(f"1.{number}", user.ask)
            given.release(f"1.{number}")

    asyncio.run(act())
    assert user.asked == 0


def test_user_who_stops_is_asked_once_for_all_agents() -> None:
    given, user = ceilings(agents=1, launched=1), User(choice=1)

    async def act() -> list[object]:
        return [*await asyncio.gather(*(given.admit(f"1.{n}", user.ask) for n in range(5)), return_exceptions=True)]

    ends = asyncio.run(act())
    assert user.asked == 1
    assert {(type(end), getattr(end, "cause", "")) for end in ends} == {(RunError, f"{KEYS}agents1")}


def attempts(play: Play) -> int:
    return sum(each.event is Event.ATTEMPT for each in play.events)


def test_run_pauses_at_its_ceiling_of_agents_and_loses_no_work(stage: Stage, tmp_path: Path) -> None:
    play = evolve(alone(rehearsed(SURVEY, tmp_path)), max_agents=1)
    seen: list[int] = []

    async def act() -> None:
        while (await gone(stage, play)).state is State.WAITING:
            now = await stage.stand(play)
            (asked,) = now.account.questions
            if read_questions(asked.text).questions[0].header == HEADER:
                assert not now.account.at_work
                seen.append(now.account.launched)
            await stage.answer(play, ["1"])
        assert (await stage.stand(play)).state is State.DONE

    run(stage, act)
    assert seen
    assert seen == [2**number for number in range(len(seen))]
    assert {count for _, count in Counter(e.key for e in play.events if e.event is Event.ATTEMPT).items()} == {1}


class Costly:
    """An agent that leaves the files of a program, of 100 tokens and a little more."""

    def __init__(self, play: Play) -> None:
        self._agent = play.cast.agent

    async def work(self, attempt: Attempt) -> str:
        Path(attempt.files.given).write_text("x" * 400)
        return await self._agent.work(attempt)


def tokens_of(play: Play) -> int:
    return total(usages(play.run).values()).tokens


def test_run_pauses_at_its_ceiling_of_tokens_which_each_session_counts(stage: Stage, tmp_path: Path) -> None:
    play = alone(rehearsed(SURVEY, tmp_path))
    play = evolve(play, max_tokens=150, cast=play.cast._replace(agent=Costly(play)))
    seen: list[int] = []

    async def act() -> None:
        while (await gone(stage, play)).state is State.WAITING:
            (asked,) = (await stage.stand(play)).account.questions
            if read_questions(asked.text).questions[0].header == HEADER:
                seen.append(tokens_of(play))
            await stage.answer(play, ["1"])

    run(stage, act)
    most = [150 * 2**number for number in range(len(seen))]
    assert len(seen) > 1
    assert all(ceiling <= used < ceiling + 200 for ceiling, used in zip(most, seen, strict=True))


def test_stopped_run_asks_about_its_ceiling_again(stage: Stage, tmp_path: Path) -> None:
    play = evolve(alone(rehearsed(SURVEY, tmp_path)), max_agents=1)

    async def act() -> None:
        assert (await gone(stage, play)).state is State.WAITING
        await stage.answer(play, ["2"])
        while (await gone(stage, play)).state is State.STOPPED:
            pass
        assert (await stage.stand(play)).state is State.WAITING
        assert (await stage.stand(play)).account.launched == 1

    run(stage, act)
    assert {each.key for each in play.events if each.event is Event.ASKED} == {f"{KEYS}agents1"}


def test_minutes_of_all_sessions_count_by_the_clock_of_the_engine(tmp_path: Path) -> None:
    play, clock = alone(rehearsed(SURVEY, tmp_path)), Clock()
    agent = play.cast.agent

    class Slow:
        async def work(self, attempt: Attempt) -> str:
            clock.time += 61
            return await agent.work(attempt)

    play = evolve(play, max_minutes=1, max_parallel=1, cast=play.cast._replace(agent=Slow(), pace=clock))
    assert asyncio.run(gone(Locally(), play)).state is State.WAITING
    assert attempts(play) == 1


def test_time_until_an_answer_is_not_driven_time() -> None:
    times = [(Event.BEGUN, 0), (Event.STEP, 10), (Event.ASKED, 20), (Event.ANSWERED, 9_000), (Event.RESUMED, 9_500)]
    account = account_of(Entry(event=event, at=stamp_of(at), key="1") for event, at in [*times, (Event.STEP, 9_505)])
    assert account.worked == 25_000
