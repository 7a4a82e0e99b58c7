"""The block that a print is, for tests that know which."""

from typing import TypeVar

from lib.workflow.ast.batch import BatchResult, RequestResult, RequestStatus
from lib.workflow.ast.fields import Node
from lib.workflow.ast.parse import parse

N = TypeVar("N", bound=Node)


def only(printed: str, cls: type[N]) -> N:
    """The one block of a print, which is of that class."""
    (block,) = parse(printed).blocks
    assert isinstance(block, cls), printed
    return block


def statuses(result: BatchResult) -> list[RequestStatus]:
    """The status of each request of a refused batch, which accounts for all of them in their order."""
    found: list[RequestStatus] = []
    for each in result.content:
        assert isinstance(each, RequestResult)
        first, _, last = each.requests.partition("-")
        assert int(first) == len(found) + 1
        found += [each.status] * (int(last or first) - int(first) + 1)
    return found
