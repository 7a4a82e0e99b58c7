"""The activities of a run on its host: steps use the host's queue, agents the queue of their role there."""

import asyncio
from collections import deque
from collections.abc import Sequence
from datetime import timedelta
from typing import Final, TypeVar

from attrs import evolve
from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError, FailureError, RetryState, is_cancelled_exception
from temporalio.workflow import ActivityCancellationType

from ...ast.relay import NeedsUserInput, UserResponse
from ...command import Command
from ...render.xml import render
from ...types import AgentRole
from ..clients.agents import CrashError
from ..clients.job import Job, Reply
from ..driver.activities import AgentError, Place, Printed, RunError
from ..driver.breaker import Breakers
from ..driver.ceilings import KEYS, Ceilings
from ..driver.driver import Cursor
from ..driver.retries import Retrier
from ..graphs import Pinned
from ..journal.entry import stamp
from ..journal.journal import Entry, Event, stamp_of
from ..journal.projection import HALTS, Question, milliseconds
from ..local import read_questions, read_response, title_of
from ..spending.usage import NOT_USED, Used
from ..steps import LONGEST as LONGEST_STEP
from .memo import details, facts_at, short
from .wire import (
    ATTEMPT,
    ELSEWHERE,
    END,
    STEP,
    USER,
    AttemptCall,
    Ending,
    Heard,
    Launch,
    Lost,
    Said,
    StepCall,
    StepSaid,
)

MOST_HEARD: Final = 256
"""Number of latest events kept for watchers."""
LONGEST, BRIEF = 2_000, 200
"""Maximum characters of an event's text for watchers: of a halt or a failure, and of any other event."""
SAID_WHOLE: Final = (*HALTS, Event.FAILED, Event.PAUSED, Event.LOST)
LONGEST_JOB: Final = 3 << 20
"""Maximum characters of a job; it always fits a stored payload."""
MOST_EVENTS: Final = 45_000
"""Maximum events of one history; the server ends a run at 51,200."""
GRACE: Final = timedelta(seconds=60)
"""Time for a host to stop an agent after its timeout."""
LAST: Final = timedelta(seconds=10)
"""Time for a host to record the end of a run, which then ends anyway."""
LOCAL: Final = timedelta(seconds=8)
"""Time for a step by the worker that drives the run; the server takes the run away from it after ten seconds."""
ONCE: Final = RetryPolicy(maximum_attempts=1)
AGAIN: Final = RetryPolicy(
    initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=30), maximum_attempts=10
)
"""Retries for machine failures, such as a dead worker. Failures of agents are counted by `retries`."""

T = TypeVar("T")


def queue_of(place: str, role: AgentRole) -> str:
    """Return the queue of a role's agents on a host or in a pool.

    Roles of other packages share that of general-purpose agents.
    """
    return f"{place}.{role if role in list(AgentRole) else AgentRole.GENERAL_PURPOSE}"


