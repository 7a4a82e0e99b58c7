"""The tree as XML text, the form that steps print and the parser reads."""

from ..ast.declare import Node
from ..ast.nodes import Document, Element, Text
from ..ast.visitor import Visitor
from .layout import attribute, cdata, flow, indented, mixed
from .outline import Item, Outline, outline


class XmlRenderer(Visitor[str]):
    """Prints any node from the declaration of its class; nothing but text and open elements is special."""

    def generic(self, node: Node) -> str:
        return self.outlined(outline(node))

    def text(self, node: Text) -> str:
        return cdata(node.value)

    def element(self, node: Element) -> str:
        attributes = "".join([attribute(name, value) for name, value in node.attributes])
        if len(node.children) == 1:
            (child,) = node.children
            if type(child) is Text:
                return flow(node.tag, attributes, child.value)
        return mixed(node.tag, attributes, [child.accept(self) for child in node.children])

    def document(self, node: Document) -> str:
        return "\n\n".join([block.accept(self) for block in node.blocks])

    def outlined(self, made: Outline) -> str:
        """An outline as XML: a text alone can stand inline, elements in a structure are indented."""
        attributes = "".join([attribute(name, value) for name, value in made.attributes])
        if made.mixed and len(made.items) == 1:
            (item,) = made.items
            if isinstance(item, Text):
                return flow(made.tag, attributes, item.value)
            if isinstance(item, str):
                return flow(made.tag, attributes, item)
        items = [self.item(item) for item in made.items]
        return mixed(made.tag, attributes, items if made.mixed else [indented(item) for item in items])

    def item(self, item: Item) -> str:
        """What stands in an element."""
        if isinstance(item, Node):
            return item.accept(self)
        return cdata(item) if isinstance(item, str) else self.outlined(item)


def render(node: Node) -> str:
    """The node as XML text. `parse` makes the same node of it."""
    return node.accept(_RENDERER)


_RENDERER = XmlRenderer()
