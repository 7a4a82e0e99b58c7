"""Attempts at a job: their number, their delays, and the conditions of a client that end or delay them."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from attrs import define, field

from lib.workflow.run.clients.job import Job
from lib.workflow.run.clients.results import CrashError
from lib.workflow.run.conditions.kinds import COURSES, Condition, Course, Kind
from lib.workflow.run.driver.activities import AgentError, Place
from lib.workflow.run.driver.breaker import MOST_FAILURES, Breaker
from lib.workflow.run.driver.pace import LATE, LONGEST, slowed
from lib.workflow.run.driver.retries import MOST_DELAYS, Limits, Retrier, Tries
from lib.workflow.run.journal.entry import Entry, Event, stamp_of
from lib.workflow.run.journal.projection import account_of
from lib.workflow.run.journal.spec import Session
from lib.workflow.run.record import Record
from lib.workflow.types import AgentRole

JOB = Job(key="1.1", role=AgentRole.DEVELOPER, prompt="Do it")
LIMITS = Limits(attempts=3, seconds=60, backoff=2)
NOON = 1_000_000


@define
class Clock:
    """A clock that moves when somebody waits."""

    time: float = NOON
    chance: float = 0.5

    def now(self) -> float:
        return self.time

    async def until(self, moment: float) -> None:
        await asyncio.sleep(0)
        self.time = max(self.time, moment)

    def random(self) -> float:
        return self.chance


@define
class Scripted:
    """A worker whose attempts end as written: a reply, or a condition."""

    ends: Sequence[str | Condition | None]
    clock: Clock = field(factory=Clock)
    begun: list[float] = field(factory=list)
    choices: list[int] = field(factory=list)
    failures: list[int] = field(factory=list)
    pauses: list[float] = field(factory=list)

    async def work(self, number: int, reason: str, choice: int) -> str:
        self.begun.append(self.clock.time)
        self.choices.append(choice)
        await asyncio.sleep(0)
        end = self.ends[min(len(self.begun), len(self.ends)) - 1]
        if isinstance(end, str):
            return end
        raise CrashError("no reply", end)

    def failed(self, number: int, reason: str) -> None:
        self.failures.append(number)

    def paused(self, until: float, reason: str) -> None:
        self.pauses.append(until)

    async def run(self, limits: Limits = LIMITS, *breakers: Breaker) -> str:
        retrier = Retrier(JOB, limits, self, self.clock, breakers or (Breaker(),))
        return (await retrier.run())[1].text


def one(kind: Kind, until: int = 0) -> Condition:
    return Condition(kind=kind, client="x", until=until)


def test_a_failed_attempt_is_made_again_with_growing_delays() -> None:
    worker = Scripted([one(Kind.FAILURE), None, "done"])
    assert asyncio.run(worker.run()) == "done"
    assert [moment - NOON for moment in worker.begun] == [0, 2, 6]
    assert worker.failures == [1, 2]
    assert worker.pauses == []


@pytest.mark.parametrize("kind", [kind for kind in Kind if COURSES[kind] is Course.ASK] + [Kind.LIMIT])
def test_condition_that_no_retry_mends_is_a_question_at_once(kind: Kind) -> None:
    worker = Scripted([one(kind), "done"])
    with pytest.raises(AgentError, match="no reply"):
        asyncio.run(worker.run())
    assert worker.failures == [1]


def test_usage_limit_waits_for_its_end_and_counts_as_no_failure() -> None:
    worker = Scripted([one(Kind.LIMIT, NOON + 3600), one(Kind.FAILURE), None, "done"])
    assert asyncio.run(worker.run()) == "done"
    assert 3600 + LATE <= worker.begun[1] - NOON <= 3600 + 2 * LATE
    assert worker.pauses == [worker.begun[1]]
    assert worker.failures == [1, 2, 3]


def test_usage_limit_is_a_question_for_a_user_who_does_not_wait() -> None:
    worker = Scripted([one(Kind.LIMIT, NOON + 3600), "done"])
    with pytest.raises(AgentError):
        asyncio.run(worker.run(Limits(attempts=3, seconds=60, backoff=2, waits=False)))
    assert worker.begun == [NOON]


@pytest.mark.parametrize("until", [NOON + 60, NOON - 600])
def test_usage_limit_that_never_ends_is_a_question(until: int) -> None:
    worker = Scripted([one(Kind.LIMIT, until)])
    with pytest.raises(AgentError, match=rf"\b{MOST_DELAYS + 1}\b"):
        asyncio.run(worker.run())
    assert len(worker.begun) == MOST_DELAYS + 1


def test_overload_is_tried_again_after_growing_random_delays() -> None:
    worker = Scripted([one(Kind.OVERLOAD)])
    with pytest.raises(AgentError, match=rf"\b{MOST_DELAYS + 1}\b"):
        asyncio.run(worker.run())
    delays = [after - before for before, after in pairwise(worker.begun)]
    assert len(delays) == MOST_DELAYS
    assert all(later > earlier for earlier, later in pairwise(delays))
    assert worker.pauses == worker.begun[1:]
    assert {slowed(3, 2, chance) for chance in (0, 1)} == {32, 64}
    assert slowed(50, 2, 1) == 2 * LONGEST


def test_agents_of_a_limited_client_wait_and_others_go_on() -> None:
    clock = Clock()
    limited, free = Breaker(), Breaker()
    first = Scripted([one(Kind.LIMIT, NOON + 3600), "first"], clock)
    second, other = Scripted(["second"], clock), Scripted(["other"], clock)

    async def run() -> list[str]:
        begun = asyncio.ensure_future(first.run(LIMITS, limited))
        while not first.failures:
            await asyncio.sleep(0)
        others = (other.run(LIMITS, free), second.run(LIMITS, limited))
        return [*[await each for each in others], await begun]

    assert asyncio.run(run()) == ["other", "second", "first"]
    assert second.begun[0] - NOON >= 3600
    assert len(second.pauses) <= 1


def test_client_that_fails_every_time_is_a_question_after_each_attempt() -> None:
    breaker, clock = Breaker(), Clock()
    workers = [Scripted([one(Kind.FAILURE)], clock) for _ in range(4)]

    async def run() -> None:
        for worker in workers:
            with pytest.raises(AgentError):
                await worker.run(LIMITS, breaker)

    asyncio.run(run())
    assert [len(worker.begun) for worker in workers] == [3, 2, 1, 1]
    assert sum(len(worker.begun) for worker in workers[:2]) == MOST_FAILURES


def test_a_reply_shows_that_the_client_works() -> None:
    breaker = Breaker(failures=MOST_FAILURES - 1)
    assert asyncio.run(Scripted(["done"]).run(LIMITS, breaker)) == "done"
    assert breaker.failures == 0


@pytest.mark.parametrize("paused", [True, False])
def test_resumed_run_counts_no_failure_that_a_pause_followed(paused: bool) -> None:
    now = Session(folder="/x")
    events = [
        Entry(event=Event.BEGUN, session=now, text='{"workflow": "x", "start": "python -m x", "agent": "y"}'),
        Entry(event=Event.ATTEMPT, key="1.1", number=1),
        Entry(event=Event.FAILED, key="1.1", number=1, text="a limit"),
    ]
    if paused:
        events.append(Entry(event=Event.PAUSED, key="1.1", until=stamp_of(NOON), text="a limit"))
        (pause,) = account_of(events).pauses
        assert (pause.key, pause.until, pause.why) == ("1.1", stamp_of(NOON), "a limit")
    assert Record(events, now).tries("1.1") == Tries(last=1, failed=int(not paused), why="a limit")
    after = [*events, Entry(event=Event.ATTEMPT, key="1.1", number=2)]
    assert account_of(after).pauses == ()
    assert len(account_of(after).at_work) == 1


@pytest.mark.parametrize("kind", [Kind.LOGIN, Kind.MODEL, Kind.CREDIT, Kind.PERMISSION, Kind.LIMIT, Kind.OVERLOAD])
def test_next_client_does_the_work_that_the_preferred_one_cannot(kind: Kind) -> None:
    breakers, clock = (Breaker(), Breaker()), Clock()
    until = NOON + 3600 if kind is Kind.LIMIT else 0
    first, second = Scripted([one(kind, until), "done"], clock), Scripted(["done"], clock)
    assert asyncio.run(first.run(LIMITS, *breakers)) == "done"
    assert first.choices == [0, 1]
    assert clock.time == NOON
    assert asyncio.run(second.run(LIMITS, *breakers)) == "done"
    assert second.choices == [1]
    clock.time += 2 * 3600
    third = Scripted(["done"], clock)
    assert asyncio.run(third.run(LIMITS, *breakers)) == "done"
    assert third.choices == [0 if kind in (Kind.LIMIT, Kind.OVERLOAD) else 1]


def test_agents_wait_for_the_limit_that_ends_first() -> None:
    breakers = (Breaker(), Breaker())
    worker = Scripted([one(Kind.LIMIT, NOON + 7200), one(Kind.LIMIT, NOON + 3600), "done"])
    assert asyncio.run(worker.run(LIMITS, *breakers)) == "done"
    assert worker.choices == [0, 1, 1]
    assert worker.begun[1] == NOON
    assert NOON + 3600 < worker.begun[2] < NOON + 7200


def test_client_that_always_fails_is_replaced_by_the_next() -> None:
    breakers = (Breaker(failures=MOST_FAILURES - 1), Breaker())
    worker = Scripted([one(Kind.FAILURE), "done"])
    assert asyncio.run(worker.run(LIMITS, *breakers)) == "done"
    assert worker.choices == [0, 1]


def test_user_is_asked_when_no_client_is_left_and_all_are_tried_after_that() -> None:
    breakers = (Breaker(), Breaker())
    worker = Scripted([one(Kind.LOGIN), one(Kind.CREDIT)])
    with pytest.raises(AgentError):
        asyncio.run(worker.run(LIMITS, *breakers))
    assert worker.choices == [0, 1]
    again = Scripted(["done"])
    assert asyncio.run(again.run(LIMITS, *breakers)) == "done"
    assert again.choices == [0]


def test_limit_of_the_last_client_is_a_question_without_waiting() -> None:
    breakers, limits = (Breaker(), Breaker()), Limits(attempts=3, seconds=60, backoff=2, waits=False)
    worker = Scripted([one(Kind.LIMIT, NOON + 3600)])
    with pytest.raises(AgentError):
        asyncio.run(worker.run(limits, *breakers))
    assert worker.choices == [0, 1]
    assert worker.begun == [NOON] * 2


def test_agent_that_waits_for_its_client_leaves_its_place_to_another() -> None:
    free, order = asyncio.Semaphore(1), list[str]()

    class Slow(Clock):
        async def until(self, moment: float) -> None:
            for _ in range(20):
                await asyncio.sleep(0)
            self.time = max(self.time, moment)

    async def work(name: str, worker: Scripted) -> None:
        place = Place(free)
        await place.take()
        await Retrier(JOB, LIMITS, worker, worker.clock, (Breaker(),), place).run()
        order.append(f"{name} {free.locked()}")
        place.leave()

    async def act() -> None:
        limited = Scripted((one(Kind.LIMIT, NOON + 3600), "done"), clock=Slow())
        await asyncio.gather(work("limited", limited), work("other", Scripted(("done",))))

    asyncio.run(act())
    assert order == ["other True", "limited True"]
    assert not free.locked()


def test_cancelled_agent_that_waits_gives_no_place_back_twice() -> None:
    class Never(Clock):
        async def until(self, moment: float) -> None:
            await asyncio.Event().wait()

    async def act() -> int:
        free = asyncio.Semaphore(1)
        place = Place(free)
        await place.take()
        worker = Scripted((one(Kind.LIMIT, NOON + 3600),), clock=Never())
        task = asyncio.ensure_future(Retrier(JOB, LIMITS, worker, worker.clock, (Breaker(),), place).run())
        while not worker.pauses:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        place.leave()
        await free.acquire()
        return free._value

    assert asyncio.run(act()) == 0
