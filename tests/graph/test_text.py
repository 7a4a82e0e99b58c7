"""The graph in a terminal: no text imitates a line of the program, and no line is too wide."""

import json
from collections.abc import Iterator
from unicodedata import east_asian_width

import pytest
from attrs import asdict

from lib.workflow.graph.data import Graph
from lib.workflow.graph.text import text
from lib.workflow.graph.words import edge_labels, notes, phases
from lib.workflow.util.characters import on_a_screen
from lib.workflow.util.documents import json_text
from tests.graph.subjects import GRAPHS, HOSTILE, hostile


def own_lines(graph: Graph) -> Iterator[str]:
    """Yield the program's own lines in order: the start of each line that is not an author's text."""
    targets: dict[str | None, str] = {node.id: str(node.number) for node in graph.nodes} | {None: "end"}
    yield from (f"start → {node.number}" for node in graph.nodes if node.entry)
    phased = any(node.phase for node in graph.nodes)
    for _, nodes in phases(graph):
        if phased:
            yield "phase"
        for node in nodes:
            yield str(node.number)
            yield from (f"[{note}]" for note in notes(node))
            for edge in graph.leaving(node):
                yield f"{edge_labels(edge)[0]} → {f'script {edge.script}' if edge.script else targets[edge.target]}"


def read(printed: str, graph: Graph) -> Iterator[str]:
    """Yield the lines that are the program's own, by the column in which they start."""
    margin = len(str(len(graph.nodes))) + 3
    _, *rest = printed.split("\n\n")
    for line in "\n\n".join(rest).split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if line and indent == 0:
            yield "phase"
        elif 0 < indent < margin:
            yield line[:margin].strip()
        elif indent == margin:
            yield line.strip() if line.strip().startswith("[") else line[margin:].split("  ")[0]


@pytest.mark.parametrize("graph", [*GRAPHS, *map(hostile, HOSTILE)], ids=lambda graph: graph.name[:20])
def test_lines_of_the_program_are_distinct_from_hostile_texts(graph: Graph) -> None:
    lines = list(read(text(graph, 400), graph))
    assert [line for line in lines if line] == list(own_lines(graph))


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    for graph in GRAPHS:
        for line in text(graph, width).split("\n"):
            assert sum(2 if east_asian_width(char) in "WF" else 1 for char in line) <= width
            assert line.isprintable() or "\u200d" in line


def test_json_holds_every_text_unchanged() -> None:
    for graph in GRAPHS:
        told_as = json.loads(json_text(asdict(graph)))
        assert (told_as["name"], told_as["description"]) == (graph.name, graph.description)
        assert [node["title"] for node in told_as["nodes"]] == [node.title for node in graph.nodes]
        assert [edge["outcome"] for edge in told_as["edges"]] == [edge.outcome for edge in graph.edges]
        assert {edge["target"] for edge in told_as["edges"]} <= {node["id"] for node in told_as["nodes"]} | {None}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\tb \r\n c", "a b c"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\u202etxt\u2066", r"\u202etxt\u2066"),
        ("🙂 日本 é ‍", "🙂 日本 é ‍"),
        ("\ud800", r"\ud800"),
    ],
)
def test_terminal_gets_one_line_without_control_characters(given: str, shown: str) -> None:
    assert on_a_screen(given) == shown
