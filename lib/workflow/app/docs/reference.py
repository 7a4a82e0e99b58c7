"""The reference of all nodes, `docs/nodes.md`, from the classes and their examples. `make docs` writes it."""

import inspect
import sys
from collections.abc import Iterator
from enum import Enum

from ...ast.catalogue import CLASSES
from ...ast.fields import FieldKind, FieldSpec, Node, declaration, tags_of
from ...ast.nodes import Document, Element, Text
from ...render.text import render_text
from ...render.xml import render
from ...types import AgentRole
from .examples import EXAMPLES

HEAD = """\
# The nodes

Made from the classes by `make docs`; a test keeps it true. Every example is printed as XML and as plain text; a class
that is legal only inside another is shown there.
"""


def reference() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(_section(cls) for cls in (Document, Text, Element, *CLASSES))])


def _section(cls: type[Node]) -> str:
    tags = ", ".join(f"`<{tag}>`" for tag in tags_of(cls) if tag and cls is not Element)
    heading = f"## {cls.__name__}{f' {tags}' if tags else ''}"
    parts = [heading, inspect.cleandoc(cls.__doc__ or ""), *_fields(cls)]
    if cls in EXAMPLES:
        parts += [_fence("xml", render(EXAMPLES[cls])), _fence("text", render_text(EXAMPLES[cls]))]
    return "\n\n".join(parts) + "\n"


def _fields(cls: type[Node]) -> Iterator[str]:
    declared = declaration(cls)
    rows = [
        f"| `{part.name}` | {part.kind.name.lower()} | {_values(part)} | {'yes' if part.required else 'no'} |"
        for part in (*declared.attributes, *declared.body)
    ]
    if declared.open:
        rows.append(f"| `{declared.open}` | attributes | any names and texts | no |")
    if rows:
        yield "\n".join(["| field | written as | holds | required |", "|---|---|---|---|", *rows])


def _values(part: FieldSpec) -> str:
    if part.kind is FieldKind.CONTENT:
        return "text and nodes"
    if issubclass(part.type, Enum):
        more = ", or the name of a package's own role" if part.type is AgentRole else ""
        return ", ".join(f"`{member.value}`" for member in part.type) + more
    return f"`{part.type.__name__}`"


def _fence(language: str, text: str) -> str:
    return f"````{language}\n{text}\n````"


if __name__ == "__main__":
    sys.stdout.write(reference())
