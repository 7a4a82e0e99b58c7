"""A format of one's own: a page as an outline, one line for each node with its commands."""

from lib.workflow.ast.fields import Node, children
from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.step import Invoke, StepHeader
from lib.workflow.ast.visitor import Visitor

WIDEST = 60
"""Maximum characters of a line of text."""


class OutlineRenderer(Visitor[str]):
    """A renderer with a method for each class that it prints in its own way; `generic` prints all others."""

    def generic(self, node: Node) -> str:
        return self._below(f"<{node.tag}>", node)

    def document(self, node: Document) -> str:
        return "\n".join(map(self.visit, node.blocks))

    def step_header(self, node: StepHeader) -> str:
        return f"{node.step}. {node.title}"

    def text(self, node: Text) -> str:
        line = " ".join(node.value.split())
        return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"

    def invoke(self, node: Invoke) -> str:
        return f"run: {node.command}"

    def _below(self, line: str, node: Node) -> str:
        inner = "\n".join(map(self.visit, children(node)))
        indented = "\n".join(f"  {each}" for each in inner.splitlines())
        return f"{line}\n{indented}".rstrip()


def render_outline(node: Node) -> str:
    """Return a page as an outline."""
    return node.accept(OutlineRenderer())
