"""A renderer of trees as XML text, the format that steps print and the parser reads."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from ..ast.fields import FieldKind, FieldSpec, Node, check_depth, declaration
from ..ast.nodes import Document, Element, Invoke, Text
from ..ast.visitor import Visitor
from ..util.structs import per_class
from .layout import INDENT, attribute, cdata, fits_attribute, indented
from .writer import attributes_of, bullet, tag_of

_CHILD: Final = FieldKind.CHILD
_ELEMENT: Final = FieldKind.ELEMENT
_COMMAND: Final = FieldKind.COMMAND
_CONTENT: Final = FieldKind.CONTENT
_TEXT: Final = FieldKind.TEXT
"""Members that are read for each node: CPython 3.11 takes forty times as long to find one in its class."""


class XmlRenderer(Visitor[None]):
    """Renderer of any node from its class's declaration, line by line; only texts and free elements are special."""

    def __init__(self) -> None:
        self.out: list[str] = []
        """Written lines, without their newlines."""
        self.pad = ""
        """Indentation of the next line."""

    def generic(self, node: Node, more: str = "") -> None:
        """Write a declared node, with `more` attributes first."""
        tag, names, flow, body = _plan(type(node))
        if names is None:
            tag = tag_of(node)
            for name, value in attributes_of(node):
                more += attribute(name, value)
        else:
            for name in names:
                if (value := getattr(node, name)) is not None:
                    more += attribute(name, str(value))
        head = f"{self.pad}<{tag}{more}"
        if flow is None:
            self._body(head, tag, body, node)
        else:
            self._filled(head, tag, flow.kind, getattr(node, flow.name))

    def text(self, node: Text) -> None:
        self.out.append(indented(cdata(node.value), self.pad) if self.pad else cdata(node.value))

    def element(self, node: Element) -> None:
        head = f"{self.pad}<{node.tag}"
        for name, value in node.attributes:
            head += attribute(name, value)
        self._content(head, node.tag, node.children)

    def invoke(self, node: Invoke) -> None:
        command = str(node.command)
        if '"' in command or "&" in command or "<" in command or "\t" in command:
            self.generic(node)
        else:  # the most common node of large documents
            self.out.append(f'{self.pad}<{node.tag} cmd="{command}"/>')

    def document(self, node: Document) -> None:
        for number, block in enumerate(node.blocks):
            if number:
                self.out.append("")
            self.visit(block)

    def _body(self, head: str, tag: str, body: "_Body", node: Node) -> None:
        """Write an element with a child for each field that has a value."""
        out, outer, handlers = self.out, self.pad, self._handlers
        self.pad = pad = outer + INDENT
        begun = len(out)
        out.append(f"{head}>")
        for name, kind, part in body:
            value = getattr(node, name)
            if value is None:
                continue
            if kind is _CHILD:
                handlers[type(value)](self, value)
            elif kind is _ELEMENT:
                out.append(_flow(f"{pad}<{name}", name, pad, text) if (text := str(value)) else f"{pad}<{name}/>")
            elif kind is not _COMMAND:
                self._children(part, value)
            elif not fits_attribute(text := str(value)):
                out.append(_flow(f"{pad}<cmd", "cmd", pad, text))
        self.pad = outer
        if len(out) > begun + 1:
            out.append(f"{outer}</{tag}>")
        else:
            out[begun] = f"{head}/>"

    def _filled(self, head: str, tag: str, kind: FieldKind, value: Any) -> None:
        """Write an element that one field fills: a text, a list of texts, or text and nodes."""
        if kind is _CONTENT:
            self._content(head, tag, value)
        elif not value:
            self.out.append(f"{head}/>")
        elif kind is _TEXT:
            self.out.append(_flow(head, tag, self.pad, value))
        else:
            items = [indented(cdata(bullet(item)), self.pad + INDENT) for item in value]
            self.out += [f"{head}>", *items, f"{self.pad}</{tag}>"]

    def _content(self, head: str, tag: str, items: Sequence[Node]) -> None:
        """Write an element with text and nodes, which stay in its column."""
        if len(items) == 1 and type(items[0]) is Text:
            self.out.append(_flow(head, tag, self.pad, items[0].value))
        elif items:
            self.out.append(f"{head}>")
            for item in items:
                self.visit(item)
            self.out.append(f"{self.pad}</{tag}>")
        else:
            self.out.append(f"{head}/>")

    def _children(self, part: FieldSpec, nodes: Sequence[Node]) -> None:
        """Write a list of nodes, in its wrapper if it has one."""
        if not part.wrapper:
            for node in nodes:
                self.visit(node)
            return
        pad = self.pad
        if not nodes:
            self.out.append(f"{pad}<{part.wrapper}/>")
            return
        self.out.append(f"{pad}<{part.wrapper}>")
        self.pad = pad + INDENT
        for number, node in enumerate(nodes, 1):
            if part.numbered:
                self.generic(node, f' index="{number}"')
            else:
                self.visit(node)
        self.pad = pad
        self.out.append(f"{pad}</{part.wrapper}>")


_Body: TypeAlias = tuple[tuple[str, FieldKind, FieldSpec], ...]


@per_class
def _plan(cls: type[Node]) -> tuple[str, tuple[str, ...] | None, FieldSpec | None, _Body]:
    """Return the parts of a class's declaration that the renderer reads for each node.

    They are the tag, the names of its attributes (None if some are not fields of their own), the field that fills the
    element, and all fields of its body.
    """
    spec = declaration(cls)
    computed = cls.shorthand or cls.count_of or spec.open or any(part.kind is _COMMAND for part in spec.body)
    names = None if computed else tuple(part.name for part in spec.attributes)
    return cls.tag, names, spec.flow, tuple((part.name, part.kind, part) for part in spec.body)


def render(node: Node) -> str:
    """Render the node as XML text. `parse` reverses it."""
    check_depth(node)
    renderer = XmlRenderer()
    renderer.visit(node)
    return "\n".join(renderer.out)


def _flow(head: str, tag: str, pad: str, text: str) -> str:
    """Return an element with one text: inline if it is one line, else on lines of its own."""
    written = cdata(text) if "<" in text or "&" in text or ">" in text else text
    if "\n" not in text and text:
        return f"{head}>{written}</{tag}>"
    return f"{head}>\n{indented(written, pad) if pad and text else written}\n{pad}</{tag}>"


render_xml = render
"""Alias that matches the names of the other formats."""
