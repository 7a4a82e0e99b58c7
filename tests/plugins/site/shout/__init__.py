"""A foreign package: a node class that lowers itself, and a format of its own."""

from typing import TypeVar

from attrs import frozen

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.ast.step import StepHeader
from lib.workflow.ast.visitor import Visitor

T = TypeVar("T")


@frozen
class Shout(Node):
    """A text that is louder than others."""

    tag = "shout"
    text: str

    def lower(self) -> Node:
        """Return an element that every format knows."""
        return Element("shout", {"loud": "yes"}, self.text.upper())


class ShoutRenderer(Visitor[str]):
    """A renderer that prints only titles, in capitals."""

    def generic(self, node: Node) -> str:
        return ""

    def document(self, node: Node) -> str:
        from lib.workflow.ast.visitor import walk

        return "".join(self.visit(inner) for inner in walk(node) if inner is not node)

    def step_header(self, node: StepHeader) -> str:
        return node.title.upper()


def render_shout(node: Node) -> str:
    """Render a node, as the entry point names it."""
    return node.accept(ShoutRenderer())
