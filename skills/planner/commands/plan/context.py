"""Context of a run: written field by field, then frozen."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.cli.table.arguments import UNSET, Flag, Unset
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.codec import codec
from lib.workflow.errors import RefusedError
from lib.workflow.state.store import Store

from ...limits import MAX_GOAL
from ...reports.brief import write_brief
from ...schema.context import EMPTY_CONTEXT, Context, ContextField
from ...schema.plan.findings import Finding, listed
from ...state.files import CONTEXT_FILE, context_store, plan_store, run_store
from ...state.frozen import check_context
from ..refusing import refusing
from .context_text import read_fields
from .parts import with_constraints

if TYPE_CHECKING:
    from ...schema.run import Run

R = TypeVar("R")

SCOPE: Final = "scope:"
OUT_OF_SCOPE: Final = ("out-of-scope:", "out of scope:")
"""Prefixes of a task's entries that say what is in scope and what is not."""
NONE: Final = "none"
"""The entry that says that there are no constraints."""
FIELDS: Final = "a section `## FIELD` for each field, with one entry per line after `- `"


class OpenContext(Store[Context]):
    """Store of context.json. Its first change creates the file; after the freeze it refuses changes."""

    def __init__(self, state_dir: str) -> None:
        written = context_store(state_dir)
        super().__init__(written.path, codec(Context), remedy=written.remedy)
        self._state_dir = state_dir

    def change(self, by: Callable[[Context], tuple[Context, R]]) -> R:
        """Replace the context. Raises RefusedError if it is frozen, unless nothing changes."""
        run_store(self._state_dir).load()

        def unless_frozen(context: Context) -> tuple[Context, R]:
            after, result = by(context)
            if after != context and run_store(self._state_dir).load().context_digest is not None:
                fix = "put newer facts into the plan: set-constraint, set-decision, set-knowledge"
                raise RefusedError("frozen", CONTEXT_FILE, "it is frozen", fix)
            return after, result

        if self.find() is None:
            unless_frozen(EMPTY_CONTEXT)  # so that a refused change creates no file
            self.create(EMPTY_CONTEXT, same=lambda _: True)
        return super().change(unless_frozen)


def set_context(
    context: Context,
    field: Annotated[ContextField | None, Flag(positional=True, description="the field to write")] = None,
    entries: Annotated[tuple[str, ...], Flag(each="entry", long=True, description="an entry of the field")]
    | Unset = UNSET,
    fields: Annotated[str, Flag(long=True, description=f"several fields at once: {FIELDS}")] | Unset = UNSET,
) -> tuple[Context, Node]:
    """Write fields of the context, each whole.

    Name one FIELD with its entries, or give several by --fields-file. A frozen context cannot be changed.
    """
    if isinstance(fields, Unset) is (field is None):
        raise RequestError("{field} or {fields} must be given, not both")
    if isinstance(entries, Unset) is isinstance(fields, Unset):
        raise RequestError("{entries} must be given for each entry of {field}; --no-entry empties the field")
    written: dict[ContextField, tuple[str, ...]] = {}
    if field is not None and not isinstance(entries, Unset):
        written = {field: entries}
    elif not isinstance(fields, Unset):
        try:
            written = dict(read_fields(fields))
        except ValueError as error:
            raise RequestError("{fields}: {problem}", problem=str(error)) from None
    with refusing(CONTEXT_FILE):
        after = evolve(context, **{name.value: texts for name, texts in written.items()})
    return after, Element("context", {name.value: str(len(texts)) for name, texts in written.items()})


def write_context(state_dir: str, written: Mapping[ContextField, tuple[str, ...]]) -> None:
    """Write fields of the context, each whole. Raises RefusedError as `set_context` does."""
    context = {name.value: texts for name, texts in written.items()}
    OpenContext(state_dir).change(lambda before: (evolve(before, **context), None))


def freeze_context(
    state_dir: str,
    fields: Annotated[str, Flag(long=True, description=f"fields to write first: {FIELDS}")] | Unset = UNSET,
) -> Node:
    """Freeze the context for good.

    It must say the goal in one sentence, what is out of scope, at least one constraint (or none), and where to start.
    The constraints are copied into the plan; `none` copies nothing.
    """
    if not isinstance(fields, Unset):
        OpenContext(state_dir).change(partial(set_context, fields=fields))

    def freeze(context: Context) -> tuple[Context, str]:
        from ...execution.snapshots import keep_context  # no other command pays for this import

        lacking = unready(context)
        if lacking:
            fix = "write these fields whole, with the same command or set-context; the other fields are kept"
            raise RefusedError("incomplete-context", CONTEXT_FILE, listed(lacking), fix)
        check_context(state_dir, context, run_store(state_dir).load().context_digest)
        if run_store(state_dir).load().context_digest is None:
            _hand_over(state_dir, context)
        digest = keep_context(state_dir, context)
        return context, run_store(state_dir).change(lambda run: _frozen(run, digest))

    digest = context_store(state_dir).change(freeze)
    _write_brief(state_dir)
    return Element("context", {"frozen": digest[:SHOWN]})


SHOWN: Final = 12
"""Digits of a digest that are printed."""


def _write_brief(state_dir: str) -> None:
    write_brief(state_dir, context_store(state_dir).load(), plan_store(state_dir).load())


def _hand_over(state_dir: str, context: Context) -> None:
    """Copy the constraints of the context into the plan, once, before the context is frozen."""
    texts = tuple(entry for entry in context.constraints if entry.strip(" .").casefold() != NONE)
    plan_store(state_dir).change(lambda plan: (with_constraints(plan, texts), None))


def _frozen(run: "Run", digest: str) -> "tuple[Run, str]":
    if run.context_digest not in (None, digest):  # another process froze a different one in between
        raise RefusedError("frozen", CONTEXT_FILE, "it was frozen with other entries", "read it, and continue with it")
    return evolve(run, context_digest=digest), digest


def unready(context: Context) -> tuple[Finding, ...]:
    """Return what the context lacks: a goal, something out of scope, a constraint, an entry point."""
    goal, excluded = _is_goal(context.task_spec[:1]), any(map(_excludes, context.task_spec))
    checks = (
        (
            goal,
            "task_spec",
            "does not begin with the goal",
            f"write it in one sentence of at most {MAX_GOAL} characters",
        ),
        (excluded, "task_spec", "excludes nothing", "name what is excluded, as `out-of-scope: …`"),
        (context.constraints, "constraints", "is empty", "name at least one, or write `none`"),
        (context.entry_points, "entry_points", "is empty", "name where to start, as `path:function - why`"),
    )
    return tuple(Finding("context", field, lacks, fix) for holds, field, lacks, fix in checks if not holds)


def _is_goal(first: tuple[str, ...]) -> bool:
    """Return True if the first entry is the goal: one short line that does not begin with a scope prefix."""
    return any(
        len(entry) <= MAX_GOAL and "\n" not in entry and not entry.casefold().startswith((SCOPE, *OUT_OF_SCOPE))
        for entry in first
    )


def _excludes(entry: str) -> bool:
    """Return True if the entry names something that is out of scope."""
    return any(entry.casefold().startswith(mark) and entry[len(mark) :].strip() for mark in OUT_OF_SCOPE)
