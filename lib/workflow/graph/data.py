"""The transition graph of a workflow as data, read from its steps without running handlers."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from attrs import evolve, frozen

from ..ast.nodes import Document
from ..ast.step import StepHeader
from ..core import Workflow
from ..core.step import StepDef
from ..core.transitions import reachable_from
from ..handlers.base import Script
from ..types import Outcome
from .dispatches import Dispatched, dispatched


class Decider(StrEnum):
    """The one who chooses among the outcomes of a step that has several."""

    AGENT = "agent"
    """The agent, at a gate: it checks its own work against the conditions."""
    REPLY = "reply"
    """The reply of the sub-agent to which the step was dispatched."""
    USER = "user"
    """The user: the step asks, and waits."""
    STEP = "step"
    """The step itself, by its parameters and its state."""


@frozen(kw_only=True)
class GraphNode:
    """One step."""

    number: int
    id: str
    title: str
    phase: str | None
    entry: bool
    end: bool
    """True if one of its outcomes ends the workflow."""
    decider: Decider | None
    """None if only one outcome is possible."""
    dispatches: tuple[Dispatched, ...]
    looping: bool
    """True if a path leads from the step back to it."""
    rounds: int | None
    """Maximum rounds of a looping step; None if another step of its loop has the limit."""


@frozen(kw_only=True)
class GraphEdge:
    """One outcome of a step, and its target."""

    source: str
    target: str | None
    """None is the end of the workflow, unless a script takes over."""
    script: str | None
    """Module of another workflow, which takes over at its first step."""
    outcome: Outcome
    """DEFAULT covers every outcome without its own edge, if the handler does not name its outcomes."""
    condition: str | None
    back: bool
    """True if it leads to its own step or to an earlier one."""


@frozen
class Graph:
    """A workflow's steps in order of their numbers, and its transitions in order of their steps."""

    name: str
    description: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    def node(self, step_id: str) -> GraphNode:
        """Return the node of a step. Raises KeyError for an unknown id."""
        return {node.id: node for node in self.nodes}[step_id]

    def leaving(self, node: GraphNode) -> tuple[GraphEdge, ...]:
        """Return the edges that leave a step."""
        return tuple(edge for edge in self.edges if edge.source == node.id)


def graph_of(workflow: Workflow) -> Graph:
    """Return the graph that a workflow declares.

    Dispatches that only a slot's function makes are missing; see `printed`.
    """
    nodes = tuple(_node(workflow, step) for step in workflow.steps.values())
    edges = tuple(edge for step in workflow.steps.values() for edge in _edges(workflow, step))
    return Graph(workflow.name, workflow.description, nodes, edges)


def printed(graph: Graph, documents: Iterable[Document]) -> Graph:
    """Return the graph with the dispatches that steps printed, which a slot's function may have made."""
    nodes = {node.number: node for node in graph.nodes}
    for document in documents:
        header = next((block for block in document.blocks if isinstance(block, StepHeader)), None)
        if header is not None and header.script == graph.name and header.step in nodes:
            sent = dict.fromkeys([*nodes[header.step].dispatches, *dispatched(document.blocks)])
            nodes[header.step] = evolve(nodes[header.step], dispatches=tuple(sent))
    return evolve(graph, nodes=tuple(nodes.values()))


def _node(workflow: Workflow, step: StepDef) -> GraphNode:
    following = {name: other.following for name, other in workflow.steps.items()}
    looping = step.id in reachable_from(following, step.following)
    return GraphNode(
        number=workflow.number(step.id),
        id=step.id,
        title=step.title,
        phase=step.phase,
        entry=step.id == workflow.entry_point,
        end=None in step.next.values(),
        decider=_decider(step),
        dispatches=tuple(dict.fromkeys(_declared(step))),
        looping=looping,
        rounds=step.rounds if looping else None,
    )


def _decider(step: StepDef) -> Decider | None:
    if step.kind.asks:
        return Decider.USER
    happen, left = step.kind.outcomes
    if left or step.when:
        return Decider.REPLY if step.kind.replies else Decider.AGENT
    return Decider.STEP if len(step.next) > 1 or (happen is not None and len(happen) > 1) else None


def _declared(step: StepDef) -> Iterator[Dispatched]:
    kind = step.kind
    if kind.agent and kind.script:
        yield Dispatched(agent=kind.agent, script=kind.script.module, many=kind.roster is not None)
    yield from dispatched(step.actions)
    yield from dispatched(slot for slot in step.slots.values() if not callable(slot))


def _edges(workflow: Workflow, step: StepDef) -> Iterator[GraphEdge]:
    happen, left = step.kind.outcomes
    conditions = step.conditions() if left else step.when
    for key, target in step.next.items():
        others = sorted((happen or ()) - step.next.keys()) if key is Outcome.DEFAULT and happen else [key]
        for outcome in others:
            yield GraphEdge(
                source=step.id,
                target=target if isinstance(target, str) else None,
                script=target.module if isinstance(target, Script) else None,
                outcome=outcome,
                condition=conditions.get(outcome),
                back=isinstance(target, str) and workflow.number(target) <= workflow.number(step.id),
            )
