"""A host: runs the steps of its runs and launches their agents, on the disk that holds their folders."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import lru_cache
from typing import Final

from attrs import evolve, frozen
from temporalio import activity
from temporalio.exceptions import ApplicationError

from ...command import Command, CommandError
from ...errors import RefusedError, UsageError
from ...render.xml import render
from ...state.consent import CODE
from ...util.characters import storable
from ...util.terminal import plain
from ..clients.agents import Attempt, CrashError, fenced, finished, unfinished
from ..clients.job import ReplyError, read_reply
from ..clients.prices import prices_of
from ..driver import prompts
from ..driver.activities import Printed
from ..driver.driver import Accepts
from ..driver.retries import CUT_OFF, reason_of
from ..journal.journal import AGENTS
from ..journal.projection import Question
from ..journal.spec import Spec
from ..local import read_questions, title_of
from ..pool import Cast
from ..spending.usage import usage_of, used_by
from .ending import write_ending
from .memory import NEWER, Memory, Turns
from .place import Record, folder_of, record_of
from .wire import ATTEMPT, ELSEWHERE, END, STEP, STOPPED, USER, AttemptCall, Ending, Said, StepCall, StepSaid

Casting = Callable[[str, Record], Cast]
"""Function that returns the cast for the run in a folder. Raises ValueError without a cast or consent."""
Tell = Callable[[str, str], None]
"""Receiver of a run's id and its current activity."""
Digests = Callable[[], Mapping[str, str]]
"""Function that returns the digests of scripts' graphs by module, without scripts that changed after their import."""
LONGEST_PAGE: Final = 3 << 20
"""Maximum characters of a page; it always fits a stored payload."""
QUICK: Final = 3.0
"""Seconds of a step by the worker that drives the run, which answers no query meanwhile."""
SIGNS: Final = 4
"""Heartbeats within the heartbeat timeout."""


@frozen
class StepAtWork:
    """A step at work."""

    turns: Turns
    token: str
    task: "asyncio.Task[Printed]"

    async def printed(self, seconds: float | None) -> Printed | None:
        """Return the result; None if it takes longer. Ends the step if cancelled."""
        try:
            done, _ = await asyncio.wait({self.task}, timeout=seconds)
        except asyncio.CancelledError:
            self.task.cancel()
            await asyncio.wait({self.task})
            raise
        return self.task.result() if done else None