class Remote:
    """The driver's activities on a host, and the run's projection."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.pinned = Pinned(launch.graphs)
        self.account, self.count = launch.account, launch.heard
        self._entries = deque(launch.latest, MOST_HEARD)
        self._answers: dict[str, str] = {}
        self._lost = {each.key: each.why for each in launch.lost}
        self._answered = {each.key: each.text for each in launch.answers}
        self._breakers = Breakers()
        spec = launch.spec
        self.ceilings = Ceilings(spec, launch.account.launched, self._worked, launch.used)
        self._used: dict[str, Used] = {}
        self._facts = facts_at(launch)
        self._heartbeat = timedelta(milliseconds=launch.patience.heartbeat)

    def onward(self, at: Cursor | None, cause: str = "") -> Launch:
        """Return the launch that goes on from a cursor; `cause` is the key of the activity at which the run stopped."""
        carried = evolve(self.launch, account=self.account, heard=self.count, latest=tuple(self._entries))
        page = f"{1 if at is None else at.pages + 1}."
        kept_keys = (page, KEYS)
        lost = [Lost(key=key, why=why) for key, why in self._lost.items() if key.startswith(page)]
        kept = {key: text for key, text in self._answered.items() if key.startswith(kept_keys) and key != cause}
        answers = [Question(key=key, text=text) for key, text in kept.items()]
        return evolve(carried, at=at, lost=tuple(lost), answers=tuple(answers), used=self.ceilings.used)

    def say(self, entry: Entry) -> None:
        """Add an event to the projection, without its documents."""
        longest = LONGEST if entry.event in SAID_WHOLE else BRIEF
        short = entry.text if entry.event is Event.ASKED else entry.text[:longest]
        said = evolve(entry, at=f"{workflow.now():%Y-%m-%dT%H:%M:%S.%f}Z", who=str(entry.who), text=short)
        self.account = self.account.after(said)
        self._entries.append(said)
        self.count += 1
        facts = self._facts.after(self.account)
        if facts != self._facts:
            self._facts = facts
            workflow.upsert_memo(facts.as_memo())
            workflow.set_current_details(details(self.account))

    def _worked(self) -> float:
        """Return the seconds that the run was driven, without the time until the user answered."""
        return (self.account.worked + milliseconds(self.account.last, stamp(workflow.now()))) / 1000

    def heard(self, since: int) -> Heard:
        """Return the events after the first `since`."""
        latest = tuple(self._entries)[-max(self.count - since, 0) :] if self.count > since else ()
        return Heard(entries=latest, count=self.count, account=self.account)

    def check(self, answer: Question) -> None:
        """Raise ValueError for an answer to a question that is not open, or to other questions."""
        asked = [question.text for question in self.account.questions if question.key == answer.key]
        if not asked or answer.key in self._answers:
            raise ValueError("the run does not ask this question, or it is already answered")
        headers = [each.header for each in read_response(answer.text).answers]
        if headers != [each.header for each in read_questions(asked[0]).questions]:
            raise ValueError("the answers are for other questions")

    def take(self, answer: Question) -> None:
        """Take an answer."""
        self._answers[answer.key] = answer.text

    async def step(self, key: str, command: Command, given: str) -> Printed:
        """Run a step on the host."""
        call = StepCall(key=key, command=command, given=given, digest=self.pinned.digests[command.module])
        limit, what = timedelta(seconds=LONGEST_STEP), f"page {key}: {_script(command)}"
        said = await self._here(call, what)
        if said is None:
            said = await self._on_host(STEP, call, StepSaid, limit, what, self._heartbeat)
        self.say(Entry(event=Event.STEP, key=key, command=str(command), number=said.status, who=title_of(said.out)))
        return Printed(said.status, said.out, said.errors)

    async def _here(self, call: StepCall, summary: str) -> StepSaid | None:
        """Return the result of a step by the worker that drives the run; None if it is slow or fails there.

        This makes one event of the history instead of six. Any worker of the host then takes the step over.
        """
        try:
            said: StepSaid = await workflow.execute_local_activity(
                STEP, call, result_type=StepSaid, start_to_close_timeout=LOCAL, retry_policy=ONCE, summary=summary
            )
        except FailureError as error:
            _check_cancelled()
            cause = error.cause if isinstance(error, ActivityError) else error
            if isinstance(cause, ApplicationError) and cause.non_retryable:
                raise RunError(str(cause)) from None
            return None
        _check_cancelled()
        return said

    async def agent(self, job: Job, place: Place) -> Reply:
        """Have an agent of the host do the job, as often as the limits allow."""
        if sum(map(len, (job.prompt, job.told, job.page, *job.replies))) > LONGEST_JOB:
            raise RunError(f"the prompt for the {job.role} of {job.key} has over {LONGEST_JOB:,} characters")
        if job.key in self._lost:
            raise AgentError(self._lost[job.key])
        if workflow.info().get_current_history_length() > MOST_EVENTS:
            raise RunError(f"one page caused over {MOST_EVENTS:,} events; `resume` continues the run in a new history")

        clients = self.launch.spec.clients(job.role)
        worker = _Worker(self, job, clients)
        breakers = self._breakers.of(clients)
        retrier = Retrier(job, self.launch.patience.limits, worker, _Clock(), breakers, place)
        try:
            number, reply = await retrier.run()
        except AgentError as error:
            self.say(Entry(event=Event.LOST, key=job.key, who=job.role, text=str(error)))
            self._lost[job.key] = str(error)[:LONGEST]
            raise
        finally:
            self.release(job.key)
        self.say(Entry(event=Event.REPLIED, key=job.key, who=job.role, text=reply.text, number=number))
        return reply

    def release(self, key: str) -> None:
        """Note that no agent is at work at a job."""
        self.ceilings.release(key, self._used.pop(key, NOT_USED))

    async def attempt(self, job: Job, number: int, reason: str, choice: int) -> str:
        """Make an attempt at a job on the host, by a client of its role."""
        patience = self.launch.patience
        digest = "" if job.page else self.pinned.digests[Command.read(job.command).module]
        try:
            said: Said = await workflow.execute_activity(
                ATTEMPT,
                AttemptCall(job=job, number=number, reason=reason, patience=patience, digest=digest, choice=choice),
                result_type=Said,
                task_queue=queue_of(self.launch.pool or self.launch.queue, job.role),
                start_to_close_timeout=timedelta(milliseconds=patience.attempt) + GRACE,
                heartbeat_timeout=self._heartbeat,
                retry_policy=AGAIN,
                cancellation_type=ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
                summary=self._summary(job, number),
            )
        except ActivityError as error:
            _check_cancelled()
            why = _why(error)
            is_elsewhere = isinstance(error.cause, ApplicationError) and error.cause.type == ELSEWHERE
            if is_elsewhere or error.retry_state == RetryState.NON_RETRYABLE_FAILURE:
                raise RunError(why) from None
            raise CrashError(why) from None
        self._used[job.key] = said.used
        _check_cancelled()
        if said.failed:
            raise CrashError(said.failed, said.condition)
        return said.text

    def _summary(self, job: Job, number: int) -> str:
        """Return the text that the server's own pages show for an attempt."""
        again = f", attempt {number}" if number > 1 else ""
        return short(f"{job.role} {job.key}{again}, for {self.account.step}")

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        """Return the user's answers: recorded ones, those of a simulated user, or else wait for them without limit."""
        if key in self._answered:
            return read_response(self._answered[key])
        asked = Question(key=key, text=render(questions))
        self.say(Entry(event=Event.ASKED, key=key, text=asked.text))
        text = (
            await self._on_host(USER, asked, str, GRACE, f"page {key.partition('.')[0]}: the simulated user")
            if self.launch.played
            else ""
        )
        if not text:
            await workflow.wait_condition(lambda: key in self._answers)
            text = self._answers.pop(key)
        self.say(Entry(event=Event.ANSWERED, key=key, text=text))
        self._answered[key] = text
        return read_response(text)

    async def end(self, event: Event, text: str = "", key: str = "") -> None:
        """Add the last event, and have the host write the end into the run's folder, unless it cannot in time."""
        self.say(Entry(event=event, key=key, text=text))
        ending = Ending(heard=self.heard(0), text=text)
        try:
            await workflow.execute_local_activity(END, ending, schedule_to_close_timeout=LAST, retry_policy=AGAIN)
        except FailureError:
            return

    async def _on_host(
        self,
        activity: str,
        carried: object,
        said: type[T],
        limit: timedelta,
        summary: str,
        heartbeat: timedelta | None = None,
    ) -> T:
        """Return the result of an activity on the run's host, which the server's own pages show by a summary.

        Raises RunError if it fails for good.
        """
        try:
            result: T = await workflow.execute_activity(
                activity,
                carried,
                result_type=said,
                task_queue=self.launch.queue,
                start_to_close_timeout=limit,
                heartbeat_timeout=heartbeat,
                retry_policy=AGAIN,
                summary=summary,
            )
        except ActivityError as error:
            _check_cancelled()
            raise RunError(_why(error)) from None
        _check_cancelled()
        return result


