"""The result of a batch of requests."""

from enum import StrEnum

from attrs import field, frozen

from ..util.characters import one_line
from .fields import Node
from .nodes import content


class RequestStatus(StrEnum):
    """The outcome of one request in a refused batch."""

    UNDONE = "undone"
    """The request is valid, but was rolled back because another request was refused."""
    REFUSED = "refused"
    SKIPPED = "skipped"
    """The request was not tried."""


@frozen(kw_only=True)
class RequestResult(Node):
    """The outcome of one or more neighbouring requests of a refused batch."""

    tag = "request_result"
    requests: str = field(validator=one_line)
    """Request numbers from 1: `3`, or `4-30`."""
    status: RequestStatus
    command: str | None = field(default=None, validator=one_line)
    """Command of a refused request."""
    content: tuple[Node, ...] = field(default=(), converter=content)
    """Reason for the refusal."""


class BatchStatus(StrEnum):
    """The outcome of a batch: all requests are done, or none."""

    DONE = "done"
    REFUSED = "refused"


@frozen(kw_only=True)
class BatchResult(Node):
    """The output of a batch.

    If the batch is done, it holds the output of each request, in order: a line for each change. If it is refused, it
    holds one `request_result` for each run of neighbouring requests with the same status.
    """

    tag = "batch_result"
    status: BatchStatus
    content: tuple[Node, ...] = field(default=(), converter=content)
