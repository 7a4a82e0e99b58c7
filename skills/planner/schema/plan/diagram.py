"""Diagrams as graphs: the content to show, apart from how it is drawn."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, field, frozen
from attrs.validators import optional

from lib.workflow.util.characters import check_line, one_line
from lib.workflow.util.structs import Struct

from ..ids import EntityKind, IdOf

if TYPE_CHECKING:
    from attrs import Attribute

OVERVIEW: Final = "overview"
INVISIBLE_KNOWLEDGE: Final = "invisible_knowledge"
MILESTONE: Final = "milestone:"
MAX_LABEL: Final = 200
"""Most characters of a label."""


class DiagramType(StrEnum):
    """The kind of content that is shown, which decides the layout."""

    ARCHITECTURE = "architecture"
    STATE = "state"
    SEQUENCE = "sequence"
    DATAFLOW = "dataflow"


def _label(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    where = f"{type(instance).__name__}.{attribute.name}"
    check_line(value, where)
    if len(value) > MAX_LABEL:
        raise ValueError(
            f"{where}: has {len(value):,} characters, the limit is {MAX_LABEL}; put the rest into the plan"
        )


def _scope(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    one_line(instance, attribute, value)
    if value not in (OVERVIEW, INVISIBLE_KNOWLEDGE) and value.removeprefix(MILESTONE) in (value, ""):
        legal = f"{OVERVIEW!r}, {INVISIBLE_KNOWLEDGE!r} or '{MILESTONE}M-001'"
        raise ValueError(f"Diagram.scope: {value!r:.60} is not a scope; write {legal}")


@frozen(kw_only=True)
class DiagramNode(Struct):
    """One box, state, party or stage."""

    id: str = field(validator=one_line)
    """The name that edges use, unique within its diagram: `node-001`."""
    label: str = field(validator=[one_line, _label])
    type: str | None = field(default=None, validator=[one_line, optional(_label)])
    """Its kind, in free words: service, database, queue."""


@frozen(kw_only=True)
class DiagramEdge(Struct):
    """One arrow. The edges of a sequence are in the order of time."""

    source: str = field(validator=one_line)
    target: str = field(validator=one_line)
    label: str = field(default="", validator=_label)
    protocol: str | None = field(default=None, validator=[one_line, optional(_label)])
    """The transport, in free words: gRPC, HTTP."""


@frozen(kw_only=True)
class Diagram(Struct):
    """A graph and, once the technical writer has drawn it, its drawing.

    A render always shows the current graph: `succeeding` drops it when the graph changes.
    """

    id: str = field(validator=IdOf(EntityKind.DIAGRAM))
    version: int = 1
    """The version of the whole diagram: its nodes and edges have no versions of their own."""
    type: DiagramType = DiagramType.ARCHITECTURE
    scope: str = field(validator=_scope)
    """Its place in plan.md: `overview`, `invisible_knowledge` or `milestone:M-001`."""
    title: str = field(validator=one_line)
    nodes: tuple[DiagramNode, ...] = ()
    edges: tuple[DiagramEdge, ...] = ()
    ascii_render: str | None = None

    @property
    def milestone(self) -> str | None:
        """Return the id of the milestone that it belongs to, if its scope is one."""
        return self.scope.removeprefix(MILESTONE) if self.scope.startswith(MILESTONE) else None

    @property
    def graph(self) -> tuple[object, ...]:
        """Return the content that a drawing shows."""
        return self.type, self.nodes, self.edges


def succeeding(after: Diagram, before: Diagram) -> Diagram:
    """Return the diagram after a change, without its render if that shows the old graph."""
    stale = after.graph != before.graph and after.ascii_render == before.ascii_render
    return evolve(after, ascii_render=None) if stale else after
