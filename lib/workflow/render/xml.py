"""A renderer of trees as XML text, the format that steps print and the parser reads."""

from collections.abc import Sequence

from ..ast.fields import Node, check_depth
from ..ast.invoke import Invoke
from ..ast.nodes import Document, Element, Text
from ..ast.visitor import Visitor
from .layout import INDENT, attribute, cdata, indented
from .writer import bullet, field_writers, tag_of


class XmlRenderer(Visitor[None]):
    """Renderer of any node from its class's declaration, line by line; only texts and free elements are special."""

    def __init__(self) -> None:
        self.out: list[str] = []
        """Written lines, without their newlines."""
        self.pad = ""
        """Indentation of the next line."""

    def generic(self, node: Node, more: str = "") -> None:
        """Write a declared node, with `more` attributes first."""
        element = _Open(self, tag_of(node) if node.shorthand else node.tag, more)
        for tell in field_writers(type(node)):  # `serialize`, without the call
            tell(node, element)
        element.close()

    def text(self, node: Text) -> None:
        self.out.append(indented(cdata(node.value), self.pad) if self.pad else cdata(node.value))

    def element(self, node: Element) -> None:
        attributes = "".join([attribute(name, value) for name, value in node.attributes])
        if len(node.children) == 1 and type(node.children[0]) is Text:
            self.out.append(_flow(f"{self.pad}<{node.tag}{attributes}", node.tag, self.pad, node.children[0].value))
            return
        element = _Open(self, node.tag, attributes)
        element.content(node.children)
        element.close()

    def invoke(self, node: Invoke) -> None:
        command = attribute("cmd", str(node.command))
        if "&" in command:
            self.generic(node)
        else:  # the most common node of large documents
            self.out.append(f"{self.pad}<{node.tag}{command}/>")

    def document(self, node: Document) -> None:
        for number, block in enumerate(node.blocks):
            if number:
                self.out.append("")
            self.visit(block)


def render(node: Node) -> str:
    """Render the node as XML text. `parse` reverses it."""
    check_depth(node)
    renderer = XmlRenderer()
    renderer.visit(node)
    return "\n".join(renderer.out)


class _Open:
    """An element being written. Its opening tag is written when its attributes are complete."""

    __slots__ = ("begun", "closed", "head", "inner", "out", "pad", "renderer", "tag")

    def __init__(self, renderer: XmlRenderer, tag: str, attributes: str) -> None:
        self.renderer = renderer
        self.out = renderer.out
        self.pad = pad = renderer.pad
        self.inner = pad + INDENT
        self.tag = tag
        self.head = f"{pad}<{tag}{attributes}"
        self.begun = self.closed = False

    def attribute(self, name: str, value: str) -> None:
        self.head += attribute(name, value)

    def text(self, text: str) -> None:
        if text:
            self.filled(text)

    def lines(self, items: Sequence[str]) -> None:
        for item in items:
            self.begin()
            self.out.append(indented(cdata(bullet(item)), self.inner))

    def content(self, items: Sequence[Node]) -> None:
        if len(items) == 1 and type(items[0]) is Text:
            self.filled(items[0].value)
        elif items:
            self.begin()
            for item in items:
                self.renderer.visit(item)

    def field(self, name: str, text: str) -> None:
        if not self.begun:
            self.begin()
        pad = self.inner
        self.out.append(_flow(f"{pad}<{name}", name, pad, text) if text else f"{pad}<{name}/>")

    def node(self, node: Node) -> None:
        if not self.begun:
            self.begin()
        self.renderer.pad = self.inner
        self.renderer.visit(node)
        self.renderer.pad = self.pad

    def wrapper(self, tag: str, nodes: Sequence[Node], numbered: bool) -> None:
        self.begin()
        pad = self.inner
        if not nodes:
            self.out.append(f"{pad}<{tag}/>")
            return
        self.out.append(f"{pad}<{tag}>")
        self.renderer.pad = pad + INDENT
        for number, node in enumerate(nodes, 1):
            if numbered:
                self.renderer.generic(node, f' index="{number}"')
            else:
                self.renderer.visit(node)
        self.renderer.pad = self.pad
        self.out.append(f"{pad}</{tag}>")

    def begin(self) -> None:
        """Write the opening tag, once."""
        if not self.begun:
            self.out.append(f"{self.head}>")
            self.begun = True

    def filled(self, text: str) -> None:
        """Write the element with the one text that fills it."""
        self.out.append(_flow(self.head, self.tag, self.pad, text))
        self.closed = True

    def close(self) -> None:
        """Write the rest of the element."""
        if self.begun:
            self.out.append(f"{self.pad}</{self.tag}>")
        elif not self.closed:
            self.out.append(f"{self.head}/>")


def _flow(head: str, tag: str, pad: str, text: str) -> str:
    """Return an element with one text: inline if it is one line, else on lines of its own."""
    written = cdata(text) if "<" in text or "&" in text or "]]>" in text else text
    if "\n" in text or not text:
        return f"{head}>\n{indented(written, pad) if pad and text else written}\n{pad}</{tag}>"
    return f"{head}>{written}</{tag}>"


render_xml = render
"""Alias that matches the names of the other formats."""
