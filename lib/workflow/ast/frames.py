"""How one element becomes one node: the parser's half of a declaration."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from ..command import Command
from .catalogue import BY_TAG
from .declare import Kind, Node, Part, declaration, per_class
from .nodes import Document, Element, Text


class MisfitError(ValueError):
    """What an element holds does not fit its declaration; the parser adds the place."""


class Reader(NamedTuple):
    """What may stand in an element of a class."""

    build: Callable[..., Node]
    attributes: Mapping[str, Part]
    children: Mapping[str, Part]
    """By tag; empty where text or mixed content fills the element."""
    flow: Part | None
    required: frozenset[str]


@per_class
def reader(cls: type[Node]) -> Reader:
    """The reader of a class: its declaration, by the names that stand in XML."""
    attributes, body, flow = declaration(cls)
    named = {part.name: part for part in attributes}
    children: dict[str, Part] = {}
    for part in body:
        if part.kind is Kind.COMMAND:
            named["cmd"] = children["cmd"] = part
        elif part.kind is Kind.ELEMENT:
            children[part.name] = part
        elif issubclass(part.type, Node):
            children |= dict.fromkeys((part.type.tag, *part.type.shorthand), part)
    return Reader(cls, named, children, flow, frozenset(part.name for part in (*attributes, *body) if part.required))


class Frame:
    """An element that is open: what has been read of it so far."""

    __slots__ = ("attributes", "cls", "column", "gaps", "items", "line", "tag")

    def __init__(self, tag: str, cls: type[Node] | None, attributes: Mapping[str, str], line: int, column: int) -> None:
        self.tag = tag
        self.cls = cls
        """The class that the element becomes; None where it is the text of a child of its parent."""
        self.attributes = attributes
        self.line = line
        self.column = column
        self.items: list[tuple[str, Node | str]] = []
        self.gaps: list[list[str]] = [[]]
        """The text before each item and after the last, in the pieces that came."""

    def class_of(self, tag: str) -> type[Node] | None:
        """The class of a child with this tag, or None where the child holds a text of this element."""
        if self.cls is None:
            raise MisfitError(f"<{tag}> stands where only text may; text that looks like markup goes into CDATA")
        if self.cls is Element or self.cls is Document:
            return BY_TAG.get(tag, Element)
        _, _, children, flow, _ = reader(self.cls)
        if flow is not None and flow.kind is Kind.CONTENT:
            return BY_TAG.get(tag, Element)
        if tag not in children:
            raise MisfitError(f"unexpected <{tag}>; {expected(tag, children)}")
        if children[tag].kind not in (Kind.ELEMENT, Kind.COMMAND):
            return BY_TAG[tag]
        if any(tag == earlier for earlier, _ in self.items):
            raise MisfitError(f"<{tag}> stands there twice")
        return None

    def add(self, tag: str, item: Node | str) -> None:
        """Takes a finished child."""
        self.items.append((tag, item))
        self.gaps.append([])

    def text(self) -> str:
        """The text of an element that holds nothing else."""
        return framed("".join(self.gaps[0])) or ""

    def node(self) -> Node:
        """The finished node. Raises MisfitError where the class refuses it."""
        assert self.cls is not None
        try:
            if self.cls is Element:
                return Element(self.tag, self.attributes, self._mixed())
            if self.cls is Document:
                return Document(self._blocks())
            return self._declared(self.cls)
        except (TypeError, ValueError) as error:
            raise MisfitError(str(error)) from None

    def _declared(self, cls: type[Node]) -> Node:
        build, attributes, _, flow, required = reader(cls)
        values: dict[str, object] = {}
        if self.tag in cls.shorthand:
            name, value = cls.shorthand[self.tag]
            values[name] = value
        for name, text in self.attributes.items():
            if name not in attributes or attributes[name].name in values:
                raise MisfitError(f"unexpected attribute {name!r}; {expected(name, attributes)}")
            part = attributes[name]
            values[part.name] = decoded(part, name, text)
        if flow is None:
            self._structure(cls, values)
        else:
            values[flow.name] = self.text() if flow.kind is Kind.TEXT else self._mixed()
        missing = required - values.keys()
        if missing:
            raise MisfitError(f"<{self.tag}> has no {' and no '.join(sorted(missing))}")
        return build(**values)

    def _structure(self, cls: type[Node], values: dict[str, object]) -> None:
        self._refuse_stray_text()
        children = reader(cls).children
        lists: dict[str, list[Node | str]] = {}
        for tag, item in self.items:
            part = children[tag]
            if part.kind is Kind.CHILDREN:
                lists.setdefault(part.name, []).append(item)
            elif part.name in values:
                raise MisfitError(f"<{self.tag}> has more than one {part.name}")
            else:
                values[part.name] = Command.read(item) if part.kind is Kind.COMMAND and isinstance(item, str) else item
        values.update(lists)

    def _mixed(self) -> list[Node]:
        found: list[Node] = []
        alone = not self.items
        for number, gap in enumerate(self.gaps):
            text = framed("".join(gap), blank_is_layout=not alone)
            if text is not None:
                found.append(Text(text))
            if number < len(self.items):
                item = self.items[number][1]
                assert isinstance(item, Node)
                found.append(item)
        return found

    def _blocks(self) -> list[Node]:
        self._refuse_stray_text()
        return [item for _, item in self.items if isinstance(item, Node)]

    def _refuse_stray_text(self) -> None:
        stray = next((text for gap in self.gaps if (text := "".join(gap).strip())), None)
        if stray is not None:
            raise MisfitError(f"stray text {stray!r:.60}")


def framed(raw: str, blank_is_layout: bool = False) -> str | None:
    """The text within an element or beside one, without the lines and the indentation that layout added.

    None where there was layout only. Text that no renderer of ours laid out comes back as it stands, except
    that blanks between elements (`blank_is_layout`) are none.
    """
    if raw.startswith("\n"):
        lines, _, indent = raw[1:].rpartition("\n") if raw.count("\n") > 1 else (None, "", raw[1:])
        if not indent.strip(" "):
            return None if lines is None else _moved_left(lines, len(indent))
    return None if not raw or (blank_is_layout and not raw.strip()) else raw


def _moved_left(lines: str, by: int) -> str:
    if not by:
        return lines
    blanks = " " * by
    return "\n".join(line[by:] if line.startswith(blanks) else line.lstrip(" ") for line in lines.split("\n"))


def decoded(part: Part, name: str, text: str) -> object:
    """An attribute's value. Raises MisfitError, with the legal values, for a text that is none."""
    if part.kind is Kind.COMMAND:
        return Command.read(text)
    if part.type is int:
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and str(int(text)) == text):
            raise MisfitError(f"{name}={text!r:.60}: write a whole number in plain digits")
        return int(text)
    if issubclass(part.type, Enum):
        try:
            return part.type(text)
        except ValueError:
            raise MisfitError(f"{name}={text!r:.60}: {expected(text, [str(item) for item in part.type])}") from None
    return text


def expected(got: str, legal: Iterable[str]) -> str:
    """What to write instead: the legal names, the nearest first."""
    import difflib

    names = sorted(legal)
    near = difflib.get_close_matches(got, names, 1)
    listed = ", ".join(names) or "nothing"
    return f"did you mean {near[0]!r}? Legal here: {listed}" if near else f"legal here: {listed}"
