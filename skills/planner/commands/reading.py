"""Reading a plan: one part of it, or what there is."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Final

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Code, Element
from lib.workflow.codec import codec
from lib.workflow.errors import RefusedError
from lib.workflow.table.arguments import Flag

from ..schema.decisions import Decision, RejectedAlternative, Risk
from ..schema.diagram import Diagram
from ..schema.entities import Entity, entities, find
from ..schema.ids import Kind, kind_of
from ..schema.milestone import CodeChange, CodeIntent, Milestone
from ..schema.plan import Plan, Wave
from .parts import KNOWLEDGE, OVERVIEW, constraint_id, constraint_place

PLAN: Final = "plan"
MAX_TITLE: Final = 100
"""Characters of an entity's text that a list shows."""


class Listed(StrEnum):
    """What a list can be of."""

    DECISIONS = "decisions"
    REJECTED_ALTERNATIVES = "rejected-alternatives"
    CONSTRAINTS = "constraints"
    RISKS = "risks"
    DIAGRAMS = "diagrams"
    MILESTONES = "milestones"
    INTENTS = "intents"
    CHANGES = "changes"
    WAVES = "waves"


LISTS: Final[Mapping[Listed, Kind]] = {
    Listed.DECISIONS: Kind.DECISION,
    Listed.REJECTED_ALTERNATIVES: Kind.REJECTED_ALTERNATIVE,
    Listed.CONSTRAINTS: Kind.CONSTRAINT,
    Listed.RISKS: Kind.RISK,
    Listed.DIAGRAMS: Kind.DIAGRAM,
    Listed.MILESTONES: Kind.MILESTONE,
    Listed.INTENTS: Kind.INTENT,
    Listed.CHANGES: Kind.CHANGE,
    Listed.WAVES: Kind.WAVE,
}


def get(
    plan: Plan,
    id_: Annotated[str, Flag(description="what to show: an id as M-001, or overview, knowledge, plan")],
) -> Node:
    """Show one part of the plan as JSON.

    Its version is the one that an update of it must name.
    """
    if id_ == PLAN:
        return _shown(id_, plan.version, codec(Plan).dumps(plan))
    if id_ == OVERVIEW:
        return _shown(id_, plan.version, codec(type(plan.overview)).dumps(plan.overview))
    if id_ == KNOWLEDGE:
        return _shown(id_, plan.version, codec(type(plan.invisible_knowledge)).dumps(plan.invisible_knowledge))
    if kind_of(id_) is Kind.CONSTRAINT:
        constraint = plan.planning_context.constraints[constraint_place(plan, id_)]
        return Element("entity", {"id": id_, "version": str(plan.version)}, constraint)
    entity = find(plan, id_)
    if entity is None:
        raise RefusedError("unknown-id", id_, "there is no such part of the plan", "list shows what there is")
    return _shown(id_, entity.version, codec(type(entity)).dumps(entity))


def _shown(id_: str, version: int, text: str) -> Node:
    return Element("entity", {"id": id_, "version": str(version)}, [Code(language="json", text=text)])


def list_(
    plan: Plan, kind: Annotated[Listed | None, Flag(description="only these; all where none is named")] = None
) -> Node:
    """List what there is, with ids and versions."""
    listed = LISTS if kind is None else {kind: LISTS[kind]}
    return Element("entities", {}, [Element(name, {}, [*_rows(plan, each)]) for name, each in listed.items()])


def _rows(plan: Plan, kind: Kind) -> Iterator[Node]:
    if kind is Kind.CONSTRAINT:
        for place, constraint in enumerate(plan.planning_context.constraints):
            yield _row(constraint_id(place), plan.version, constraint)
    for entity in entities(plan, kind):
        yield _row(entity.id, entity.version, title(entity))


def _row(id_: str, version: int, text: str) -> Node:
    line = " ".join(text.split())
    short = line if len(line) <= MAX_TITLE else f"{line[: MAX_TITLE - 1]}…"
    return Element("entity", {"id": id_, "version": str(version)}, short)


def title(entity: Entity) -> str:
    """What tells the entity from others of its kind."""
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
