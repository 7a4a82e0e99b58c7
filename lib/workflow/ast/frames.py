"""How one element becomes one node: the parser's half of a declaration."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Final, NamedTuple

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
    mixed: bool
    """Whether text and nodes may stand in it in any order."""
    open: str | None
    required: frozenset[str]


@per_class
def reader(cls: type[Node]) -> Reader:
    """The reader of a class: its declaration, by the names that stand in XML."""
    attributes, body, flow, opened = declaration(cls)
    named = {part.name: part for part in attributes}
    children: dict[str, Part] = {}
    for part in body:
        if part.kind is Kind.COMMAND:
            named["cmd"] = children["cmd"] = part
        elif part.kind is Kind.ELEMENT:
            children[part.name] = part
        elif part.wrapper:
            children[part.wrapper] = part
        elif issubclass(part.type, Node):
            children |= dict.fromkeys(tags_of(part.type), part)
    required = frozenset(part.name for part in (*attributes, *body) if part.required)
    mixed = flow is not None and flow.kind is Kind.CONTENT
    return Reader(cls, named, children, flow, mixed, opened, required)


def tags_of(cls: type[Node]) -> tuple[str, ...]:
    """The tags under which nodes of a class stand."""
    return (cls.tag, *cls.shorthand)


_ELEMENT: Final = (Element,)


class Frame:
    """An element that is open: what has been read of it so far."""

    __slots__ = ("attributes", "classes", "column", "gaps", "index", "items", "line", "part", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, column: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.column = column
        self.classes: tuple[type[Node], ...] = ()
        """What the element can become: its tag can belong to several classes, until a child tells which it is."""
        self.part: Part | None = None
        """The field of the parent that the element is, where it is no node: a text, or the wrapper of a list."""
        self.index: str | None = None
        self.items: list[tuple[str, Node | str | list[Node]]] = []
        self.gaps: list[list[str]] = [[]]
        """The text before each item and after the last, in the pieces that came."""

    def open(self, child: "Frame") -> None:
        """Says what a child is. Raises MisfitError where none may stand."""
        if self.part is not None:
            self._open_in_part(child, self.part)
            return
        first = self.classes[0]
        if first is Element or first is Document or reader(first).mixed:
            child.classes = BY_TAG.get(child.tag, _ELEMENT)
            return
        part = reader(first).children.get(child.tag)
        if len(self.classes) > 1 or part is None:
            part = self._chosen(child)
        if part.kind in (Kind.CHILD, Kind.CHILDREN) and not part.wrapper:
            child.classes = (part.type,)
            return
        child.part = part
        if self.items and any(child.tag == earlier for earlier, _ in self.items):
            raise MisfitError(f"<{child.tag:.60}> stands there twice")

    def _chosen(self, child: "Frame") -> Part:
        """The part that the child is, of the classes that have one such; they are what is left to choose from."""
        fitting = tuple(cls for cls in self.classes if child.tag in reader(cls).children)
        if not fitting:
            legal = {tag for cls in self.classes for tag in reader(cls).children}
            raise MisfitError(f"unexpected <{child.tag:.60}>; {expected(child.tag, legal)}")
        self.classes = fitting
        return reader(fitting[0]).children[child.tag]

    def _open_in_part(self, child: "Frame", part: Part) -> None:
        if not part.wrapper:
            raise MisfitError(f"<{child.tag:.60}> stands where only text may; markup that is text goes into CDATA")
        if child.tag not in tags_of(part.type):
            raise MisfitError(f"unexpected <{child.tag:.60}>; {expected(child.tag, tags_of(part.type))}")
        child.classes = (part.type,)
        if part.numbered:
            child.index = child.attributes.pop("index", "")
            number = str(len(self.items) + 1)
            if child.index != number:
                raise MisfitError(f"index={child.index!r:.60}: this is number {number}")

    def close(self) -> Node | str | list[Node]:
        """What the finished element is. Raises MisfitError where it does not fit, or its class refuses it."""
        if self.part is not None:
            if self.attributes:
                raise MisfitError(f"unexpected attribute {next(iter(self.attributes))!r}; <{self.tag}> has none")
            if not self.part.wrapper:
                return self.text()
            self._refuse_stray_text()
            return self.nodes()
        try:
            if self.classes[0] is Element:
                return Element(self.tag, self.attributes, self._mixed())
            if self.classes[0] is Document:
                self._refuse_stray_text()
                return Document(self.nodes())
            return self._declared(self.classes[0])
        except (TypeError, ValueError) as error:
            raise MisfitError(str(error)) from None

    def add(self, tag: str, item: Node | str | list[Node]) -> None:
        """Takes a finished child."""
        self.items.append((tag, item))
        self.gaps.append([])

    def text(self) -> str:
        """The text of an element that holds nothing else."""
        return framed("".join(self.gaps[0])) or ""

    def nodes(self) -> list[Node]:
        """The children that are nodes."""
        return [item for _, item in self.items if isinstance(item, Node)]

    def _declared(self, cls: type[Node]) -> Node:
        build, attributes, _, flow, mixed, opened, required = reader(cls)
        given = self.attributes
        count = given.pop("count", "") if cls.count_of else None
        values: dict[str, object] = {}
        if self.tag in cls.shorthand:
            name, value = cls.shorthand[self.tag]
            values[name] = value
        own: list[tuple[str, str]] = []
        for name, text in given.items():
            part = attributes.get(name)
            if part is not None and part.name not in values:
                values[part.name] = decoded(part, name, text)
            elif opened:
                own.append((name, text))
            else:
                raise MisfitError(f"unexpected attribute {name!r:.60}; {expected(name, attributes)}")
        if opened:
            values[opened] = tuple(own)
        if flow is None:
            self._structure(cls, values)
        elif mixed:
            values[flow.name] = self._mixed()
        else:
            values[flow.name] = self.text() if flow.kind is Kind.TEXT else bullets("".join(self.gaps[0]))
        if not required <= values.keys():
            missing = required - values.keys()
            raise MisfitError(f"<{self.tag}> has no {' and no '.join(sorted(missing))}")
        node = build(**values)
        if count is not None and count != str(len(getattr(node, cls.count_of))):
            raise MisfitError(f"count={count!r:.60}: there are {len(getattr(node, cls.count_of))}")
        return node

    def _structure(self, cls: type[Node], values: dict[str, object]) -> None:
        self._refuse_stray_text()
        children = reader(cls).children
        lists: dict[str, list[object]] = {}
        for tag, item in self.items:
            part = children[tag]
            if part.kind is Kind.CHILDREN and not part.wrapper:
                lists.setdefault(part.name, []).append(item)
            elif part.name in values:
                raise MisfitError(f"<{self.tag}> has more than one {part.name}")
            else:
                values[part.name] = decoded(part, tag, item) if isinstance(item, str) else item
        values.update(lists)

    def _mixed(self) -> list[Node]:
        nodes = self.nodes()
        found: list[Node] = []
        for number, gap in enumerate(self.gaps):
            text = framed("".join(gap), blank_is_layout=bool(nodes))
            if text is not None:
                found.append(Text(text))
            found += nodes[number : number + 1]
        return found

    def _refuse_stray_text(self) -> None:
        for gap in self.gaps:
            for text in gap:
                if not text.isspace():
                    raise MisfitError(f"stray text {''.join(gap).strip()!r:.60}")


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
    if lines.startswith(blanks) and lines.count(f"\n{blanks}") == lines.count("\n"):
        return lines[by:].replace(f"\n{blanks}", "\n")
    return "\n".join(line[by:] if line.startswith(blanks) else line.lstrip(" ") for line in lines.split("\n"))


def bullets(raw: str) -> tuple[str, ...]:
    """The items of a list of lines `- …`. Raises MisfitError for a text that begins with anything else."""
    found: list[str] = []
    for line in (framed(raw) or "").split("\n") if raw.strip() else ():
        if line.removeprefix("  ").startswith("- "):
            found.append(line.removeprefix("  ")[2:])
        elif line.lstrip().startswith("- ") and not line.startswith("    "):
            found.append(line.lstrip()[2:])
        elif found:
            found[-1] += "\n" + (line[4:] if line.startswith("    ") else line.lstrip(" "))
        else:
            raise MisfitError(f"{line!r:.60} begins no item; each begins with '- '")
    return tuple(found)


def decoded(part: Part, name: str, text: str) -> object:
    """An attribute's value. Raises MisfitError, with the legal values, for a text that is none."""
    if part.type is str:
        return text
    if part.kind is Kind.COMMAND:
        return part.type.read(text)
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
    near = difflib.get_close_matches(got[:60], names, 1)
    listed = ", ".join(names) or "nothing"
    return f"did you mean {near[0]!r}? Legal here: {listed}" if near else f"legal here: {listed}"
