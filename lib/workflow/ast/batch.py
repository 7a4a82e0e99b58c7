"""The result of a batch of requests."""

from enum import StrEnum
from typing import Final

from attrs import field, frozen

from ..util.characters import one_line
from .fields import Node
from .nodes import content


class RequestStatus(StrEnum):
    """What became of a request of a batch that was refused."""

    UNDONE = "undone"
    """It would have been done if no other request had been refused."""
    REFUSED = "refused"
    SKIPPED = "skipped"
    """It was not tried."""


@frozen(kw_only=True, eq=False, repr=False)
class RequestResult(Node):
    """What became of one or more neighbouring requests of a refused batch."""

    tag = "request_result"
    requests: str = field(validator=one_line)
    """Their numbers from 1: `3`, or `4-30`."""
    status: RequestStatus
    command: str | None = field(default=None, validator=one_line)
    """The command of a refused request."""
    content: tuple[Node, ...] = field(default=(), converter=content)
    """Why it was refused."""


class BatchStatus(StrEnum):
    """Whether all requests of a batch are done, or none."""

    DONE = "done"
    REFUSED = "refused"


@frozen(kw_only=True, eq=False, repr=False)
class BatchResult(Node):
    """What a batch prints.

    A batch that is done holds what each request printed, in their order: a line for each change. A refused batch holds
    a `request_result` for every request, neighbours with the same status in one.
    """

    tag = "batch_result"
    status: BatchStatus
    content: tuple[Node, ...] = field(default=(), converter=content)


NODES: Final = (BatchResult, RequestResult)
"""The classes of this family."""
