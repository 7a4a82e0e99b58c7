"""Removal of an entity, or a part of a diagram, from the plan."""

from typing import Annotated

from lib.workflow.ast.results import Operation
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError

from ...schema.ids import EntityKind, kind_of
from ...schema.plan.diagram import Diagram
from ...schema.plan.document import Plan
from ...schema.plan.entities import find, without
from ...schema.plan.milestone import CodeChange
from .conflict import check_version
from .diagrams import without_part
from .entity import Result, Version, at, changed
from .parts import remove_constraint


def remove(
    plan: Plan,
    id_: Annotated[str, Flag(ref=True, description="the id of the entity to remove, such as DL-001")],
    version: Version = None,
    node: Annotated[str | None, Flag(description="only this node of a diagram")] = None,
    edge: Annotated[int | None, Flag(min=1, description="only this edge of a diagram, by its number")] = None,
) -> Result:
    """Remove something that nothing refers to any more.

    It is an entity, a constraint, or one node or edge of a diagram.
    """
    kind = kind_of(id_)
    if kind is EntityKind.CONSTRAINT:
        return remove_constraint(plan, id_, version)
    entity = find(plan, id_)
    if entity is None:
        what = "no plan has such an id" if kind is None else f"no {kind.word} has this id"
        raise RefusedError("unknown-id", id_, what, "list shows the ids")
    check_version(id_, entity.version, version, entity)
    if node is None and edge is None:
        return changed(plan, without(plan, id_), id_, entity.version, Operation.DELETED)
    if not isinstance(entity, Diagram):
        raise RefusedError("invalid-value", id_, "only diagrams have nodes and edges", "leave node and edge out")
    return without_part(plan, entity, node, edge)


def remove_change(
    plan: Plan,
    id_: Annotated[str, Flag(ref=True, description="the change to remove, such as CC-M-001-001")],
    version: Version = None,
) -> Result:
    """Remove the change of a file."""
    before = at(plan, CodeChange, id_, version)
    return changed(plan, without(plan, id_), id_, before.version, Operation.DELETED)
