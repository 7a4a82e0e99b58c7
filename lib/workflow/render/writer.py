"""The parts of an element, from the declaration of its node's class: for every format that shows elements."""

from ..ast.fields import FieldKind, Node, declaration
from .layout import fits_attribute


def tag_of(node: Node) -> str:
    """Return the node's tag: its shorthand if an attribute has the shorthand's value."""
    if node.shorthand:
        for tag, (name, value) in node.shorthand.items():
            if getattr(node, name) == value:
                return tag
    return node.tag


def attributes_of(node: Node) -> list[tuple[str, str]]:
    """Return the element's attributes: names and values. Not for `Element`, whose author names the attributes."""
    spec = declaration(type(node))
    found: list[tuple[str, str]] = []
    for part in spec.attributes:
        value = getattr(node, part.name)
        if value is not None and not (node.shorthand and (part.name, value) in node.shorthand.values()):
            found.append((part.name, str(value)))
    if node.count_of:
        found.append(("count", str(len(getattr(node, node.count_of)))))
    if spec.open:
        found += getattr(node, spec.open)
    for part in spec.body:
        if part.kind is FieldKind.COMMAND and fits_attribute(text := str(getattr(node, part.name))):
            found.append(("cmd", text))  # a command that would need an entity there is a child
    return found


def bullet(item: str) -> str:
    """Return one list item: `- `, with further lines aligned below."""
    first, *more = item.split("\n")
    return "\n".join([f"- {first}", *(line and f"  {line}" for line in more)])
