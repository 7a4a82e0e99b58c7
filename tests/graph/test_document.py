"""The graph as a page: every step and transition is drawn, and described in words; texts stay texts."""

import re
from collections.abc import Iterable

import pytest
from lxml import html

from lib.workflow.ast.prose import Look
from lib.workflow.graph.data import Graph
from lib.workflow.graph.document import document
from lib.workflow.graph.drawing import arrows, groups
from lib.workflow.graph.words import edge_labels
from lib.workflow.render.html import render_html
from tests.graph.subjects import GRAPHS, hostile


def page(graph: Graph) -> html.HtmlElement:
    return html.document_fromstring(render_html(document(graph)))


def without_blanks(lines: Iterable[str | None]) -> str:
    return "".join("".join(filter(None, lines)).split())


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name[:20])
def test_a_drawing_has_every_box_and_every_arrow(graph: Graph) -> None:
    (svg,) = page(graph).find_class("flow")
    boxes = [box for _, inner in groups(graph) for box in inner]
    drawn = {look: len(svg.find_class(look)) // (2 if look is Look.DISPATCH else 1) for look in Look}
    assert sum(drawn.values()) == len(boxes)
    assert svg.get("aria-label").endswith(f": {len(boxes)} boxes, {len(list(arrows(graph)))} arrows")
    said = without_blanks(text.text for text in svg.xpath(".//text"))
    assert all(without_blanks(box.lines) in said for box in boxes)
    assert all(without_blanks([": ".join(arrow.lines)]) in said for arrow in arrows(graph))
    heads = [re.match(r"M(-?\d+) (-?\d+)", head.get("d"))[0] for head in svg.find_class("head")]  # type: ignore[index]
    assert len(set(heads)) == len(heads)


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name[:20])
def test_each_step_says_its_outcomes_and_leads_to_what_follows(graph: Graph) -> None:
    root = page(graph)
    places = {f"step-{node.number}": link for node in graph.nodes for link in _place(root, node.number, node.title)}
    for node in graph.nodes:
        (section,) = (each.getparent() for each in root.xpath(f"//h3[@id='{places[f'step-{node.number}']}']"))
        (ways,) = section.xpath("./div[p='Outcomes']/ul")
        assert [way.text_content().partition(" ")[0] for way in ways] == [
            edge_labels(edge)[0] for edge in graph.leaving(node)
        ]
        for way, edge in zip(ways, graph.leaving(node), strict=True):
            target = edge.target and f"step-{graph.node(edge.target).number}"
            if target and edge.target != node.id:
                assert way.xpath(".//a/@href")[0] == f"#{places[target]}"


def _place(root: html.HtmlElement, number: int, title: str) -> list[str]:
    return [heading.get("id") for heading in root.xpath("//h3") if heading.text_content().startswith(f"{number} - ")]


def test_a_hostile_text_brings_no_element_and_no_link_elsewhere() -> None:
    harmless = {(element.tag, *sorted(element.attrib)) for element in page(hostile("plain")).iter()}
    for graph in GRAPHS:
        root = page(graph)
        assert not root.xpath("//script | //img | //iframe | //link | //base | //form")
        assert not [link for _, name, link, _ in root.iterlinks() if name and not link.startswith("#")]
        found = {(element.tag, *sorted(element.attrib)) for element in root.iter()}
        assert found - harmless <= {("code",)}, "code spans are marked so by their author"
