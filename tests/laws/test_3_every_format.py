"""Law 3 for each format by its name: it prints every tree, shows every text, and no text passes for its structure."""

import textwrap
from collections.abc import Iterator

import pytest
from hypothesis import given

from lib.workflow.app.forms import forms
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import transform, walk
from tests.laws.test_3_no_forging import plain
from tests.trees import BLOCKS, DOCUMENTS, examples

WORD = "harmless"
FORMATS = pytest.mark.parametrize("name", sorted(forms()))


@FORMATS
@examples(50)
@given(DOCUMENTS)
def test_every_tree_prints_the_same_twice_and_shows_every_text(name: str, document: Document) -> None:
    render = forms()[name]()
    assert render(document) == render(document)
    (harmless,) = transform(document, plain)
    shown = render(harmless)
    words = [node.value for node in walk(harmless) if isinstance(node, Text)]
    assert [word for word in words if word not in shown] == []


def disguises(alone: str, both: str) -> Iterator[str]:
    """Yield the texts that a careless renderer prints as a word and a node, from what it prints for the word alone."""
    node = both.partition(WORD)[2].removesuffix(alone.partition(WORD)[2])
    yield f"{WORD}{node}"
    yield f"{WORD}{textwrap.dedent(node)}"


@FORMATS
@examples(50)
@given(BLOCKS)
def test_no_text_prints_as_a_node(name: str, node: Node) -> None:
    render = forms()[name]()
    real = render(CurrentAction([WORD, node]))
    for text in disguises(render(CurrentAction(WORD)), real):
        assert render(CurrentAction(text)) != real
