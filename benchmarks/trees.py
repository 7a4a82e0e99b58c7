"""Cost of rendering and parsing, compared with other libraries for the same text."""

import time
from xml.etree import ElementTree
from xml.parsers import expat

from lxml import etree

from benchmarks.measure import Target, judge, medians, report
from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.parse import parse
from lib.workflow.render.text import render_text
from lib.workflow.render.xml import render

COUNT = 1000
ROUNDS = 60
TEXTS = [
    f"Agent {number} reads module {number} and reports" + " a < b & c" * (number % 20 == 0) for number in range(COUNT)
]
"""One in twenty holds text that must not be taken for markup."""


def build() -> Element:
    """Return the tree: COUNT elements, each with an attribute and a text."""
    return Element("agents", {}, [Element("agent", {"index": str(n)}, text) for n, text in enumerate(TEXTS)])


def by_format() -> str:
    """Format one f-string per element without escapes, which is wrong for one in twenty."""
    inner = "\n".join([f'<agent index="{n}">{text}</agent>' for n, text in enumerate(TEXTS)])
    return f"<agents>\n{inner}\n</agents>"


def by_lxml() -> bytes:
    """Build and serialise."""
    root = etree.Element("agents")
    for number, text in enumerate(TEXTS):
        etree.SubElement(root, "agent", index=str(number)).text = text
    return etree.tostring(root)


def by_etree() -> bytes:
    """Build and serialise."""
    root = ElementTree.Element("agents")
    for number, text in enumerate(TEXTS):
        ElementTree.SubElement(root, "agent", index=str(number)).text = text
    return ElementTree.tostring(root)


def tokenise(text: str) -> None:
    """Parse with expat alone, without handlers."""
    expat.ParserCreate().Parse(text, True)


def main() -> bool:
    """Print the tables and return True if the targets are met."""
    tree = build()
    printed = render(tree)
    assert parse(printed) == Document([tree])
    writing = medians(
        {
            "one f-string, nothing escaped": by_format,
            "render a tree": lambda: render(tree),
            "render it as plain text": lambda: render_text(tree),
            "build the tree": build,
            "build and render": lambda: render(build()),
            "lxml: build + tostring": by_lxml,
            "xml.etree: build + tostring": by_etree,
        },
        ROUNDS,
        time.process_time,
    )
    report(f"Writing {COUNT:,} elements with text, median of {ROUNDS}", writing, 1e-6 * COUNT, "us/element")
    reading = medians(
        {
            "expat, no handlers": lambda: tokenise(printed),
            "parse to a checked tree": lambda: parse(printed),
            "build the same tree by hand": build,
            "lxml: fromstring": lambda: etree.fromstring(printed),
            "xml.etree: fromstring": lambda: ElementTree.fromstring(printed),
        },
        ROUNDS,
        time.process_time,
    )
    report(f"Reading them, median of {ROUNDS}", reading, 1e-6 * COUNT, "us/element")
    seconds = writing | reading
    seconds["expat + building the nodes"] = reading["expat, no handlers"] + reading["build the same tree by hand"]
    return judge(
        seconds,
        Target("render a tree", 9, "one f-string, nothing escaped"),
        Target("render a tree", 0.6, "lxml: build + tostring"),
        Target("parse to a checked tree", 2.4, "expat + building the nodes"),
    )
