"""Errors and results that the commands share."""

from collections.abc import Iterable

from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.errors import RefusedError
from lib.workflow.util.suggest import expected, repeated

from ..record import N


def result_of(name: str, changed: bool, operation: Operation = Operation.UPDATED) -> EntityResult:
    """Return the result for an entry that was recorded now, or earlier."""
    return EntityResult(id=name, version=1, operation=operation if changed else Operation.UNCHANGED)


def one(many: Iterable[N], name: str) -> N:
    """Return the entry with an id. Raises RefusedError, with the nearest id, if none exists."""
    found = {each.id: each for each in many}
    if name in found:
        return found[name]
    raise RefusedError("unknown-id", name, "no record has this id", expected(name, found))


def refused(target: str, message: str, fix: str) -> RefusedError:
    """Return the refusal of a command that the state does not allow."""
    return RefusedError("not-now", target, message, fix)


def each_once(ids: Iterable[str], wanted: Iterable[str], what: str, also: Iterable[str] = ()) -> None:
    """Raise RefusedError unless the list names all waiting entries, each once, and no others but those of `also`."""
    named, waiting = list(ids), dict.fromkeys(wanted)
    legal = {*waiting, *also}
    for name in repeated(named):
        raise refused(name, "the list names it twice", "Name it once.")
    for name in named:
        if name not in legal:
            raise refused(name, f"it is not a waiting {what}", f"Waiting: {', '.join(waiting) or 'none'}.")
    held = set(named)
    missing = [name for name in waiting if name not in held]
    if missing:
        raise refused(missing[0], f"the list leaves out {', '.join(missing)}", f"Name each {what} that is waiting.")
