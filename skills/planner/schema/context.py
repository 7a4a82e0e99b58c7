"""The user's request: the content of context.json."""

from enum import StrEnum

from attrs import field, frozen

from lib.workflow.util.structs import Struct

from .values import texts


class ContextField(StrEnum):
    """The nine fields of the context."""

    TASK_SPEC = "task_spec"
    CONSTRAINTS = "constraints"
    ENTRY_POINTS = "entry_points"
    REJECTED_ALTERNATIVES = "rejected_alternatives"
    CURRENT_UNDERSTANDING = "current_understanding"
    ASSUMPTIONS = "assumptions"
    INVISIBLE_KNOWLEDGE = "invisible_knowledge"
    USER_QUOTES = "user_quotes"
    REFERENCE_DOCS = "reference_docs"


@frozen(kw_only=True)
class Context(Struct):
    """The nine fields, each a list of texts that may be empty, but not missing."""

    task_spec: tuple[str, ...] = field(validator=texts)
    """The goal in one sentence first; then `scope: …`, `out-of-scope: …`."""
    constraints: tuple[str, ...] = field(validator=texts)
    entry_points: tuple[str, ...] = field(validator=texts)
    rejected_alternatives: tuple[str, ...] = field(validator=texts)
    current_understanding: tuple[str, ...] = field(validator=texts)
    assumptions: tuple[str, ...] = field(validator=texts)
    invisible_knowledge: tuple[str, ...] = field(validator=texts)
    user_quotes: tuple[str, ...] = field(validator=texts)
    reference_docs: tuple[str, ...] = field(validator=texts)


EMPTY_CONTEXT = Context(**{name.value: () for name in ContextField})
