"""A host: runs the steps of its runs and launches their agents, on the disk that holds their folders."""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Final

from attrs import frozen
from temporalio import activity
from temporalio.exceptions import ApplicationError

from ....command import Command, CommandError
from ....errors import RefusedError, UsageError
from ....render.xml import render
from ....state.consent import CODE
from ....util.characters import storable
from ...clients.agents import Attempt, CrashError, fenced
from ...clients.job import ReplyError, read_reply
from ...clients.prices import prices_of
from ...driver.activities import Printed
from ...driver.driver import Accepts
from ...journal.journal import AGENTS, Event
from ...journal.projection import Question
from ...journal.spec import Spec
from ...local import read_questions, title_of
from ...pool import Cast
from ...spending.usage import usage_of, used_by
from ...workplace import in_thread
from ..ending import write_ending
from ..host_record import Record, record_of
from ..place import folder_of
from ..wire import ATTEMPT, END, STEP, USER, AttemptCall, Ending, Said, StepCall, StepSaid
from .alive import AtWork, elsewhere, failure, stop, worked
from .memory import Memory, Turns

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


class Host(AtWork):
    """The activities of a host. An error that a retry cannot fix ends the run, with the reason.

    What another worker may be able to do, or this one later, is retried: while hosts are upgraded one after the
    other, and until a file system is mounted.
    """

    def __init__(self, casting: Casting, known: Accepts, digests: Digests, tell: Tell = lambda run, what: None) -> None:
        super().__init__()
        self._casting, self._known, self._digests, self._tell = casting, known, digests, tell
        self.cast = lru_cache(256)(self._read_cast)
        """Function that returns the cast and the specification of a run on the server, by its id."""
        self._slow: dict[str, StepAtWork] = {}
        """Steps that took too long for the worker that drives their run: the next attempt takes them over."""

    @activity.defn(name=STEP)
    async def step(self, call: StepCall) -> StepSaid:
        """Run a step, only with the graph that the run started with. An abandoned step writes nothing."""
        command = self._accepted(call.command, call.digest)
        run = activity.info().workflow_id or ""
        going = self._slow.pop(run, None)
        if going is None or going.turns.key != call.key:
            going = self._begun(self.cast(run)[0], command, call)
        async with self.alive(going.turns, going.token):
            printed = await going.printed(QUICK if activity.info().is_local else None)
        if printed is None:
            self._slow[run] = going
            raise ApplicationError("it takes longer", type="Slow")
        self._tell(run, title_of(printed.out) or f"{command.module} was refused, or printed no page")
        if len(printed.out) + len(printed.errors) > LONGEST_PAGE:
            raise stop(f"{command} printed over {LONGEST_PAGE:,} characters")
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
                if not cast.workplace.is_shared:
                    await in_thread(cast.workplace.prepare)
                return await cast.run_step(command, call.given, fenced(turns.fence, token))
            except RefusedError as error:
                raise stop(f"{error}\n{error.fix}") from None
            finally:
                turns.close(token)

        return StepAtWork(turns=turns, token=token, task=asyncio.ensure_future(run()))

    @activity.defn(name=ATTEMPT)
    async def attempt(self, call: AttemptCall) -> Said:
        """Make one attempt at a job. Its reply stays on the disk, so that finished work is not repeated."""
        if call.digest:
            self._accepted(Command.read(call.job.command), call.digest)
        run = activity.info().workflow_id or ""
        (cast, spec), memory = self.cast(run), Memory(folder_of(run), call.job)
        if not cast.workplace.is_shared:
            raise elsewhere("agents of this run work on the hosts of its pool only, which have no folder of it")
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
            cut_off = turns.admit(token)
            try:
                async with self.alive(turns, token):
                    text = await worked(cast.agent, attempt, call.reason, cut_off)
            finally:
                turns.close(token)
        except (CrashError, ReplyError, TimeoutError) as error:
            failed = failure(error, call, attempt, price)
            self._tell(run, f"{who} failed: {failed.failed}")
            return failed
        with suppress(ReplyError):
            read_reply(call.job, text)
            memory.keep(text)
        return Said(text=text, used=used_by(usage_of(attempt, price)))

    @activity.defn(name=USER)
    async def user(self, asked: Question) -> str:
        """Return the answers of a simulated user; empty without one."""
        user = self.cast(activity.info().workflow_id or "")[0].user
        response = user.answer(read_questions(asked.text)) if user is not None else None
        return "" if response is None else render(response)

    @activity.defn(name=END)
    async def ended(self, ending: Ending) -> None:
        """Write the end of a run into its folder, after its result has been brought back."""
        run = activity.info().workflow_id or ""
        try:
            if record_of(run).apart and ending.heard.account.halt is Event.DONE:
                await self._brought_back(run)
            write_ending(folder_of(run), ending)
        except (OSError, ValueError) as error:
            raise elsewhere(f"this host cannot record the end of the run: {error}") from None

    async def _brought_back(self, run: str) -> None:
        """Commit the result of a run to its branch. What git refuses stays in the worktree, which `status` shows."""
        try:
            await in_thread(self.cast(run)[0].workplace.finish)
        except RefusedError as error:
            self._tell(run, f"its result is not committed: {error}")

    def end(self) -> None:
        """End the agents and steps at work; the server gives their work to the next worker."""
        super().end()
        for going in self._slow.values():
            going.task.cancel()

    def _accepted(self, command: Command, digest: str) -> Command:
        now = self._digests().get(command.module)
        if now is None:
            raise elsewhere(
                f"{command.module} was changed or removed while this worker ran; restart the worker and resume the run"
            )
        if now != digest:
            raise elsewhere(
                f"{command.module} on this host differs from what the run started with: its graph is "
                f"{now[:12]}, the run's is "
                f"{digest[:12]}. Check out what it started with, restart the worker and resume; or start a new run"
            )
        try:
            return self._known.accept(command)
        except UsageError as error:
            raise stop(f"a page names a command that is not allowed: {command}\n{error}") from None

    def _read_cast(self, run: str) -> tuple[Cast, Spec]:
        try:
            record = record_of(run)
            return self._casting(folder_of(run), record), record.spec
        except (OSError, ValueError, CommandError) as error:
            if not isinstance(error, OSError) and not (isinstance(error, RefusedError) and error.code == CODE):
                raise stop(f"this host cannot execute the run: {error}") from None
            why = f"this host cannot execute the run now: {error}"
            self._tell(run, why)
            raise elsewhere(why) from None
