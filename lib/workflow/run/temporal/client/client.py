"""A client's view of a run on a Temporal server: start it, watch it, answer it, end it."""

import asyncio
from datetime import timedelta
from typing import Final

from attrs import evolve
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import (
    Client,
    WorkflowExecutionStatus,
    WorkflowFailureError,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
)
from temporalio.client import WorkflowHandle as Handle
from temporalio.exceptions import ApplicationError, TerminatedError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from ...journal.journal import Event
from ...journal.projection import Question, RunProjection
from ..connection import ServerError, connected
from ..host_record import Record
from ..memo import facts_at, short
from ..place import queue_in
from ..wire import Heard, Launch
from ..workflow import Run

PATIENCE: Final = timedelta(seconds=5)
"""Timeout for a worker's answer."""
CALL: Final = timedelta(seconds=10)
"""Timeout for the server's own answer."""
NO_EVENTS: Final = 1 << 40
"""A number beyond that of all events."""
HALTED: Final = {
    WorkflowExecutionStatus.COMPLETED: Event.DONE,
    WorkflowExecutionStatus.CANCELED: Event.CANCELLED,
    WorkflowExecutionStatus.FAILED: Event.STOPPED,
    WorkflowExecutionStatus.TERMINATED: Event.STOPPED,
    WorkflowExecutionStatus.TIMED_OUT: Event.STOPPED,
}


