"""The basic nodes of every document."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, TypeVar

from attrs import field, frozen

from ..command import Command
from ..util.characters import canonical, check_name, one_line
from .fields import MAX_ATTRIBUTES, OPEN, TEXT, Node, below
from .fields import MAX_DEPTH as MAX_DEPTH
from .reserved import RESERVED as RESERVED

T = TypeVar("T")

MAX_NODES: Final = 200_000

Content: TypeAlias = "Node | str | Iterable[Node | str]"
"""Input from which a field of mixed content is built."""


@frozen
class Text(Node):
    """Verbatim text for the agent; it never becomes markup."""

    value: str = field(metadata=TEXT)


def content(value: Content) -> tuple[Node, ...]:
    """Return mixed content in canonical form: a string becomes a Text, neighbouring texts are joined by a newline.

    An empty string between texts is therefore a blank line. Raises TypeError if an item is neither a node nor a
    string.
    """
    items = (value,) if isinstance(value, (str, Node)) else value
    found: list[Node] = []
    lines: list[str] = []
    for item in items:
        if isinstance(item, (str, Text)):
            lines.append(item.value if isinstance(item, Text) else item)
            continue
        _require_node(item, "content", Document)
        if lines:
            found.append(Text("\n".join(lines)))
            lines = []
        found.append(item)
    if lines:
        found.append(Text("\n".join(lines)))
    return tuple(found)


@frozen(kw_only=True)
class Code(Node):
    """Code or output, to be taken literally."""

    tag = "code"
    is_verbatim = True
    language: str | None = field(default=None, validator=one_line)
    text: str = field(metadata=TEXT)


@frozen(kw_only=True)
class FileContent(Node):
    """A whole embedded file."""

    tag = "file"
    is_verbatim = True
    path: str
    text: str = field(metadata=TEXT)


def _attributes(value: Mapping[str, str | None] | Iterable[tuple[str, str | None]]) -> tuple[tuple[str, str], ...]:
    pairs = tuple(value.items() if isinstance(value, Mapping) else value)
    if not pairs:
        return ()
    if len(pairs) > MAX_ATTRIBUTES:
        raise ValueError(f"Element.attributes: {len(pairs)} attributes; the limit is {MAX_ATTRIBUTES}")
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("Element.attributes: duplicate name")
    return tuple((_attribute_name(name), _attribute_value(name, text)) for name, text in pairs if text is not None)


def _attribute_name(name: str) -> str:
    if name == "xmlns":
        raise ValueError("Element.attributes: 'xmlns' declares a namespace, which is not supported")
    return check_name(name, "Element.attributes")


def _attribute_value(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"Element.attributes[{name!r}]: expected str, got {type(value).__name__}; write str(…)")
    return canonical(value, f"Element.attributes[{name!r}]")


def _tag(value: str) -> str:
    if value in RESERVED:
        raise ValueError(f"Element.tag: {value!r} has its own node class; use that class")
    return check_name(value, "Element.tag")


@frozen
class Element(Node):
    """An element without its own class: `Element("example", {"of": "x"}, "text")`.

    Attributes with value None are dropped.
    """

    tag: str = field(converter=_tag, metadata=OPEN)
    attributes: tuple[tuple[str, str], ...] = field(default=(), converter=_attributes, metadata=OPEN)
    children: tuple[Node, ...] = field(default=(), converter=content)


@frozen
class Invoke(Node):
    """A command to run exactly as printed."""

    tag = "invoke"
    command: Command


def _blocks(value: Iterable[Node]) -> tuple[Node, ...]:
    blocks = tuple(value)
    for block in blocks:
        _require_node(block, "block of a Document", Text, Document)
    return blocks


def _require_node(value: object, role: str, *excepted: type[Node]) -> None:
    if not isinstance(value, Node) or isinstance(value, excepted) or not value.standalone:
        raise TypeError(
            f"expected {role}, got {type(value).__name__} {value!r:.60}; write a node, and put text into a node"
        )


@frozen
class Document(Node):
    """The output of a step: a sequence of blocks. Raises ValueError beyond MAX_DEPTH levels or MAX_NODES nodes."""

    is_bounded = True
    blocks: tuple[Node, ...] = field(converter=_blocks)

    def check(self) -> None:
        level, depth, count = list(self.blocks), 0, 0
        while level:
            depth, count = depth + 1, count + len(level)
            if depth > MAX_DEPTH or count > MAX_NODES:
                raise ValueError(f"Document: more than {MAX_DEPTH} levels or {MAX_NODES:,} elements")
            level = below(level)
