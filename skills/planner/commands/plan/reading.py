"""Commands that read a plan: one part of it, or a list of its entities."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from json import dumps
from typing import Annotated, Final, NamedTuple

from attrs import fields

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.rows import Printed
from lib.workflow.codec import codec
from lib.workflow.errors import RefusedError
from lib.workflow.util.documents import json_text
from lib.workflow.util.suggest import expected

from ...reports.plan_markdown import (
    constraint_lines,
    context_markdown,
    entity_lines,
    knowledge_lines,
    overview_lines,
    plan_markdown,
)
from ...schema.context import Context
from ...schema.ids import EntityKind, kind_of
from ...schema.plan.decisions import Decision, RejectedAlternative, Risk
from ...schema.plan.diagram import Diagram
from ...schema.plan.document import InvisibleKnowledge, Overview, Plan, Wave
from ...schema.plan.entities import Entity, entities, find
from ...schema.plan.milestone import CodeChange, CodeIntent, Milestone
from ...schema.plan.versions import version_of
from ...state.files import context_store
from .parts import KNOWLEDGE, OVERVIEW, constraint_id, constraint_place

PLAN: Final = "plan"
CONTEXT: Final = "context"
MARKDOWN: Final = "markdown"
JSON: Final = "json"
MAX_TITLE: Final = 100
"""Most characters of an entity's text that a list shows."""


class Listed(StrEnum):
    """The kinds of entities that a list can show."""

    DECISIONS = "decisions"
    REJECTED_ALTERNATIVES = "rejected-alternatives"
    CONSTRAINTS = "constraints"
    RISKS = "risks"
    DIAGRAMS = "diagrams"
    MILESTONES = "milestones"
    INTENTS = "intents"
    CHANGES = "changes"
    WAVES = "waves"


LISTS: Final[Mapping[Listed, EntityKind]] = {
    Listed.DECISIONS: EntityKind.DECISION,
    Listed.REJECTED_ALTERNATIVES: EntityKind.REJECTED_ALTERNATIVE,
    Listed.CONSTRAINTS: EntityKind.CONSTRAINT,
    Listed.RISKS: EntityKind.RISK,
    Listed.DIAGRAMS: EntityKind.DIAGRAM,
    Listed.MILESTONES: EntityKind.MILESTONE,
    Listed.INTENTS: EntityKind.INTENT,
    Listed.CHANGES: EntityKind.CHANGE,
    Listed.WAVES: EntityKind.WAVE,
}
BODY: Final[Mapping[type, str]] = {CodeChange: "diff", CodeIntent: "behavior", Diagram: "ascii_render"}
"""The field that `--raw` shows of an entity if no field is named."""

Part = Plan | Overview | InvisibleKnowledge | Context | Entity
AsJson = Annotated[bool, Flag(description="as JSON")]


def get(
    plan: Plan,
    state_dir: str,
    id_: Annotated[str, Flag(ref=True, description="an id such as M-001, or overview, knowledge, plan, context")],
    diffs: Annotated[bool, Flag(description="also show the diffs of the changes of a plan or a milestone")] = False,
    json: AsJson = False,
    raw: Annotated[bool, Flag(description="print only the text of a field, unchanged; for a change, its diff")] = False,
    field: Annotated[
        str | None, Flag(description="the field for --raw; a list is printed with one item per line")
    ] = None,
) -> Printed:
    """Show one part of the plan, or the context.

    The number behind the `v` is the version that an update names. A milestone comes with its intents, and with its
    changes by id.
    """
    if kind_of(id_) is EntityKind.CONSTRAINT:
        return _constraint(plan, id_, json, raw)
    part = _part(plan, state_dir, id_)
    if raw or field is not None:
        return _text(id_, part, field)
    if json:
        return Code(language=JSON, text=codec(type(part)).dumps(part))
    return Code(language=MARKDOWN, text=_markdown(part, diffs))