class Remotely:
    """One run on a server. Its methods raise ServerError if the server or the namespace is not available."""

    def __init__(self, client: Client, run_id: str) -> None:
        self._client, self._id = client, run_id
        self._queue = queue_in(run_id)
        self._is_mute = True
        self.silence = self.nobody()
        """Why `heard` returned None."""

    @property
    def handle(self) -> Handle[Run, str]:
        """Return the SDK's handle of the run's latest history."""
        return self._client.get_workflow_handle_for(Run.run, self._id)

    async def begin(self, launch: Launch) -> None:
        """Start the run, unless it has started."""
        try:
            await self._client.start_workflow(
                Run.run,
                launch,
                id=self._id,
                task_queue=self._queue,
                memo=facts_at(launch).as_memo(),
                static_summary=f"{launch.spec.workflow}: {short(launch.spec.request)}".removesuffix(": "),
            )
        except WorkflowAlreadyStartedError:
            return
        except ApplicationError as error:  # of our codec
            raise ServerError(f"the run was not started: {error.message}") from None
        except RPCError as error:
            raise ServerError(f"the server did not start the run: {error.message}") from None

    async def halt(self) -> Event | None:
        """Return its end according to the server, or None. Raises LookupError if it has not started."""
        try:
            status = (await self.handle.describe(rpc_timeout=CALL)).status
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND and "Namespace" not in error.message:
                raise LookupError from None
            raise ServerError(f"the server did not return the status of the run: {error.message}") from None
        return HALTED.get(status) if status is not None else None

    async def heard(self, since: int) -> Heard | None:
        """Return the events after the first `since`; None if no worker of the host answers in time."""
        if self._is_mute and not await self.is_served():
            self.silence = self.nobody()
            return None
        self._is_mute = True
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                heard = await self.handle.query(Run.heard, since, rpc_timeout=PATIENCE)
        except WorkflowQueryFailedError as error:
            self.silence = f"a worker of the run's host, {self._queue}, could not report the run: {error}"
        except (RPCError, TimeoutError) as error:
            self.silence = self._unanswered(error)
        except ApplicationError as error:  # of our codec
            self.silence = f"the report of the run cannot be read: {error.message}"
        else:
            self._is_mute = False
            return heard
        return None

    async def is_served(self) -> bool:
        """Return True if a worker of the host polled in the last minutes; otherwise a query need not wait for one."""
        request = DescribeTaskQueueRequest(
            namespace=self._client.namespace,
            task_queue=TaskQueue(name=self._queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        )
        try:
            return bool((await self._client.workflow_service.describe_task_queue(request, timeout=CALL)).pollers)
        except RPCError:  # a server that does not answer this
            return True

    async def account(self) -> RunProjection | None:
        """Return its projection; None if it is not known. Raises LookupError if it has not started.

        If the server has closed the run, its status counts: a terminated run does not know its end.
        """
        halt = await self.halt()
        heard = await self.heard(NO_EVENTS)
        if heard is None and halt is None:
            return None
        account = RunProjection() if heard is None else heard.account
        if halt is None or account.halt is halt:
            return account
        return evolve(account, halt=halt, text=await self.last_words(), questions=())

    async def last_words(self) -> str:
        """Return the last reply of a run that has ended, or the reason why it stopped."""
        try:
            return await self._result()
        except WorkflowFailureError as error:
            if isinstance(error.cause, TerminatedError):
                return f"the run was terminated on the server: {error.cause}"
            return str(error.cause)
        except ValueError as error:  # the reply is a file, and this machine has none
            return str(error)

    async def again(self) -> Launch | None:
        """Return the launch that goes on where a run stopped; None for one that was ended from outside."""
        try:
            await self._result()
        except WorkflowFailureError as error:
            cause = error.cause
            if isinstance(cause, ApplicationError) and cause.details and isinstance(cause.details[0], Launch):
                return cause.details[0]
        return None

    async def _result(self) -> str:
        """Return the result of a run that has ended. Raises WorkflowFailureError, ServerError."""
        try:
            async with asyncio.timeout(CALL.total_seconds()):
                return await self.handle.result()
        except ApplicationError as error:  # of our codec; that of a run is the cause of another error
            raise ServerError(f"the result of the run cannot be read: {error.message}") from None
        except RPCError as error:
            raise ServerError(f"the server did not return the result of the run: {error.message}") from None
        except TimeoutError:
            raise ServerError("the server did not return the result of the run in time") from None

    async def answer(self, key: str, text: str) -> None:
        """Send the user's answers. Raises ValueError if the run does not take them."""
        try:
            await self.handle.execute_update(Run.answer, Question(key=key, text=text), rpc_timeout=PATIENCE)
        except WorkflowUpdateFailedError as error:
            raise ValueError(str(error.cause)) from None
        except ApplicationError as error:  # of our codec
            raise ServerError(f"the answers were not sent: {error.message}") from None
        except RPCError as error:
            raise ServerError(self._unanswered(error) if await self.is_served() else self.nobody()) from None

    async def cancel(self) -> None:
        """Cancel the run; its host stops the agents."""
        try:
            await self.handle.cancel()
        except RPCError as error:
            raise ServerError(f"the server did not cancel the run: {error.message}") from None

    def _unanswered(self, error: RPCError | TimeoutError) -> str:
        """Return the message for a request that a worker has not answered."""
        if isinstance(error, RPCError) and error.status not in (
            RPCStatusCode.DEADLINE_EXCEEDED,
            RPCStatusCode.CANCELLED,
        ):
            return f"the server did not ask a worker of the run's host, {self._queue}: {error.message}"
        seconds = f"{PATIENCE.total_seconds():g} seconds"
        missing = f"no worker of the run's host, {self._queue}, answered within {seconds}"
        return f"{missing}; if none is left, {self._start}"

    def nobody(self) -> str:
        """Return the message for a host without workers."""
        return f"no worker serves the run's host, {self._queue}; {self._start}"

    @property
    def _start(self) -> str:
        address, namespace = self._client.service_client.config.target_host, self._client.namespace
        return (
            "start one there with\n"
            f"  stepscript worker --address {address} --namespace {namespace} --host-queue {self._queue}"
        )


async def remotely(record: Record) -> Remotely:
    """Return the run of a folder's record. Raises ServerError."""
    return Remotely(await connected(record.address, record.namespace), record.id)
