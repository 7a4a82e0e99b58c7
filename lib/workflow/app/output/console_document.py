"""A view of documents on a screen: sections and labelled texts."""

from collections.abc import Iterable, Iterator

from ...ast import prose
from ...ast.fields import Node
from ...ast.nodes import Code, Document, Element, Text
from .screen import Screen

STYLES = {prose.Tone.GOOD: "green", prose.Tone.BAD: "red", prose.Tone.OPEN: "yellow"}


def tell(screen: Screen, document: Document) -> None:
    """Print headings with their labelled texts below; each command is on its own line."""
    _tell(screen, document.blocks, 0)


def _tell(screen: Screen, nodes: Iterable[Node], indent: int) -> None:
    for node in nodes:
        if isinstance(node, Text):
            for line in node.value.splitlines():
                screen.paragraph(line, indent)
        elif isinstance(node, Code):
            for line in node.text.splitlines():
                screen.line(" " * indent, (line, "green"))
        elif isinstance(node, Element):
            said = dict(node.attributes)
            style = STYLES.get(prose.Tone(said["tone"]), "") if said.get("tone") in set(prose.Tone) else ""
            name = said.get("title") or said.get("label")
            heading = (" ".join((name or "").split()), f"bold {style}".strip())
            match node.children:
                case (Text(value=value),) if (
                    name and len(name) + len(value) + indent < screen.width and "\n" not in value
                ):
                    screen.line(" " * indent, heading, f"  {value}")
                    continue
            if name:
                screen.line(" " * indent, heading)
            _tell(screen, node.children, indent + 2 * bool(name))


def as_data(document: Document) -> dict[str, object]:
    """Return the same for programs: sections by title, texts by label."""
    return dict(_pairs(document.blocks))


def _pairs(nodes: Iterable[Node]) -> Iterator[tuple[str, object]]:
    for node in nodes:
        if isinstance(node, Element):
            said = dict(node.attributes)
            inner = dict(_pairs(node.children))
            texts = [
                child.value if isinstance(child, Text) else str(getattr(child, "text", "")) for child in node.children
            ]
            yield said.get("title") or said.get("label", ""), inner or "\n".join(texts)