def _part(plan: Plan, state_dir: str, id_: str) -> Part:
    """Return the part that an id names. Raises RefusedError for an unknown id."""
    named: dict[str, Part] = {PLAN: plan, OVERVIEW: plan.overview, KNOWLEDGE: plan.invisible_knowledge}
    if id_ in named:
        return named[id_]
    if id_ == CONTEXT:
        return context_store(state_dir).load()
    found = find(plan, id_)
    if found is None:
        fix = f"list shows the ids; other names are {', '.join((*named, CONTEXT))}"
        raise RefusedError("unknown-id", id_, "no part of the plan has this id", fix)
    return found


def _markdown(part: Part, diffs: bool) -> str:
    match part:
        case Plan():
            return plan_markdown(part, diffs)
        case Context():
            return context_markdown(part)
        case Overview():
            lines = overview_lines(part)
        case InvisibleKnowledge():
            lines = knowledge_lines(part)
        case _:
            lines = entity_lines(part, diffs)
    return "\n".join(lines)


def _constraint(plan: Plan, id_: str, json: bool, raw: bool) -> Printed:
    place = constraint_place(plan, id_)
    text = plan.planning_context.constraints[place]
    if raw:
        return text
    if json:
        return Code(language=JSON, text=dumps(text, ensure_ascii=False))
    return Code(language=MARKDOWN, text=[*constraint_lines(plan.planning_context.constraints)][place + 1])


def _text(id_: str, part: Part, field: str | None) -> str:
    """Return the text of a field. Raises RefusedError for a field that the part does not have."""
    values = {} if isinstance(part, Plan) else _texts(part)
    name = field or BODY.get(type(part), "")
    if values.get(name) is None:
        legal = expected(name, [each for each, value in values.items() if value is not None])
        what = f"it has no text {name!r:.60}" if name else "it has more than one text, or none"
        raise RefusedError("unknown-field", id_, what, f"name one with --field; {legal}")
    return str(values[name])


def _texts(part: Overview | InvisibleKnowledge | Context | Entity) -> dict[str, str | None]:
    """Return the texts of a part by field. A list is a text with a line for each item."""
    found: dict[str, str | None] = {}
    for each in fields(type(part)):
        value = getattr(part, each.name)
        if value is None or isinstance(value, str):
            found[each.name] = value
        elif isinstance(value, tuple) and all(isinstance(item, str) for item in value):
            found[each.name] = "\n".join(value)
    return found


class Row(NamedTuple):
    """One entity of a list."""

    id: str
    version: int
    title: str


def list_(
    plan: Plan,
    kind: Annotated[Listed | None, Flag(description="list only this kind (default: all)")] = None,
    json: AsJson = False,
) -> Node:
    """List the entities of the plan, one per line.

    A line has the id, the version and the beginning of the text.
    """
    kinds = LISTS.values() if kind is None else (LISTS[kind],)
    rows = [row for each in kinds for row in _rows(plan, each)]
    if json:
        return Code(language=JSON, text=json_text({"entities": [row._asdict() for row in rows]}))
    return Code(language=MARKDOWN, text="\n".join(f"- {row.id} v{row.version}: {row.title}" for row in rows))


def _rows(plan: Plan, kind: EntityKind) -> Iterator[Row]:
    if kind is EntityKind.CONSTRAINT:
        for place, constraint in enumerate(plan.planning_context.constraints):
            yield Row(constraint_id(place), version_of(constraint), _short(constraint))
    for entity in entities(plan, kind):
        yield Row(entity.id, entity.version, _short(title(entity)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_TITLE else f"{line[: MAX_TITLE - 1]}…"


def title(entity: Entity) -> str:
    """Return the text that distinguishes the entity from others of its kind."""
    match entity:
        case Decision():
            return entity.decision
        case RejectedAlternative():
            return entity.alternative
        case Risk():
            return entity.risk
        case Diagram():
            return f"{entity.title} ({entity.scope})"
        case Milestone():
            return entity.name
        case CodeIntent():
            return f"{entity.file}: {entity.behavior}"
        case CodeChange():
            return f"{entity.file} ({entity.intent_ref or 'documentation'})"
        case Wave():
            return ", ".join(entity.milestones)
