"""A batch of requests to one state file, as a JSON list: all are done, or none."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, Generic, NamedTuple, TypeVar

from attrs import evolve

from ...ast.batch import BatchResult, BatchStatus, RequestResult, RequestStatus
from ...ast.fields import Node
from ...ast.nodes import Code, Document
from ...ast.results import EntityResult
from ...errors import RefusedError
from ...types import AgentRole
from ...util.characters import printable
from ...util.suggest import expected
from ..script import frame
from .arguments import Argument, How
from .edits import Edit
from .names import check_name, check_references, resolved
from .requests import Request, RequestError, permit
from .rows import BATCH, Printed, Row, Table

H = TypeVar("H")

AS: Final = "as"
"""The key that names the entity of a request."""
FIX: Final = 'write a list of objects, such as [{"command": "…", "key": "value"}]'


class Entry(NamedTuple, Generic[H]):
    """A request of a batch, and the local name of the entity that it makes."""

    request: Request[H]
    name: str | None


class _StoppedError(Exception):
    """Raised for a request that was refused when it ran."""

    def __init__(self, at: int, error: RefusedError) -> None:
        super().__init__(at)
        self.at = at
        self.error = error


def run_batch(table: Table[H], home: H, document: object, role: AgentRole | None) -> BatchResult:
    """Run all requests under one lock, each on the result of those before it; or none, with the reason.

    Raises:
        RefusedError: If the batch as a whole is invalid.
    """
    if not isinstance(document, list) or not document:
        raise RefusedError("invalid-batch", BATCH, "the document is not a list of requests", FIX)
    read = _read_all(table, document, role)
    faults = {place: fault for place, fault in enumerate(read) if isinstance(fault, RefusedError)}
    if faults:
        return _refused(document, faults, 0)
    entries = [entry for entry in read if isinstance(entry, Entry)]
    try:
        return BatchResult(status=BatchStatus.DONE, content=_printed(entries, _run(entries, home)))
    except _StoppedError as stop:
        return _refused(document, {stop.at: stop.error}, stop.at)


def _run(entries: Sequence[Entry[H]], home: H) -> list[Printed]:
    """Return the output of each request. Nothing is written before all are known to succeed."""
    first, rest = entries[0].request, entries[1:]
    if first.row.check is None:
        return _run_on_store(entries, home, 0)
    try:
        first.row.check(home, **first.values)
        if rest:
            _rehearse(rest, home)
        begun = first.row.run(home, first.values)
    except RefusedError as error:
        raise _StoppedError(0, error) from None
    return [begun, *(_run_on_store(rest, home, 1) if rest else ())]


def _store_of(entries: Sequence[Entry[H]], home: H) -> Any:
    stores = {entry.request.row.store for entry in entries}
    if len(stores) > 1:
        raise RefusedError(
            "invalid-batch", BATCH, "its requests change more than one file", "send one batch for each file"
        )
    (find,) = stores
    assert find is not None
    return find(home)


def _rehearse(entries: Sequence[Entry[H]], home: H) -> None:
    """Try the requests after one that starts a run, on the state that they will find, and write nothing."""
    found = _store_of(entries, home).find()
    first = entries[0].request.row.first
    if found is None and first is None:
        what = "the requests after the first are for a file that the run does not have yet"
        raise RefusedError("invalid-batch", BATCH, what, "send them in a second batch")
    _apply(entries, home, first() if found is None and first else found, 1)


def _run_on_store(entries: Sequence[Entry[H]], home: H, offset: int) -> list[Printed]:
    store = _store_of(entries, home)
    if any(entry.request.row.changes for entry in entries):
        printed: list[Printed] = store.change(lambda state: _apply(entries, home, state, offset))
        return printed
    return _apply(entries, home, store.load(), offset)[1]


def _apply(entries: Sequence[Entry[H]], home: H, state: Any, offset: int) -> tuple[Any, list[Printed]]:
    """Return the state after all requests, and the output of each. `offset` is the number of requests before them."""
    printed: list[Printed] = []
    names: dict[str, str] = {}
    for entry in entries:
        row = entry.request.row
        assert row.apply is not None
        try:
            state, node = row.apply(home, state, resolved(entry.request, names))
        except RequestError as error:
            raise _StoppedError(offset + len(printed), _invalid(entry.request, error)) from None
        except RefusedError as error:
            raise _StoppedError(offset + len(printed), error) from None
        if entry.name:
            names[entry.name] = next(each.id for each in _blocks(node) if isinstance(each, EntityResult))
        printed.append(node)
    return state, printed


def _read_all(table: Table[H], document: Sequence[object], role: AgentRole | None) -> list[Entry[H] | RefusedError]:
    """Read each request, or return the reason why it cannot be read."""
    read: list[Entry[H] | RefusedError] = []
    names: list[str] = []
    for place, item in enumerate(document):
        entry = _read(table, item, role, names, place)
        read.append(entry)
        name = item.get(AS) if isinstance(item, dict) else None
        if isinstance(name, str):
            names.append(name)
    return read


def _read(
    table: Table[H], item: object, role: AgentRole | None, names: Sequence[str], place: int
) -> Entry[H] | RefusedError:
    if type(item) is not dict or not isinstance(item.get("command"), str):
        return RefusedError("invalid-request", BATCH, 'a request must be an object with a "command"', FIX)
    name = item["command"]
    row = table.rows.get(name)
    if row is None or not row.batched:
        legal = [row.name for row in table.rows.values() if row.batched]
        return RefusedError(
            "invalid-request", name[:60], "this command cannot be part of a batch", expected(name, legal)
        )
    if row.check is not None and place:
        return RefusedError("invalid-request", name, "it starts a run", "make it the first request of the batch")
    values: dict[str, object] = {}
    try:
        permit(table, row, role)
        given = {key: value for key, value in item.items() if key not in ("command", AS)}
        for argument, how, value in _arguments(row, given):
            _put(values, argument, how, value)
        request = Request(row, values)
        request.check()
        check_references(request, names)
        return Entry(request, check_name(item[AS], names, row) if AS in item else None)
    except RequestError as error:
        return _invalid(Request(row, values), error)
    except RefusedError as error:
        return error


def _arguments(row: Row[H], given: Mapping[str, object]) -> Iterator[tuple[Argument, How, object]]:
    """Yield the argument, form and value of each key. Raises RefusedError for a key that the command does not have."""
    keys = {key: (argument, how) for argument in row.arguments.values() for key, how in argument.keys}
    for key, value in given.items():
        if key not in keys:
            legal = ["command", AS, *row.arguments]
            raise RefusedError("invalid-request", row.name, f"unknown key {key!r:.60}", expected(key, legal))
        argument, how = keys[key]
        if value is None and argument.nullable and not argument.clearable:
            continue  # the same as an absent key
        yield argument, how, value


def _put(values: dict[str, object], argument: Argument, how: How, value: object) -> None:
    """Add a checked value to those of a request. Raises RequestError if it is not legal."""
    try:
        before = values.get(argument.name)
        if before is not None and (how is How.VALUE or not isinstance(before, Edit)):
            raise ValueError("sets the whole list; do not combine it with adding or removing")
        if how is How.VALUE:
            values[argument.name] = argument.check(value)
            return
        items = tuple(map(str, argument.check_items(value)))
        edit = before if isinstance(before, Edit) else Edit()
        values[argument.name] = evolve(edit, add=items) if how is How.ADD else evolve(edit, remove=items)
    except ValueError as error:
        raise RequestError(f"{{{argument.key}}}: {{problem}}", problem=str(error)) from None


def _invalid(request: Request[H], error: RequestError) -> RefusedError:
    message = error.spelled(request.row, lambda argument: f'"{argument.key}"')
    return RefusedError(
        "invalid-request", request.row.name, message, "nothing was done; correct it and send the batch again"
    )


def _refused(document: Sequence[object], faults: Mapping[int, RefusedError], tried: int) -> BatchResult:
    """Return one result for each refused request, and one for each group of undone or skipped neighbours."""

    def kind(place: int) -> int:
        return -1 - place if place in faults else int(place < tried)

    results: list[Node] = []
    for _, group in groupby(range(len(document)), key=kind):
        places = list(group)
        numbers = str(places[0] + 1) if len(places) == 1 else f"{places[0] + 1}-{places[-1] + 1}"
        fault = faults.get(places[0])
        if fault is None:
            status = RequestStatus.UNDONE if places[0] < tried else RequestStatus.SKIPPED
            results.append(RequestResult(requests=numbers, status=status))
        else:
            command = _command(document[places[0]])
            result = RequestResult(
                requests=numbers, command=command, status=RequestStatus.REFUSED, content=frame(fault)
            )
            results.append(result)
    return BatchResult(status=BatchStatus.REFUSED, content=results)


def _printed(entries: Iterable[Entry[H]], nodes: Iterable[Printed]) -> Iterator[Node]:
    """Yield the outputs of all requests; a named entity gets its name."""
    for entry, node in zip(entries, nodes, strict=True):
        for block in _blocks(node):
            yield evolve(block, name=entry.name) if isinstance(block, EntityResult) and entry.name else block


def _blocks(printed: Printed) -> tuple[Node, ...]:
    """Return a command's output as nodes for another element."""
    if isinstance(printed, str):
        return (Code(text=printed),)
    return printed.blocks if isinstance(printed, Document) else (printed,)


def _command(item: object) -> str:
    named = item.get("command") if isinstance(item, dict) else None
    return " ".join(printable(named[:60]).split()) or "?" if isinstance(named, str) else "?"
