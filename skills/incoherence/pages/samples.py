"""Samples of the commands' input, with the ids that wait in a run: each is legal as printed, in each round."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lib.workflow.core import StepContext
from lib.workflow.prompts import read_prompts
from lib.workflow.prompts.slots import inline

from ..handlers import run_of
from .orders import Fact

if TYPE_CHECKING:
    from ..record import Run

Rows: TypeAlias = "Callable[[StepContext], Sequence[Mapping[str, str]]]"
"""The values of each entry of a sample, by the name of the slot."""


def sample(rows: Rows) -> Fact:
    """Return a slot with the step's list of `samples.md`, cut to the entries that the run has values for."""

    def text(context: StepContext) -> str:
        path = os.path.join(os.path.dirname(__file__), "samples.md")
        entries = read_prompts(path)[context.step_id].text.split("\n\n")
        filled = [inline(entry, values) for entry, values in zip(entries, rows(context), strict=False)]
        return "[" + ",\n ".join(filled) + "]"

    return text


def waiting(ids: "Callable[[Run], Iterable[str]]") -> Rows:
    """Return the values of entries that are each about one id of the run."""
    return of(lambda context: ids(run_of(context)))


def of(ids: "Callable[[StepContext], Iterable[str]]") -> Rows:
    """Return the values of entries that are each about one id."""

    def rows(context: StepContext) -> Sequence[Mapping[str, str]]:
        named = list(ids(context))
        return [{"id": name, "first": named[0]} for name in named]

    return rows


def sources(context: StepContext) -> Sequence[Mapping[str, str]]:
    """Return the values of two dimensions that name all sources."""
    named = [each.id for each in run_of(context).sources]
    return [{"some": _quoted(named[:2])}, {"rest": _quoted(named[1:])}]


def files(context: StepContext) -> Sequence[Mapping[str, str]]:
    """Return the values of tasks that carry out the first rule."""
    rule = run_of(context).to_change()[0]
    first = {"first": rule.id, "some": _quoted(rule.files[:1])}
    return [first, {"first": rule.id, "rest": _quoted(rule.files[1:])}] if len(rule.files) > 1 else [first]


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(json.dumps(name, ensure_ascii=False) for name in names)
