"""A renderer of trees as HTML pages for people. Pages fetch nothing and run nothing; strings of the tree are escaped.

Sections become headings with a contents list. Texts that name an anchor link to it, and an anchor lists its mentions.
All strings pass through `escape`; tags and classes are the program's own.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from ..ast import prose
from ..ast.fields import Node, check_depth
from ..ast.nodes import Code, Document, Element, FileContent, Text
from ..ast.step import Complete, CurrentAction, Invoke, InvokeAfter, StepHeader
from ..ast.visitor import Visitor
from .html_parts.chart import chart_svg
from .html_parts.flow import flow_svg
from .html_parts.from_markdown import block, from_markdown
from .html_parts.html_page import Entry, page
from .html_parts.references import References, words
from .html_parts.svg import svg
from .outline import Item, Outline, outline, whose

DEEPEST: Final = 6
"""Deepest level of headings in HTML."""
SPAN: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
"""Pattern of code spans as authors mark them."""
LISTED: Final = 3
"""Levels of headings in the contents."""
DIFF: Final = (("+++", "file"), ("---", "file"), ("@@", "hunk"), ("+", "added"), ("-", "removed"))
"""Prefix -> kind of a line of a unified diff."""
TONES: Final = frozenset(prose.Tone)


class HtmlRenderer(Visitor[str]):
    """Renderer of nodes as HTML, with headings from level 1; it collects entries for the contents."""

    def __init__(self, references: References) -> None:
        self.references: Final = references
        self.entries: Final[list[Entry]] = []
        self._level = 1
        self._within = ""
        self._headings = 0

    def generic(self, node: Node) -> str:
        return self._outlined(outline(node))

    def document(self, node: Document) -> str:
        return "\n".join(self._among(node.blocks))

    def text(self, node: Text) -> str:
        if not node.value.strip():
            return ""
        pieces = (
            f"<code>{escape(piece)}</code>" if spans else self._linked(piece)
            for spans, piece in ((number % 2, piece) for number, piece in enumerate(SPAN.split(node.value)))
        )
        return f'<p class="text">{"".join(pieces)}</p>'

    def code(self, node: Code) -> str:
        return block(_diff(node.text) if node.language == "diff" else escape(node.text), node.language or "code")

    def file_content(self, node: FileContent) -> str:
        return f"<p><code>{escape(node.path)}</code></p>{block(escape(node.text), node.path)}"

    def step_header(self, node: StepHeader) -> str:
        heading = self._heading(f"Step {node.step} of {node.total}: {node.title}")
        self._level = 2
        return f'{heading}<p class="label">{escape(whose(node))}</p>'

    def current_action(self, node: CurrentAction) -> str:
        texts = (child.value if isinstance(child, Text) else child for child in node.children)
        return self._heading("Do") + "".join(self._among(texts))

    def invoke(self, node: Invoke) -> str:
        return block(escape(str(node.command)), "command")

    def invoke_after(self, node: InvokeAfter) -> str:
        heading = self._heading("Next")
        if node.invoke is not None:
            return heading + self.visit(node.invoke)
        return heading + "".join(
            f'<p class="label">If {escape(way.when)}:</p>{self.visit(way.invoke)}' for way in node.branches
        )

    def complete(self, node: Complete) -> str:
        return self._heading("Complete")

    def element(self, node: Element) -> str:
        said = dict(node.attributes)
        match node.tag:
            case prose.SECTION:
                return self._section(said.get("title", ""), said.get(prose.ANCHOR, ""), node.children)
            case prose.BULLETS:
                return f"<ul>{self._items(node.children)}</ul>"
            case prose.NUMBERED:
                return f"<ol>{self._items(node.children)}</ol>"
            case prose.TIMELINE:
                return f'<ol class="timeline">{self._items(node.children)}</ol>'
            case prose.DRAWING | prose.FLOW | prose.CHART:
                return _figure(node)
            case prose.FACTS:
                return f'<dl class="facts">{"".join(map(_fact, node.children))}</dl>'
            case prose.FOLDED:
                return self._folded(said, node.children)
            case prose.MARKDOWN:
                return "".join(map(from_markdown, _values(node)))
            case prose.LABELLED:
                return self._labelled(said, node.children)
            case _:
                return self.generic(node)

    def _section(self, title: str, anchor: str, children: Iterable[Node]) -> str:
        heading = self._heading(title, anchor)
        level = self._level
        self._level = level + 1
        content = self._inside(anchor, children)
        self._level = level
        return f'<section class="level{min(level, DEEPEST)}">{heading}{self._cited(anchor)}{content}</section>'

    def _heading(self, title: str, anchor: str = "") -> str:
        self._headings += 1
        name = self.references.place(anchor) or f"s{self._headings}"
        level = min(self._level, DEEPEST)
        if level <= LISTED:
            self.entries.append(Entry(level, name, title))
        return f'<h{level} id="{name}">{escape(title)}</h{level}>'

    def _labelled(self, said: dict[str, str], children: Iterable[Node]) -> str:
        anchor, tone, label = said.get(prose.ANCHOR, ""), said.get(prose.TONE, ""), Text(said.get("label", ""))
        kind = f" {tone}" if tone in TONES else ""
        shown = self._inside(anchor, (label,)).replace('class="text"', 'class="label"', 1)
        inside = shown + self._inside(anchor, children) + self._cited(anchor)
        return f'<div class="labelled{kind}"{self._named(anchor)}>{inside}</div>'

    def _folded(self, said: dict[str, str], children: Iterable[Node]) -> str:
        tone = said.get(prose.TONE, "")
        kind = f' class="{tone}"' if tone in TONES else ""
        inner = "".join(self._among(children))
        return f"<details{kind}><summary>{escape(said.get('label', ''))}</summary>{inner}</details>"

    def _cited(self, anchor: str) -> str:
        """Return links to the mentions of the anchor."""
        citing = self.references.cited.get(anchor, ())
        if not citing:
            return ""
        links = ", ".join(f'<a href="#{self.references.place(name)}">{escape(name)}</a>' for name in citing)
        return f'<p class="cited">Named by {links}</p>'

    def _linked(self, text: str) -> str:
        """Return the text with links for the anchors that it names, except the one that contains it."""
        return "".join(
            f'<a href="#{place}">{escape(word)}</a>'
            if word != self._within and (place := self.references.place(word))
            else escape(word)
            for word in words(text)
        )

    def _items(self, items: Iterable[Node]) -> str:
        return "".join(map(self._item, items))

    def _item(self, item: Node) -> str:
        if not isinstance(item, Element):
            return f"<li>{self.visit(item)}</li>"
        anchor = dict(item.attributes).get(prose.ANCHOR, "")
        return f"<li{self._named(anchor)}>{self._inside(anchor, item.children)}{self._cited(anchor)}</li>"

    def _inside(self, anchor: str, children: Iterable[Node]) -> str:
        """Render the children of the element with the anchor, if it has one."""
        within = self._within
        self._within = anchor or within
        parts = "".join(self._among(children))
        self._within = within
        return parts

    def _named(self, anchor: str) -> str:
        place = self.references.place(anchor)
        return f' id="{place}"' if place else ""

    def _outlined(self, made: Outline) -> str:
        said = "".join(f" {name}={value!r}" for name, value in made.attributes)
        inner = "".join(self._among(made.items))
        return f'<div class="node"><p class="label"><code>{escape(made.tag + said)}</code></p>{inner}</div>'

    def _among(self, items: Iterable[Item]) -> Iterator[str]:
        """Render items. Strings are the texts of a page, in Markdown; Text nodes are data, shown literally."""
        for item in items:
            if isinstance(item, str):
                yield from_markdown(item)
            else:
                yield self.visit(item) if isinstance(item, Node) else self._outlined(item)


def render_html(node: Node, is_live: bool = False) -> str:
    """Render the node as a page; a live one loads itself again."""
    check_depth(node)
    renderer = HtmlRenderer(References(node))
    body = renderer.visit(node)
    return page(body, renderer.entries, is_live)


def _figure(node: Element) -> str:
    """Return a drawing. A keyboard can scroll a wide one."""
    if node.tag == prose.CHART:
        return f'<figure class="chart" tabindex="0">{chart_svg(node)}</figure>'
    if node.tag == prose.FLOW:
        return f'<figure tabindex="0">{flow_svg(node)}</figure>'
    title = dict(node.attributes).get("title", "")
    drawn = "".join(svg(child.text, title) for child in node.children if isinstance(child, Code))
    return f'<figure tabindex="0">{drawn}</figure>'


def _fact(node: Node) -> str:
    assert isinstance(node, Element)
    name = dict(node.attributes).get("label", "")
    return f"<div><dt>{escape(name)}</dt><dd>{escape(' '.join(_values(node)))}</dd></div>"


def _values(node: Element) -> Iterator[str]:
    return (child.value for child in node.children if isinstance(child, Text))


def _diff(text: str) -> str:
    return "".join(map(_diff_line, text.split("\n")))


def _diff_line(line: str) -> str:
    kind = next((kind for start, kind in DIFF if line.startswith(start)), "same")
    return f'<span class="{kind}">{escape(line)}\n</span>'
