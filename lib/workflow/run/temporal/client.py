"""A run on a Temporal server, as whoever begins it, watches it, answers it or ends it sees it."""

import asyncio
from datetime import timedelta
from functools import cache
from typing import Final

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
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.runtime import LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter
from temporalio.service import RPCError, RPCStatusCode

from ..journal import Event
from ..projection import Question, RunProjection
from .payloads import CONVERTER
from .place import Record
from .wire import Heard, Launch
from .workflow import Run

PATIENCE: Final = timedelta(seconds=5)
"""For a word of a worker."""
CONNECT: Final = 5.0
"""Seconds for a server to answer at all."""
NO_EVENTS: Final = 1 << 40
"""After so many there are none."""
HALTED: Final = {
    WorkflowExecutionStatus.COMPLETED: Event.DONE,
    WorkflowExecutionStatus.CANCELED: Event.CANCELLED,
    WorkflowExecutionStatus.FAILED: Event.STOPPED,
    WorkflowExecutionStatus.TERMINATED: Event.STOPPED,
    WorkflowExecutionStatus.TIMED_OUT: Event.STOPPED,
}


class ServerError(OSError):
    """The server cannot be asked; the message says what to do."""


async def connected(address: str, namespace: str) -> Client:
    """A client of the server. Raises ServerError where none answers in time."""
    try:
        async with asyncio.timeout(CONNECT):
            return await Client.connect(address, namespace=namespace, data_converter=CONVERTER, runtime=_runtime())
    except (RuntimeError, RPCError, ValueError, TimeoutError):
        raise ServerError(
            f"no Temporal server answers at {address!r:.200}; start one by `temporal server start-dev`, or name "
            "another by --address"
        ) from None


@cache
def _runtime() -> Runtime:
    """Says nothing of what is tried again; it is the process's only one."""
    quiet = TelemetryFilter(core_level="ERROR", other_level="ERROR")
    return Runtime(telemetry=TelemetryConfig(logging=LoggingConfig(filter=quiet)))


class Remotely:
    """One run. Its methods raise ServerError where the server or the namespace is not there."""

    def __init__(self, client: Client, record: Record) -> None:
        self._client, self._record = client, record
        self._is_mute = True

    @property
    def _handle(self) -> Handle[Run, str]:
        return self._client.get_workflow_handle_for(Run.run, self._record.id)

    async def begin(self, launch: Launch) -> None:
        """Begins it, unless it has begun."""
        try:
            await self._client.start_workflow(Run.run, launch, id=self._record.id, task_queue=self._record.queue)
        except WorkflowAlreadyStartedError:
            return
        except RPCError as error:
            raise ServerError(f"the server does not begin the run: {error.message}") from None

    async def halt(self) -> Event | None:
        """How it has ended, as the server says; None while it has not. Raises LookupError where it has not begun."""
        try:
            status = (await self._handle.describe()).status
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                raise LookupError from None
            raise ServerError(f"the server does not say how the run stands: {error.message}") from None
        return HALTED.get(status) if status is not None else None

    async def heard(self, since: int) -> Heard | None:
        """What has happened after so many events; None where no worker of the host says so in time."""
        if self._is_mute and not await self._is_served():
            return None
        self._is_mute = True
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                heard = await self._handle.query(Run.heard, since, rpc_timeout=PATIENCE)
        except (RPCError, WorkflowQueryFailedError, TimeoutError):
            return None
        self._is_mute = False
        return heard

    async def _is_served(self) -> bool:
        """Whether a worker of the host has asked for work in the last minutes: else no query need wait for one."""
        request = DescribeTaskQueueRequest(
            namespace=self._record.namespace,
            task_queue=TaskQueue(name=self._record.queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        )
        try:
            return bool((await self._client.workflow_service.describe_task_queue(request)).pollers)
        except RPCError:  # a server that does not say
            return True

    async def account(self) -> RunProjection | None:
        """Where it stands; None where nobody knows. Raises LookupError where it has not begun."""
        halt = await self.halt()
        heard = await self.heard(NO_EVENTS)
        if heard is not None:
            return heard.account
        return None if halt is None else RunProjection(halt=halt, text=await self.last_words())

    async def last_words(self) -> str:
        """What a run that has ended said last, or why it stopped."""
        try:
            return await self._handle.result()
        except WorkflowFailureError as error:
            return str(error.cause)
        except RPCError as error:
            raise ServerError(f"the server does not say how the run ended: {error.message}") from None

    async def again(self) -> Launch | None:
        """What tries once more where a run stopped; None for one that was ended from outside."""
        try:
            await self._handle.result()
        except WorkflowFailureError as error:
            cause = error.cause
            if isinstance(cause, ApplicationError) and cause.details and isinstance(cause.details[0], Launch):
                return cause.details[0]
        except RPCError as error:
            raise ServerError(f"the server does not say how the run ended: {error.message}") from None
        return None

    async def answer(self, key: str, text: str) -> None:
        """Gives it the user's answers. Raises ValueError where it does not take them."""
        try:
            await self._handle.execute_update(Run.answer, Question(key=key, text=text), rpc_timeout=PATIENCE)
        except WorkflowUpdateFailedError as error:
            raise ValueError(str(error.cause)) from None
        except RPCError:
            raise ServerError(self.nobody()) from None

    async def cancel(self) -> None:
        """Has it end; its host stops the agents."""
        try:
            await self._handle.cancel()
        except RPCError as error:
            raise ServerError(f"the server does not cancel the run: {error.message}") from None

    def nobody(self) -> str:
        """What is said where no worker serves the run's host."""
        record = self._record
        return (
            f"no worker serves the run's host, {record.queue}; start one there by\n"
            f"  stepscript worker --address {record.address} --namespace {record.namespace} --host-queue {record.queue}"
        )


async def remotely(record: Record) -> Remotely:
    """The run that a folder says it is of. Raises ServerError."""
    return Remotely(await connected(record.address, record.namespace), record)
