"""What a batch of requests prints."""

from enum import StrEnum
from typing import Final

from attrs import field, frozen

from .declare import Node, wrapped
from .nodes import content


class RequestStatus(StrEnum):
    """What became of one request of a batch."""

    DONE = "done"
    UNDONE = "undone"
    """It would have been done, had none of the others been refused."""
    REFUSED = "refused"
    SKIPPED = "skipped"
    """It was not tried."""


@frozen(kw_only=True, eq=False, repr=False)
class RequestResult(Node):
    """What became of one request of a batch, with what its command printed where that holds."""

    tag = "request_result"
    standalone = False
    command: str
    status: RequestStatus
    content: tuple[Node, ...] = field(default=(), converter=content)


class BatchStatus(StrEnum):
    """Whether all requests of a batch are done, or none."""

    DONE = "done"
    REFUSED = "refused"


@frozen(kw_only=True, eq=False, repr=False)
class BatchResult(Node):
    """What a batch prints: one result for each request, in their order."""

    tag = "batch_result"
    count_of = "results"
    status: BatchStatus
    results: tuple[RequestResult, ...] = field(metadata=wrapped("results", numbered=True))


NODES: Final = (BatchResult, RequestResult)
"""The classes of this family."""