class Host:
    """The activities of a host. An error that a retry cannot fix ends the run, with the reason.

    What another worker may be able to do, or this one later, is retried: while hosts are upgraded one after the
    other, and until a file system is mounted.
    """

    def __init__(self, casting: Casting, known: Accepts, digests: Digests, tell: Tell = lambda run, what: None) -> None:
        self._casting, self._known, self._digests, self._tell = casting, known, digests, tell
        self._cast = lru_cache(256)(self._read_cast)
        self._at_work: set[asyncio.Task[object]] = set()
        self._slow: dict[str, StepAtWork] = {}
        """Steps that took too long for the worker that drives their run: the next attempt takes them over."""

    @activity.defn(name=STEP)
    async def step(self, call: StepCall) -> StepSaid:
        """Run a step, only with the graph that the run started with. An abandoned step writes nothing."""
        command = self._accepted(call.command, call.digest)
        run = activity.info().workflow_id or ""
        going = self._slow.pop(run, None)
        if going is None or going.turns.key != call.key:
            going = self._begun(self._cast(run)[0], command, call)
        async with self._alive(going.turns, going.token):
            printed = await going.printed(QUICK if activity.info().is_local else None)
        if printed is None:
            self._slow[run] = going
            raise ApplicationError("it takes longer", type="Slow")
        self._tell(run, title_of(printed.out) or f"{command.module} was refused, or printed no page")
        if len(printed.out) + len(printed.errors) > LONGEST_PAGE:
            raise _stop(f"{command} printed over {LONGEST_PAGE:,} characters")
        return StepSaid(status=printed.status, out=storable(printed.out), errors=storable(printed.errors))

    def _begun(self, cast: Cast, command: Command, call: StepCall) -> StepAtWork:
        """Start a step. Its earlier attempts can no longer write."""
        info = activity.info()
        turns = Turns(os.path.join(folder_of(info.workflow_id or ""), AGENTS), call.key)
        token = turns.token(info.current_attempt_scheduled_time, info.is_local)
        try:
            turns.admit(token)
        except CrashError as error:
            raise ApplicationError(str(error), type="Stale") from None

        async def run() -> Printed:
            try:
                return await cast.run_step(command, call.given, fenced(turns.fence, token))
            finally:
                turns.close(token)

        return StepAtWork(turns=turns, token=token, task=asyncio.ensure_future(run()))

    @activity.defn(name=ATTEMPT)
    async def attempt(self, call: AttemptCall) -> Said:
        """Make one attempt at a job. Its reply stays on the disk, so that finished work is not repeated."""
        if call.digest:
            self._accepted(Command.read(call.job.command), call.digest)
        run = activity.info().workflow_id or ""
        (cast, spec), memory = self._cast(run), Memory(folder_of(run), call.job)
        who = f"{call.job.role} {call.job.key}, attempt {call.number}"
        turns = memory.turns
        token = turns.token(activity.info().current_attempt_scheduled_time)
        attempt = Attempt(
            job=call.job,
            number=call.number,
            folder=memory.folder,
            seconds=call.patience.attempt / 1000,
            choice=call.choice,
            client=spec.clients(call.job.role)[call.choice],
            environment=fenced(turns.fence, token),
        )
        price = prices_of(spec.prices).get(attempt.client, 0)
        done = memory.reply()
        if done is not None:
            return Said(text=done, used=used_by(usage_of(attempt, price)))
        self._tell(run, who)
        try:
            text = await self._worked(cast, turns, token, call, attempt)
        except (CrashError, ReplyError, TimeoutError) as error:
            reason = reason_of(error, call.patience.limits)
            self._tell(run, f"{who} failed: {reason}")
            used, condition = used_by(usage_of(attempt, price)), getattr(error, "condition", None)
            return Said(text="", failed=reason, condition=condition, used=used)
        with suppress(ReplyError):
            read_reply(call.job, text)
            memory.keep(text)
        return Said(text=text, used=used_by(usage_of(attempt, price)))

    async def _worked(self, cast: Cast, turns: Turns, token: str, call: AttemptCall, attempt: Attempt) -> str:
        """Return the output of an agent whose worker has ended, or of a new agent that learns of it."""
        try:
            cut_off = turns.admit(token)
            text = finished(attempt) if cut_off else None
            if text is None:
                job = prompts.told_why(call.job, call.reason or (CUT_OFF if cut_off else ""))
                async with self._alive(turns, token), asyncio.timeout(attempt.seconds):
                    text = await cast.agent.work(evolve(attempt, job=job))
            return storable(plain(text))
        except TimeoutError:
            if not os.path.exists(attempt.files.out):  # no program, but a simulated agent
                raise
            raise unfinished(attempt) from None
        finally:
            turns.close(token)

    @activity.defn(name=USER)
    async def user(self, asked: Question) -> str:
        """Return the answers of a simulated user; empty without one."""
        user = self._cast(activity.info().workflow_id or "")[0].user
        response = user.answer(read_questions(asked.text)) if user is not None else None
        return "" if response is None else render(response)

    @activity.defn(name=END)
    async def ended(self, ending: Ending) -> None:
        """Write the end of a run into its folder."""
        run = activity.info().workflow_id or ""
        try:
            record_of(run)
            write_ending(folder_of(run), ending)
        except (OSError, ValueError) as error:
            raise _elsewhere(f"this host cannot record the end of the run: {error}") from None

    def end(self) -> None:
        """End the agents and steps at work; the server gives their work to the next worker."""
        for task in (*self._at_work, *(going.task for going in self._slow.values())):
            task.cancel()

    @asynccontextmanager
    async def _alive(self, turns: Turns, token: str) -> AsyncIterator[None]:
        """Send heartbeats meanwhile, and end the work once a newer attempt has started.

        On worker shutdown, raise a retryable error instead of a cancellation.
        """
        task = asyncio.current_task()
        assert task is not None
        within = activity.info().heartbeat_timeout or timedelta(seconds=10)
        beats = asyncio.ensure_future(_beat(within, turns, token, task))
        self._at_work.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if beats.done():
                raise ApplicationError(NEWER, type="Stale") from None
            details = activity.cancellation_details()
            if activity.is_worker_shutdown() and not (details and details.cancel_requested):
                raise ApplicationError("the worker is shutting down", type="Shutdown") from None
            raise
        finally:
            self._at_work.discard(task)
            beats.cancel()

    def _accepted(self, command: Command, digest: str) -> Command:
        now = self._digests().get(command.module)
        if now is None:
            raise _elsewhere(
                f"{command.module} was changed or removed while this worker ran; restart the worker and resume the run"
            )
        if now != digest:
            raise _elsewhere(
                f"{command.module} on this host differs from what the run started with: its graph is "
                f"{now[:12]}, the run's is "
                f"{digest[:12]}. Check out what it started with, restart the worker and resume; or start a new run"
            )
        try:
            return self._known.accept(command)
        except UsageError as error:
            raise _stop(f"a page names a command that is not allowed: {command}\n{error}") from None

    def _read_cast(self, run: str) -> tuple[Cast, Spec]:
        try:
            record = record_of(run)
            return self._casting(folder_of(run), record), record.spec
        except (OSError, ValueError, CommandError) as error:
            if not isinstance(error, OSError) and not (isinstance(error, RefusedError) and error.code == CODE):
                raise _stop(f"this host cannot execute the run: {error}") from None
            why = f"this host cannot execute the run now: {error}"
            self._tell(run, why)
            raise _elsewhere(why) from None


async def _beat(within: timedelta, turns: Turns, token: str, task: "asyncio.Task[object]") -> None:
    """Send heartbeats; cancel the task and return once a newer attempt has started, even on another host."""
    while True:
        await asyncio.sleep(within.total_seconds() / SIGNS)
        if not turns.is_current(token):
            task.cancel()
            return
        if not activity.info().is_local:
            activity.heartbeat()


def _elsewhere(why: str) -> ApplicationError:
    return ApplicationError(why, type=ELSEWHERE)


def _stop(why: str) -> ApplicationError:
    return ApplicationError(why, type=STOPPED, non_retryable=True)
