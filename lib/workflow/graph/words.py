"""Texts for steps and transitions, the same in all drawings; each is one line that is safe on a screen."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from ..types import Outcome
from ..util.characters import on_a_screen
from ..util.plurals import count
from .data import Decider, Graph, GraphEdge, GraphNode
from .dispatches import Dispatched

START: Final = "start"
END: Final = "end"
SCRIPT: Final = "script"
_OTHERWISE: Final = "otherwise"
_DECIDES: Final = {
    Decider.AGENT: "gate, the agent decides",
    Decider.USER: "gate, the user decides",
    Decider.STEP: "the step itself decides",
}


def title(node: GraphNode) -> str:
    """Return the title of a step."""
    return on_a_screen(node.title)


def notes(node: GraphNode) -> tuple[str, ...]:
    """Return notes on a step: its decider, its dispatches, its maximum rounds."""
    return tuple(_notes(node))


def edge_labels(edge: GraphEdge) -> tuple[str, ...]:
    """Return the outcome as a word, and its condition if it has one."""
    word = _OTHERWISE if edge.outcome is Outcome.DEFAULT else str(edge.outcome)
    return (word, on_a_screen(edge.condition)) if edge.condition else (word,)


def phases(graph: Graph) -> Iterator[tuple[str, tuple[GraphNode, ...]]]:
    """Yield the steps in order, with neighbours of one phase together; '' means no phase."""
    for phase, nodes in groupby(graph.nodes, key=lambda node: on_a_screen(node.phase or "")):
        yield phase, tuple(nodes)


def _notes(node: GraphNode) -> Iterator[str]:
    if node.decider in _DECIDES:
        yield _DECIDES[node.decider]
    yield from map(_sent, node.dispatches)
    if node.rounds is not None:
        yield f"at most {count(node.rounds, 'round')}"


def _sent(sent: Dispatched) -> str:
    agents = f"{sent.agent} agents run" if sent.many else f"{sent.agent} runs"
    return f"dispatch, {agents} {sent.script}"
