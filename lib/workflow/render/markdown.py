"""A renderer of trees as Markdown for people: in a browser, a pull request, a chat.

Contents of nodes are quoted (`>`) or fenced. Headings, labels and commands outside quotes and fences are the program's
own, so no text can imitate one.
"""

import re
from collections.abc import Iterable
from typing import Final

from ..ast.dispatch import RosterDispatchNode, TemplateDispatchNode
from ..ast.fields import Node, check_depth
from ..ast.nodes import Code, Document, FileContent, Text
from ..ast.step import Complete, CurrentAction, Invoke, InvokeAfter, StepHeader
from ..ast.visitor import Visitor
from ..util.characters import broken
from ..util.plurals import count
from .outline import Item, Outline, outline, whom, whose

_BACKTICKS: Final = re.compile("`+")
HTML = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?"
"""Characters after a `<` that begin a tag (CommonMark 0.31, section 4.6)."""


class MarkdownRenderer(Visitor[str]):
    """Renderer of steps as headings, texts as quotes, code and commands as fences, other nodes as labelled lists."""

    def generic(self, node: Node) -> str:
        return self.outlined(outline(node))

    def outlined(self, made: Outline) -> str:
        """Return a label with its items below."""
        words = [made.tag, *(f"{name}={value!r}" for name, value in made.attributes)]
        return paragraphs(f"**{code(' '.join(words))}**", *self.among(made.items))

    def among(self, items: Iterable[Item]) -> list[str]:
        """Return the items as paragraphs."""
        return [self.one(item) for item in items]

    def one(self, item: Item) -> str:
        """Render one item: a text as a quote, a node or element by its own method."""
        if isinstance(item, Node):
            return self.visit(item)
        return quoted(item) if isinstance(item, str) else self.outlined(item)

    def document(self, node: Document) -> str:
        return paragraphs(*(self.visit(block) for block in node.blocks))

    def text(self, node: Text) -> str:
        return quoted(node.value)

    def code(self, node: Code) -> str:
        return fenced(node.text, node.language or "")

    def file_content(self, node: FileContent) -> str:
        return paragraphs(f"**file {code(node.path)}**", fenced(node.text))

    def step_header(self, node: StepHeader) -> str:
        return f"## Step {node.step} of {node.total}: {code(node.title)} ({code(whose(node))})"

    def current_action(self, node: CurrentAction) -> str:
        return paragraphs("### Do", *self.among(node.children))

    def invoke(self, node: Invoke) -> str:
        return fenced(str(node.command), "sh")

    def invoke_after(self, node: InvokeAfter) -> str:
        if node.invoke is not None:
            return paragraphs("### Next", self.visit(node.invoke))
        ways = [paragraphs(f"If {code(way.when)}:", self.visit(way.invoke)) for way in node.branches]
        return paragraphs("### Next", *ways)

    def complete(self, node: Complete) -> str:
        return "### Complete"

    def template_dispatch(self, node: TemplateDispatchNode) -> str:
        return self.visit(node.roster())

    def roster_dispatch(self, node: RosterDispatchNode) -> str:
        agents = [self.outlined(outline(agent)) for agent in node.agents]
        returns = ["**Each returns:**", quoted(node.returns)] if node.returns else []
        return paragraphs(
            f"**Launch {count(len(agents), 'agent')} at once: {whom(node.agent, node.tier, node.at_most)}**",
            *agents,
            *returns,
        )


def render_markdown(node: Node) -> str:
    """Render the node as Markdown."""
    check_depth(node)
    return MarkdownRenderer().visit(node)


def paragraphs(*parts: str) -> str:
    """Join the parts with blank lines."""
    return "\n\n".join(parts)


def quoted(text: str) -> str:
    """Quote the text: `>` before each line, for every line break that a reader may recognize.

    A text with HTML-like characters goes into a fence instead, because a tag could close the quote.
    """
    if any(f"<{char}" in text for char in HTML):
        return fenced(text, "text")
    return "\n".join(f"> {line}" if line else ">" for line in broken(text).split("\n"))


def code(text: str) -> str:
    """Return the text as a code span on one line.

    It is put between more backticks than it holds (CommonMark 0.31, section 6.1).
    """
    line = r"\n".join(text.splitlines())
    ticks = _longer_than("`", line)
    return f"{ticks} {line} {ticks}" if line.startswith("`") or line.endswith("`") else f"{ticks}{line}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """Return the text between fences longer than any it holds (CommonMark 0.31, section 4.5)."""
    fence = _longer_than("```", text)
    return f"{fence}{''.join(language.split()).replace('`', '')}\n{text}\n{fence}"


def _longer_than(mark: str, text: str) -> str:
    """Return the mark of backticks, longer than the longest run in the text."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    return "`" * max(len(mark), longest + 1)