def _script(command: Command) -> str:
    """Return the script and the number of a step."""
    words = command.words
    step = next((words[at + 1] for at, word in enumerate(words[:-1]) if word == "--step"), "")
    return short(f"{command.module.rpartition('.')[2]} {step}".strip())


def _check_cancelled() -> None:
    """Raise CancelledError if the run is cancelled: an activity that ends before it learns of that hides it."""
    if workflow.cancellation_reason() is not None:
        raise asyncio.CancelledError


class _Worker:
    """The attempts at one job on the host, and their events."""

    def __init__(self, remote: Remote, job: Job, clients: Sequence[str]) -> None:
        self._remote, self._job, self._clients = remote, job, clients
        self._about = Entry(event=Event.FAILED, key=job.key, who=job.role)

    async def work(self, number: int, reason: str, choice: int) -> str:
        """Make an attempt."""
        await self._remote.ceilings.admit(self._job.key, self._remote.ask)
        client = self._clients[choice] if len(self._clients) > 1 else ""
        self._remote.say(evolve(self._about, event=Event.ATTEMPT, number=number, text=client))
        return await self._remote.attempt(self._job, number, reason, choice)

    def failed(self, number: int, reason: str) -> None:
        """Tell the watchers that an attempt failed."""
        self._remote.release(self._job.key)
        self._remote.say(evolve(self._about, text=reason, number=number))

    def paused(self, until: float, reason: str) -> None:
        """Tell the watchers that the next attempt waits."""
        self._remote.say(evolve(self._about, event=Event.PAUSED, text=reason, until=stamp_of(until)))


class _Clock:
    """The clock of a workflow."""

    def now(self) -> float:
        """Return the time of the workflow in seconds since the epoch."""
        return workflow.now().timestamp()

    async def until(self, moment: float) -> None:
        """Wait by a timer of the server."""
        left = moment - self.now()
        if left > 0:
            await asyncio.sleep(left)

    def random(self) -> float:
        """Return a random number that is the same in every replay."""
        return workflow.random().random()


def _why(error: ActivityError) -> str:
    """Return the message of an activity that failed for good. Raises CancelledError if the run is cancelled."""
    if is_cancelled_exception(error):
        raise asyncio.CancelledError from None
    return str(error.cause or error)
