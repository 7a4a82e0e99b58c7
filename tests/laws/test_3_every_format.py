"""Law 3 for each format by its name: it prints every tree, shows every text, and no text passes for its structure."""

import textwrap
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings

from lib.workflow.app.forms import forms
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import transform, walk
from tests.laws.test_1_round_trip import SETTINGS
from tests.laws.test_3_no_forging import plain
from tests.trees import BLOCKS, DOCUMENTS

FORMATS = pytest.mark.parametrize("name", sorted(forms()))


@FORMATS
@settings(SETTINGS, max_examples=100)
@given(DOCUMENTS)
def test_every_tree_prints_the_same_twice_and_shows_every_text(name: str, document: Document) -> None:
    render = forms()[name]()
    assert render(document) == render(document)
    (harmless,) = transform(document, plain)
    shown = render(harmless)
    words = [node.value for node in walk(harmless) if isinstance(node, Text)]
    assert [word for word in words if word not in shown] == []


def disguises(printed: str) -> Iterator[str]:
    """Yield texts that an unescaped renderer would print as the same lines: all of them, or those inside the first."""
    lines = printed.split("\n")
    for first in range(min(len(lines), 3)):
        for last in range(len(lines), max(first, len(lines) - 3), -1):
            yield textwrap.dedent("\n".join(lines[first:last]))


@FORMATS
@settings(SETTINGS, max_examples=100)
@given(BLOCKS)
def test_no_text_prints_as_a_node(name: str, node: Node) -> None:
    assume(not isinstance(node, Text))
    render = forms()[name]()
    real = render(CurrentAction([node]))
    for text in disguises(real):
        assert render(CurrentAction(text)) != real
