"""The only block of a print, for tests that know its class."""

from typing import TypeVar

from lib.workflow.ast.batch import BatchResult, RequestResult, RequestStatus
from lib.workflow.ast.fields import Node
from lib.workflow.ast.parse import parse

N = TypeVar("N", bound=Node)


def only(printed: str, cls: type[N]) -> N:
    """Return the only block of a print, which has that class."""
    (block,) = parse(printed).blocks
    assert isinstance(block, cls), printed
    return block


def statuses(result: BatchResult) -> list[RequestStatus]:
    """Return the status of each request of a refused batch, which covers all of them in order."""
    found: list[RequestStatus] = []
    for each in result.content:
        assert isinstance(each, RequestResult)
        first, _, last = each.requests.partition("-")
        assert int(first) == len(found) + 1
        found += [each.status] * (int(last or first) - int(first) + 1)
    return found
