"""Graphs for tests: written in one line, or drawn by hypothesis."""

from hypothesis import strategies as st

from skills.planner.schema.plan.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType

WORDS = (
    "a",
    "queue",
    "worker",
    "(L1)",
    "数据库",
    "cafe\u0301",
    "x_y",
    "v",
    "w1",
    "w10",
    "-->",
    "validation-of-things",
    "o" * 45,
)
"""Wide characters, marks, punctuation, prefixes of other words, words like lines, one that never fits."""


def graph(kind: DiagramType, nodes: str, *edges: str) -> Diagram:
    """Return a graph: `graph(STATE, "a=Idle b=Busy", "a b begins to work", "b a")`. Underscores mean blanks."""
    named = (node.split("=") for node in nodes.split())
    ends = (edge.split(" ", 2) for edge in edges)
    return Diagram(
        id="DIAG-001",
        type=kind,
        scope="overview",
        title="t",
        nodes=tuple(DiagramNode(id=name, label=label.replace("_", " ")) for name, label in named),
        edges=tuple(DiagramEdge(source=s, target=t, label="".join(rest)) for s, t, *rest in ends),
    )


def texts(most: int) -> st.SearchStrategy[str]:
    """Return a strategy for some of the words."""
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=most).map(" ".join)


@st.composite
def graphs(draw: st.DrawFn, kinds: tuple[DiagramType, ...] = tuple(DiagramType), most: int = 8) -> Diagram:
    """Draw a graph in which every label starts with a number of its own: `n3 ...` for nodes, `e5 ...` for edges."""
    count = draw(st.integers(1, most))
    ends = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(ends, ends, st.none() | texts(3), st.none() | texts(1)), max_size=2 * most))
    return Diagram(
        id="DIAG-001",
        type=draw(st.sampled_from(kinds)),
        scope="overview",
        title="t",
        nodes=tuple(
            DiagramNode(id=f"n{n}", label=f"n{n} {draw(texts(3))}", type=draw(st.none() | texts(1)))
            for n in range(count)
        ),
        edges=tuple(
            DiagramEdge(source=f"n{s}", target=f"n{t}", label=f"e{n} {label}" if label else "", protocol=protocol)
            for n, (s, t, label, protocol) in enumerate(edges)
        ),
    )
