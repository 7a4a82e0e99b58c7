"""A renderer of trees as Markdown documents for people: sections, lists, labelled texts.

The elements of `ast.prose` give the structure. Texts become prose that shows them literally; other nodes look as in
any Markdown.
"""

from collections.abc import Iterable
from typing import Final

from ..ast import prose
from ..ast.fields import Node, check_depth
from ..ast.nodes import Element, Text
from .literal import in_line, literal
from .markdown import MarkdownRenderer, paragraphs

LISTS: Final = (prose.BULLETS, prose.NUMBERED, prose.TIMELINE)
DEEPEST: Final = 6
"""Deepest level of headings in Markdown."""


class ProseRenderer(MarkdownRenderer):
    """Renderer of sections as headings, starting at `level`."""

    def __init__(self, level: int = 1) -> None:
        self.level: Final = min(level, DEEPEST)

    def text(self, node: Text) -> str:
        return literal(node.value)

    def element(self, node: Element) -> str:
        match node.tag:
            case prose.SECTION:
                heading = f"{'#' * self.level} {in_line(dict(node.attributes).get('title', ''))}"
                return paragraphs(heading, *self._parts(node.children, ProseRenderer(self.level + 1)))
            case prose.BULLETS:
                return "\n".join(self._item("- ", item) for item in node.children)
            case prose.NUMBERED | prose.TIMELINE:
                return "\n".join(self._item(f"{number}. ", item) for number, item in enumerate(node.children, 1))
            case prose.DRAWING:
                return paragraphs(*self._parts(node.children, self))
            case prose.LABELLED:
                return self._labelled(dict(node.attributes).get("label", ""), node.children)
            case _:
                return self.generic(node)

    def _labelled(self, label: str, children: Iterable[Node]) -> str:
        """Return the label with its text: on the same line if that is one line, else below."""
        shown = f"**{in_line(label)}:**"
        parts = self._parts(children, self)
        if len(parts) == 1 and "\n" not in parts[0] and not parts[0].startswith("- "):
            return f"{shown} {parts[0]}"
        return paragraphs(shown, *parts)

    def _item(self, mark: str, item: Node) -> str:
        """Return the item behind its mark, with further lines indented to it."""
        children = item.children if isinstance(item, Element) else (item,)
        text = ""
        for child in children:
            close = isinstance(child, Element) and child.tag in LISTS
            part = self.visit(child)
            text += ("\n" if close else "\n\n") + part if text and part else part
        return mark + text.replace("\n", "\n" + " " * len(mark)).replace("\n" + " " * len(mark) + "\n", "\n\n")

    @staticmethod
    def _parts(children: Iterable[Node], renderer: "ProseRenderer") -> list[str]:
        """Return each child as a paragraph, without empty texts."""
        return [part for part in (renderer.visit(child) for child in children) if part]


def render_prose(node: Node) -> str:
    """Render the node as a document for people."""
    check_depth(node)
    return ProseRenderer().visit(node)
