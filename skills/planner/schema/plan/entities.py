"""The entities of a plan by their ids: find, replace and remove them."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar

from attrs import evolve

from ..ids import EntityKind, kind_of
from .decisions import Decision, PlanningContext, RejectedAlternative, Risk
from .diagram import Diagram
from .document import Plan, Wave
from .milestone import CodeChange, CodeIntent, Milestone

KIND_OF: Final[Mapping[type, EntityKind]] = {
    Decision: EntityKind.DECISION,
    RejectedAlternative: EntityKind.REJECTED_ALTERNATIVE,
    Risk: EntityKind.RISK,
    Diagram: EntityKind.DIAGRAM,
    Milestone: EntityKind.MILESTONE,
    CodeIntent: EntityKind.INTENT,
    CodeChange: EntityKind.CHANGE,
    Wave: EntityKind.WAVE,
}
Entity: TypeAlias = Decision | RejectedAlternative | Risk | Diagram | Milestone | CodeIntent | CodeChange | Wave
"""The classes that have an id and a version of their own."""


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Identified)


def milestone_of(entity_id: str) -> str:
    """Return the milestone whose series the id of an intent or a change is numbered in."""
    return entity_id.partition("-")[2].rpartition("-")[0]


def entities(plan: Plan, kind: EntityKind) -> Sequence[Entity]:
    """Return all entities of a kind, in their order. Constraints are texts, not entities, so they are not included."""
    match kind:
        case EntityKind.DECISION:
            return plan.planning_context.decisions
        case EntityKind.REJECTED_ALTERNATIVE:
            return plan.planning_context.rejected_alternatives
        case EntityKind.RISK:
            return plan.planning_context.risks
        case EntityKind.DIAGRAM:
            return plan.diagram_graphs
        case EntityKind.MILESTONE:
            return plan.milestones
        case EntityKind.INTENT:
            return [intent for milestone in plan.milestones for intent in milestone.code_intents]
        case EntityKind.CHANGE:
            return [change for milestone in plan.milestones for change in milestone.code_changes]
        case EntityKind.WAVE:
            return plan.waves
        case EntityKind.CONSTRAINT:
            return ()


def find(plan: Plan, entity_id: str) -> Entity | None:
    """Return the entity of that id, if there is one."""
    kind = kind_of(entity_id)
    found = () if kind is None else entities(plan, kind)
    return next((entity for entity in found if entity.id == entity_id), None)


def put(plan: Plan, entity: Entity) -> Plan:
    """Return the plan with the entity in the place of the one with its id, or else at the end of its list."""
    context = plan.planning_context
    match entity:
        case Decision():
            return _within(plan, evolve(context, decisions=_put(context.decisions, entity)))
        case RejectedAlternative():
            return _within(plan, evolve(context, rejected_alternatives=_put(context.rejected_alternatives, entity)))
        case Risk():
            return _within(plan, evolve(context, risks=_put(context.risks, entity)))
        case Diagram():
            return evolve(plan, diagram_graphs=_put(plan.diagram_graphs, entity))
        case Milestone():
            return evolve(plan, milestones=_put(plan.milestones, entity))
        case Wave():
            return evolve(plan, waves=_put(plan.waves, entity))
        case CodeIntent() | CodeChange():
            owner = milestone_of(entity.id)
            changed = tuple(_holding(each, entity) if each.id == owner else each for each in plan.milestones)
            return evolve(plan, milestones=changed)


def without(plan: Plan, entity_id: str) -> Plan:
    """Return the plan without the entity of that id. References to it stay."""
    context = plan.planning_context
    return evolve(
        plan,
        planning_context=evolve(
            context,
            decisions=_without(context.decisions, entity_id),
            rejected_alternatives=_without(context.rejected_alternatives, entity_id),
            risks=_without(context.risks, entity_id),
        ),
        diagram_graphs=_without(plan.diagram_graphs, entity_id),
        milestones=tuple(
            evolve(
                milestone,
                code_intents=_without(milestone.code_intents, entity_id),
                code_changes=_without(milestone.code_changes, entity_id),
            )
            for milestone in _without(plan.milestones, entity_id)
        ),
        waves=_without(plan.waves, entity_id),
    )


def _within(plan: Plan, context: PlanningContext) -> Plan:
    return evolve(plan, planning_context=context)


def _holding(milestone: Milestone, entity: CodeIntent | CodeChange) -> Milestone:
    if isinstance(entity, CodeIntent):
        return evolve(milestone, code_intents=_put(milestone.code_intents, entity))
    return evolve(milestone, code_changes=_put(milestone.code_changes, entity))


def _put(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    if any(each.id == item.id for each in items):
        return tuple(item if each.id == item.id else each for each in items)
    return (*items, item)


def _without(items: tuple[T, ...], entity_id: str) -> tuple[T, ...]:
    return tuple(item for item in items if item.id != entity_id)
