"""The context of a run: written field by field, then frozen."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.errors import RefusedError
from lib.workflow.table.arguments import UNSET, Flag, Unset
from lib.workflow.table.requests import RequestError

from ..schema.context import EMPTY_CONTEXT, Context, ContextField
from ..schema.findings import Finding, listed
from ..state.files import CONTEXT_FILE, context_store, digest_of, remedy, run_store
from .refusing import refusing

if TYPE_CHECKING:
    from ..schema.run import Run

MAX_GOAL: Final = 300
"""Characters of the goal: what takes more is no sentence."""
SCOPE: Final = "scope:"
OUT_OF_SCOPE: Final = ("out-of-scope:", "out of scope:")
"""What an entry of the task begins with that says what is to be done, and what is not."""


def set_context(
    state_dir: str,
    field: Annotated[ContextField, Flag(positional=True, description="the field to write")],
    entries: Annotated[tuple[str, ...], Flag(each="entry", long=True, description="one entry")] | Unset = UNSET,
) -> Node:
    """Write one field of the context, whole.

    Once the context is frozen, no more.
    """
    if isinstance(entries, Unset):
        raise RequestError("{entries} must be given, once for each; --no-entry empties the field")
    store = context_store(state_dir)

    def write(context: Context) -> tuple[Context, None]:
        if run_store(state_dir).load().context_digest is not None:
            fix = "what has come up since goes into the plan: set-constraint, set-decision, set-knowledge"
            raise RefusedError("frozen", CONTEXT_FILE, "it is frozen", fix)
        with refusing(field):
            return evolve(context, **{field: entries}), None

    if store.find() is None:
        write(EMPTY_CONTEXT)  # what is refused makes no file
        store.create(EMPTY_CONTEXT, same=lambda _: True)
    store.change(write)
    return Element("context", {"field": field, "entries": str(len(entries))})


def freeze_context(state_dir: str) -> Node:
    """Close the context for good.

    It must say the goal in one sentence, what is out of scope, at least one constraint (or none), and where to start.
    """

    def freeze(context: Context) -> tuple[Context, str]:
        lacking = unready(context)
        if lacking:
            fix = "write them with set-context, then freeze again"
            raise RefusedError("incomplete-context", CONTEXT_FILE, listed(lacking), fix)
        return context, run_store(state_dir).change(lambda run: _frozen(run, digest_of(context)))

    return Element("context", {"frozen": context_store(state_dir).change(freeze)})


def _frozen(run: "Run", digest: str) -> "tuple[Run, str]":
    if run.context_digest not in (None, digest):
        fix = f"put back what was frozen, or {remedy()}"
        raise RefusedError("frozen", CONTEXT_FILE, "it was changed after it had been frozen", fix)
    return evolve(run, context_digest=digest), digest


def unready(context: Context) -> tuple[Finding, ...]:
    """What the context lacks (002, "Step 2: context-verify")."""
    goal, excluded = _is_goal(context.task_spec[:1]), any(map(_excludes, context.task_spec))
    checks = (
        (goal, "task_spec", "does not begin with the goal", f"say it in one sentence, at most {MAX_GOAL} characters"),
        (excluded, "task_spec", "excludes nothing", "say what is not to be done, as `out-of-scope: …`"),
        (context.constraints, "constraints", "is empty", "name one at least, or say `none`"),
        (context.entry_points, "entry_points", "is empty", "name where to start, as `path:function - why`"),
    )
    return tuple(Finding("context", field, lacks, fix) for holds, field, lacks, fix in checks if not holds)


def _is_goal(first: tuple[str, ...]) -> bool:
    """Whether the first entry is the goal: one line, and not where the scope ends."""
    return any(
        len(entry) <= MAX_GOAL and "\n" not in entry and not entry.casefold().startswith((SCOPE, *OUT_OF_SCOPE))
        for entry in first
    )


def _excludes(entry: str) -> bool:
    """Whether the entry says something that is out of scope."""
    return any(entry.casefold().startswith(mark) and entry[len(mark) :].strip() for mark in OUT_OF_SCOPE)
