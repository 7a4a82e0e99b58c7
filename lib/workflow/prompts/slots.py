"""Slots in a step's texts: `{{name}}`, filled in the finished tree, so that a value is text and never markup."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from attrs import fields

from ..ast.fields import Node
from ..ast.nodes import Text
from ..ast.visitor import transform, walk
from ..command import Command
from ..errors import WorkflowError

SlotValue: TypeAlias = str | int | Command | Node | tuple[Node, ...]
"""A text, a number, a command, or, for a slot on its own line, a node or several nodes."""

_SLOT: Final = r"\{\{([a-z][a-z0-9_]*)\}\}"
_PLACED: Final = rf"(?m)(?:^([ \t>]*))?{_SLOT}"
"""Pattern of a slot, with the margin before it if it begins its line."""
_LINE: Final = rf"(?m)^([ \t>]*){_SLOT}[ \t]*$(\n?\n?)"
"""Pattern of a slot's own line, with its end and the blank line after it. Each is compiled on first use."""


def slots_in(nodes: Iterable[Node]) -> frozenset[str]:
    """Return the names of all slots.

    Raises:
        WorkflowError: For stray braces, and for a slot in a field of a node. Both would be printed as they are.
    """
    names: set[str] = set()
    for item in (item for node in nodes for item in walk(node)):
        if isinstance(item, Text):
            names.update(_in_text(item.value))
        elif not item.is_verbatim:
            _refuse_in_fields(item)
    return frozenset(names)


def _in_text(text: str) -> list[str]:
    stray = re.sub(_SLOT, "", text)
    if "{{" in stray or "}}" in stray:
        at = stray.find("{{") if "{{" in stray else stray.find("}}")
        raise WorkflowError(
            f"{stray[at : at + 40]!r} is not a slot; write {{{{name}}}}, in lower case and without spaces"
        )
    return re.findall(_SLOT, text)


def _refuse_in_fields(node: Node) -> None:
    for field in fields(type(node)):
        for text in _texts(getattr(node, field.name)):
            if found := re.search(_SLOT, text):
                what = f"{type(node).__name__}.{field.name} has the slot {found[0]}, which is not filled there"
                raise WorkflowError(f"{what}; make the node in the handler, or give it as the value of a slot")


def _texts(value: object) -> Iterator[str]:
    """Yield the strings of a field: one, or those of a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)


def fill(nodes: Iterable[Node], values: Mapping[str, SlotValue]) -> tuple[Node, ...]:
    """Fill every slot. A text of several lines takes the indentation, or `>`, of its slot's line."""

    def filled(node: Node) -> tuple[Node, ...]:
        return _filled(node.value, values) if isinstance(node, Text) and "{{" in node.value else (node,)

    return tuple(new for node in nodes for new in transform(node, filled))


def _filled(text: str, values: Mapping[str, SlotValue]) -> tuple[Node, ...]:
    """Fill a text, and split it at slots that hold nodes; filled values are not searched for slots."""
    text = re.sub(_LINE, lambda match: _without(match) if values[match[2]] in ("", ()) else match[0], text)
    found: list[Node] = []
    start = 0
    for match in re.finditer(_LINE, text):
        value = values[match[2]]
        if isinstance(value, Node | tuple):
            if match.start() > start:
                found.append(Text(inline(text[start : match.start() - 1], values)))
            found.extend(value if isinstance(value, tuple) else (value,))
            start = match.start(3) + 1
    if start < len(text) or not found:
        found.append(Text(inline(text[start:], values)))
    return tuple(found)


def _without(match: "re.Match[str]") -> str:
    """Return the rest of an empty slot's line: the blank line after it, if that ends the paragraph above the slot."""
    before = match.string[: match.start()]
    return "\n" if match[0].endswith("\n\n") and before and not before.endswith("\n\n") else ""


def inline(text: str, values: Mapping[str, SlotValue]) -> str:
    """Fill every slot of a text. Raises KeyError for a slot without a value, WorkflowError for a node."""

    def value_of(match: "re.Match[str]") -> str:
        margin, name = match.groups(default="")
        given = values[name]
        if isinstance(given, Node | tuple):
            raise WorkflowError(f"{match[0]} is filled with a {type(given).__name__}; put it on its own line")
        return margin + str(given).replace("\n", f"\n{margin}")

    return re.sub(_PLACED, value_of, text)
