"""What every drawing says of a step and of a transition, in the same words; each is one line that a screen can show."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from ..types import Outcome
from ..util.characters import on_a_screen
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
    """What the step is called."""
    return on_a_screen(node.title)


def notes(node: GraphNode) -> tuple[str, ...]:
    """Who decides, whom the step launches, how often it may come round."""
    return tuple(_notes(node))


def told(edge: GraphEdge) -> tuple[str, ...]:
    """The outcome as a word, and its condition where it has one."""
    word = _OTHERWISE if edge.outcome is Outcome.DEFAULT else str(edge.outcome)
    return (word, on_a_screen(edge.condition)) if edge.condition else (word,)


def phases(graph: Graph) -> Iterator[tuple[str, tuple[GraphNode, ...]]]:
    """The steps in their order, those of one phase that follow one another together; '' is no phase."""
    for phase, nodes in groupby(graph.nodes, key=lambda node: on_a_screen(node.phase or "")):
        yield phase, tuple(nodes)


def _notes(node: GraphNode) -> Iterator[str]:
    if node.decider in _DECIDES:
        yield _DECIDES[node.decider]
    yield from map(_sent, node.dispatches)
    if node.rounds is not None:
        yield f"at most {node.rounds} rounds"


def _sent(sent: Dispatched) -> str:
    agents = f"{sent.agent} agents run" if sent.many else f"{sent.agent} runs"
    return f"dispatch, {agents} {sent.script}"
