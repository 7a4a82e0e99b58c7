"""Tags that a document may use."""

import re

import pytest

from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.vocabulary import CORE, Vocabulary, validate
from lib.workflow.render.document import parse_document, render_document
from tests.wording import elided

TREE = Document([CurrentAction([Element("example", {"of": "x"}, [Element("note")])])])
OWN = Vocabulary({"example", "note"})


def test_a_tag_is_known_or_an_error_with_the_nearest_one() -> None:
    validate(TREE, OWN)
    with pytest.raises(ValueError, match=re.escape("tags=('note',)")):
        validate(TREE, Vocabulary(["example", "notes"]))
    with pytest.raises(ValueError, match=elided("<note> … vocabulary … <notes>")):
        validate(TREE, Vocabulary(["example", "notes"]))
    with pytest.raises(ValueError, match=r"<example> .* vocabulary; .* workflow"):
        validate(TREE, CORE)
    with pytest.raises(ValueError, match="<forbidden>"):
        validate(Element("forbiden"))


def test_the_schema_is_closed_over_the_vocabulary() -> None:
    assert parse_document(render_document(TREE, vocabulary=OWN)) == TREE
    with pytest.raises(ValueError, match="example"):
        render_document(TREE)
    assert parse_document(render_document(TREE, validate=False)) == TREE
    assert parse_document(render_document(Document([]))) == Document([])


def test_vocabularies_are_values_that_can_be_joined() -> None:
    assert Vocabulary(["example"]) | Vocabulary(["note"]) == OWN
    assert len({OWN, Vocabulary(("note", "example"))}) == 1


def test_a_vocabulary_is_a_list_of_free_names() -> None:
    with pytest.raises(TypeError, match="got the string 'example'"):
        Vocabulary("example")
    with pytest.raises(ValueError, match=r"forbidden: .* node class"):
        Vocabulary(["forbidden"])
    with pytest.raises(ValueError, match="'a b'"):
        Vocabulary(["a b"])
