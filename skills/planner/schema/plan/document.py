"""The plan: the whole content of plan.json."""

from typing import TYPE_CHECKING, Any

from attrs import Factory, field, frozen

from lib.workflow.util.structs import Struct

from ..ids import EntityKind, IdOf
from ..values import count, text_or_blank, texts
from .decisions import PlanningContext
from .diagram import Diagram
from .milestone import Milestone

if TYPE_CHECKING:
    from attrs import Attribute

    from .findings import Finding


@frozen(kw_only=True)
class Overview(Struct):
    """The problem and its solution."""

    problem: str = field(default="", validator=text_or_blank)
    approach: str = field(default="", validator=text_or_blank)


@frozen(kw_only=True)
class InvisibleKnowledge(Struct):
    """The knowledge that the code does not say."""

    system: str = field(default="", validator=text_or_blank)
    """Architecture, data flow and the reasons of the structure, as prose."""
    invariants: tuple[str, ...] = field(default=(), validator=texts)
    tradeoffs: tuple[str, ...] = field(default=(), validator=texts)


def some(instance: object, attribute: "Attribute[Any]", value: tuple[str, ...]) -> None:
    """Check, as an attrs validator, that there is at least one."""
    if not value:
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: is empty; name at least one")


@frozen(kw_only=True)
class Wave(Struct):
    """Milestones that may be built at the same time; waves follow one another."""

    id: str = field(validator=IdOf(EntityKind.WAVE))
    version: int = field(default=1, validator=count)
    milestones: tuple[str, ...] = field(validator=[some, IdOf(EntityKind.MILESTONE)])


@frozen(kw_only=True)
class Plan(Struct):
    """A plan. Its version counts the changes of overview, knowledge and constraints, which have none of their own."""

    version: int = field(default=1, validator=count)
    overview: Overview = Factory(Overview)
    planning_context: PlanningContext = Factory(PlanningContext)
    invisible_knowledge: InvisibleKnowledge = Factory(InvisibleKnowledge)
    diagram_graphs: tuple[Diagram, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    waves: tuple[Wave, ...] = ()

    def validate_refs(self) -> "tuple[Finding, ...]":
        """Return the faults between the plan's parts in any phase; none if all references hold."""
        from .references import findings

        return findings(self)
