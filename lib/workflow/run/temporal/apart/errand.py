"""Errands: an agent's worker asks the run's host, by a workflow of its own for each, so that runs stay short."""

from datetime import timedelta
from typing import Final, TypeVar

from temporalio import workflow
from temporalio.client import Client, WorkflowFailureError
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.service import RPCError

from ..place import errand_of, queue_in
from ..remote import AGAIN, ONCE
from .wire import CloseCall, CommandCall, OpenCall

NAME: Final = "stepscript.errand"
OPEN, COMMAND, CLOSE = "stepscript.open", "stepscript.command", "stepscript.close"
LIMIT: Final = timedelta(days=1)
"""Time for one errand."""
SIGN: Final = timedelta(seconds=10)
"""Time without a sign of life after which another worker of the run's host takes over."""
ACTIVITIES: Final[dict[type, tuple[str, RetryPolicy]]] = {
    OpenCall: (OPEN, AGAIN),
    CommandCall: (COMMAND, ONCE),
    CloseCall: (CLOSE, AGAIN),
}
"""Activity of each call. A command may have done its work although its worker died, so it is not repeated."""
T = TypeVar("T")


@workflow.defn(name=NAME)
class Errand:
    """One call of an agent's worker."""

    @workflow.run
    async def run(self, call: object) -> object:
        """Have the run's host do what is asked, and return the result."""
        if type(call) not in ACTIVITIES:
            raise ApplicationError(f"{type(call).__name__} is not a call of an agent's worker", non_retryable=True)
        activity, retries = ACTIVITIES[type(call)]
        said: object = await workflow.execute_activity(
            activity,
            call,
            result_type=object,
            start_to_close_timeout=LIMIT,
            heartbeat_timeout=SIGN,
            retry_policy=retries,
        )
        return said


class Errands:
    """The errands for one run.

    Args:
        client: The client of the server.
        run: The run's id on the server.
    """

    def __init__(self, client: Client, run: str) -> None:
        self._client, self._run = client, run

    async def send(self, call: OpenCall | CommandCall | CloseCall, said: type[T]) -> T:
        """Return the result of a call. Raises ApplicationError as the run's host does, or if it cannot be asked."""
        try:
            result: T = await self._client.execute_workflow(
                NAME,
                call,
                id=errand_of(self._run),
                task_queue=queue_in(self._run),
                result_type=said,
                execution_timeout=LIMIT,
            )
            return result
        except WorkflowFailureError as error:
            cause = error.cause.cause if isinstance(error.cause, ActivityError) else error.cause
            if isinstance(cause, ApplicationError):
                raise ApplicationError(cause.message, type=cause.type, non_retryable=cause.non_retryable) from None
            raise ApplicationError(f"the run's host has not answered: {cause or error}", type="Errand") from None
        except RPCError as error:
            raise ApplicationError(f"the run's host cannot be asked: {error.message}", type="Errand") from None
