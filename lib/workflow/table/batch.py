"""Several requests to one state file at once, as a JSON list: all are done, or none."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ..ast.batch import BatchResult, BatchStatus, RequestResult, RequestStatus
from ..ast.declare import Node
from ..ast.nodes import Document
from ..characters import printable
from ..errors import RefusedError
from ..script import frame
from ..suggest import expected
from ..types import AgentRole
from .arguments import Argument
from .requests import Request, RequestError, permit
from .rows import BATCH, Table

H = TypeVar("H")

FIX = 'write a list of objects, such as [{"command": "…", "key": "value"}]'


def run_batch(table: Table[H], home: H, document: object, role: AgentRole | None) -> BatchResult:
    """Does all the requests under one lock, each seeing what those before it wrote; or none, and says why.

    Raises RefusedError where no single request is to blame.
    """
    if not isinstance(document, list) or not document:
        raise RefusedError("invalid-batch", BATCH, "these are no requests", FIX)
    read = [_read(table, item, role) for item in document]
    if any(isinstance(request, RefusedError) for request in read):
        return _refused(document, {n: fault for n, fault in enumerate(read) if isinstance(fault, RefusedError)}, 0)
    requests = [request for request in read if isinstance(request, Request)]
    stores = {request.row.store for request in requests}
    if len(stores) > 1:
        raise RefusedError("invalid-batch", BATCH, "its requests are for more than one file", "send one batch for each")
    (find,) = stores
    assert find is not None
    store = find(home)
    try:
        if any(request.row.changes for request in requests):
            printed = store.change(lambda state: _apply(requests, state))
        else:
            _, printed = _apply(requests, store.load())
    except _StoppedError as stop:
        return _refused(document, {stop.at: stop.error}, stop.at)
    results = [_result(item, RequestStatus.DONE, *_blocks(node)) for item, node in zip(document, printed, strict=True)]
    return BatchResult(status=BatchStatus.DONE, results=tuple(results))


class _StoppedError(Exception):
    """A request that was refused when its turn came."""

    def __init__(self, at: int, error: RefusedError) -> None:
        super().__init__(at)
        self.at = at
        self.error = error


def _apply(requests: Sequence[Request[H]], state: Any) -> tuple[Any, list[Node]]:
    printed: list[Node] = []
    for request in requests:
        assert request.row.apply is not None
        try:
            state, node = request.row.apply(state, request.values)
        except RequestError as error:
            raise _StoppedError(len(printed), _invalid(request, error)) from None
        except RefusedError as error:
            raise _StoppedError(len(printed), error) from None
        printed.append(node)
    return state, printed


def _read(table: Table[H], item: object, role: AgentRole | None) -> Request[H] | RefusedError:
    """A request of known form, or why it is none."""
    if type(item) is not dict or not isinstance(item.get("command"), str):
        return RefusedError("invalid-request", BATCH, 'this is no object with a "command"', FIX)
    name = item["command"]
    row = table.rows.get(name)
    if row is None or row.store is None:
        legal = [row.name for row in table.rows.values() if row.store is not None]
        return RefusedError("invalid-request", name[:60], "no batch takes this command", expected(name, legal))
    values: dict[str, object] = {}
    try:
        permit(table, row, role)
        for key, value in item.items():
            if key == "command":
                continue
            if key not in row.arguments:
                legal = ["command", *row.arguments]
                return RefusedError("invalid-request", name, f"the key {key!r:.60} is not known", expected(key, legal))
            argument = row.arguments[key]
            values[argument.name] = _value(argument, value)
        request = Request(row, values)
        request.check()
        return request
    except RequestError as error:
        return _invalid(Request(row, values), error)
    except RefusedError as error:
        return error


def _value(argument: Argument, value: object) -> object:
    try:
        return argument.check(value)
    except ValueError as error:
        raise RequestError(f"{{{argument.key}}}: {{problem}}", problem=str(error)) from None


def _invalid(request: Request[H], error: RequestError) -> RefusedError:
    message = error.spelled(request.row, lambda argument: f'"{argument.key}"')
    keys = ", ".join(request.row.arguments)
    return RefusedError("invalid-request", request.row.name, message, f"nothing was done; its keys are: {keys}")


def _refused(document: Sequence[object], faults: Mapping[int, RefusedError], tried: int) -> BatchResult:
    results = []
    for number, item in enumerate(document):
        if number in faults:
            results.append(_result(item, RequestStatus.REFUSED, frame(faults[number])))
        else:
            results.append(_result(item, RequestStatus.UNDONE if number < tried else RequestStatus.SKIPPED))
    return BatchResult(status=BatchStatus.REFUSED, results=tuple(results))


def _blocks(node: Node) -> tuple[Node, ...]:
    """What a command printed, as it stands within another element."""
    return node.blocks if isinstance(node, Document) else (node,)


def _result(item: object, status: RequestStatus, *content: Node) -> RequestResult:
    named = item.get("command") if isinstance(item, dict) else None
    command = printable(named[:60]) if isinstance(named, str) else "?"
    return RequestResult(command=command, status=status, content=content)
