"""A renderer of trees as lxml documents, valid against the schema of their classes."""

from lxml import etree

from ..ast.nodes import Document
from ..ast.parse import parse
from ..ast.vocabulary import CORE, Vocabulary
from .schema import ROOT, schema
from .xml import render


def render_document(document: Document, validate: bool = True, vocabulary: Vocabulary = CORE) -> etree._ElementTree:
    """Return the document under a root `document`, laid out as the XML text. `parse_document` reverses it.

    Args:
        document: The tree.
        validate: If False, the tree is not checked against the schema.
        vocabulary: Tags of the workflow; by default only those of node classes.

    Raises:
        ValueError: If the schema does not allow the tree, for example for an element outside the vocabulary.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, strip_cdata=False)
    tree = etree.ElementTree(etree.fromstring(f"<{ROOT}>\n{render(document)}\n</{ROOT}>", parser))
    if validate:
        try:
            _compiled(vocabulary).assertValid(tree)
        except etree.DocumentInvalid as error:
            raise ValueError(str(error)) from None
    return tree


def parse_document(tree: etree._ElementTree) -> Document:
    """Parse an lxml tree into a document. Raises ParseError if no document renders as this tree."""
    text: str = etree.tostring(tree.getroot(), encoding="unicode")
    return parse(text.removeprefix(f"<{ROOT}>").removesuffix(f"</{ROOT}>").removesuffix(f"<{ROOT}/>"))


_SCHEMAS: dict[Vocabulary, etree.XMLSchema] = {}


def _compiled(vocabulary: Vocabulary) -> etree.XMLSchema:
    if vocabulary not in _SCHEMAS:
        _SCHEMAS[vocabulary] = etree.XMLSchema(etree.fromstring(schema(vocabulary)))
    return _SCHEMAS[vocabulary]
