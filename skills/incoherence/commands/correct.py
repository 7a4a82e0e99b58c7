"""The command that corrects a recorded line."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, TypeVar

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.codec import CodecError, codec
from lib.workflow.state.store import Store

from ..record import Candidate, Question, Run, Sweep, Task, changed
from ..standing import Progress
from .quotes import placed
from .requests import Correction
from .telling import one, refused, result_of

T = TypeVar("T", Candidate, Question, Sweep, Task)
TEXTS: Final[Mapping[type, Sequence[str]]] = {
    Candidate: ("found", "why", "evidence", "reason"),
    Question: ("text", "options"),
    Sweep: ("searched",),
    Task: ("report",),
}
"""The fields of each kind of entry that can be corrected. A rule is recorded again by `decide`."""


def correct(
    run: Run,
    store: Store[Run],
    name: Annotated[str, Flag(positional=True, description="the id of a candidate, sweep, question or task")],
    change: Annotated[Correction, Flag(description="an object: old, new")],
) -> tuple[Run, Node]:
    """Replace words in a recorded line; `old` must occur once in the entry. A question is fixed once it is answered."""
    every: tuple[Candidate | Sweep | Question | Task, ...]
    every = (*run.candidates, *run.sweeps, *run.questions, *run.tasks)
    entry = one(every, name)
    after = run
    match entry:
        case Candidate():
            after = evolve(run, candidates=_in(run.candidates, name, change))
            new = one(after.candidates, name).found
            if new != entry.found:
                (found,) = placed(run, os.path.dirname(store.path), (new,))
                after = evolve(
                    run, candidates=changed(after.candidates, (name,), lambda each: evolve(each, found=found))
                )
        case Sweep():
            after = evolve(run, sweeps=_in(run.sweeps, name, change))
        case Question():
            if entry.answer is not None:
                raise refused(name, "the user has answered it", "Record a rule that says what the user meant.")
            after = evolve(run, questions=_in(run.questions, name, change))
        case Task():
            if entry.progress is Progress.ACCEPTED:
                raise refused(name, "its change is accepted", "Leave its report.")
            after = evolve(run, tasks=_in(run.tasks, name, change))
    return after, result_of(name, after != run)


def _in(many: tuple[T, ...], name: str, change: Correction) -> tuple[T, ...]:
    return changed(many, (name,), lambda each: _corrected(each, change))


def _corrected(entry: T, change: Correction) -> T:
    """Return the entry with the words replaced. Raises RefusedError or RequestError if it cannot be."""
    form = codec(type(entry))
    document: dict[str, object] = json.loads(form.dumps(entry))
    found = 0

    def replaced(text: str) -> str:
        nonlocal found
        found += text.count(change.old)
        return text.replace(change.old, change.new)

    fields = {key: _mapped(document[key], replaced) for key in TEXTS[type(entry)] if key in document}
    if found != 1:
        raise refused(entry.id, f"its texts hold {change.old!r:.80} {found} times", "Give words that occur once.")
    try:
        return form.loads(json.dumps({**document, **fields}))
    except (CodecError, ValueError) as error:
        raise RequestError("{change}: {problem}", problem=str(error)) from None


def _mapped(value: object, by: Callable[[str], str]) -> object:
    """Return a JSON value with its texts replaced."""
    if isinstance(value, dict):
        return {key: _mapped(each, by) for key, each in value.items()}
    if isinstance(value, list):
        return [_mapped(each, by) for each in value]
    return by(value) if isinstance(value, str) else value
