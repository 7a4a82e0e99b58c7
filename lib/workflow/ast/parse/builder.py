"""The builder of one node from one element: the parser's half of a declaration."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from ...util.structs import per_class
from ...util.suggest import expected
from ..catalogue import BY_TAG
from ..fields import FieldKind, FieldSpec, Node, declaration, tags_of
from ..nodes import Document, Element, Text
from .layout import bullets, framed


class MisfitError(ValueError):
    """Raised when an element does not fit its declaration; the parser adds the place."""


class Place(NamedTuple):
    """The role of an element with a given tag inside an element of a given class."""

    part: FieldSpec
    classes: tuple[type[Node], ...]
    """The classes that it can become; empty for a text or the wrapper of a list."""
    name: str
    """Name of the field."""
    repeated: bool
    """True if the field is a list without a wrapper."""


def _place(part: FieldSpec, *classes: type[Node]) -> Place:
    return Place(part, classes, part.name, bool(classes) and part.kind is FieldKind.CHILDREN)


class Reader(NamedTuple):
    """The attributes and children that an element of a class accepts."""

    build: Callable[..., Node]
    attributes: Mapping[str, FieldSpec]
    children: Mapping[str, Place]
    """Children by tag; empty if text or mixed content fills the element."""
    flow: FieldSpec | None
    mixed: bool
    """True if the element accepts text and nodes in any order."""
    open: str | None
    required: frozenset[str]
    counted: str
    """The field whose length the attribute `count` gives; empty if none."""
    shorthand: Mapping[str, tuple[str, object]]


@per_class
def reader(cls: type[Node]) -> Reader:
    """Return the reader of a class: its declaration, keyed by XML names."""
    declared = declaration(cls)
    attributes, body, flow = declared.attributes, declared.body, declared.flow
    named = {part.name: part for part in attributes}
    children: dict[str, Place] = {}
    for part in body:
        if part.kind is FieldKind.COMMAND:
            named["cmd"] = part
            children["cmd"] = _place(part)
        elif part.kind is FieldKind.ELEMENT:
            children[part.name] = _place(part)
        elif part.wrapper:
            children[part.wrapper] = _place(part)
        elif issubclass(part.type, Node):
            children |= dict.fromkeys(tags_of(part.type), _place(part, part.type))
    required = frozenset(part.name for part in (*attributes, *body) if part.required)
    mixed = flow is not None and flow.kind is FieldKind.CONTENT
    return Reader(cls, named, children, flow, mixed, declared.open, required, cls.count_of, cls.shorthand)


Built: TypeAlias = Node | str | list[Node]
"""The result of an element: a node, the text of a field, or the nodes in a wrapper."""

_ELEMENT: Final = (Element,)
_COMMAND: Final = FieldKind.COMMAND
_TEXT: Final = FieldKind.TEXT
"""Members that are read for each element: CPython 3.11 takes forty times as long to find one in its class."""


class ElementBuilder:
    """An open element and the content read so far."""

    __slots__ = ("at", "attributes", "children", "classes", "part", "tag", "texts")

    def __init__(self, tag: str, attributes: dict[str, str], at: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.at = at
        """Byte offset of the opening tag, as the parser counts."""
        self.classes: tuple[type[Node], ...] = ()
        """Candidate classes: a tag can belong to several classes until a child decides."""
        self.part: FieldSpec | None = None
        """Field of the parent that the element fills if it is not a node: a text, or the wrapper of a list."""
        self.texts: list[str] = []
        """Pieces of text, in order."""
        self.children: list[tuple[str, Built, int]] = []
        """Finished children in order, each with its tag and the number of pieces of text before it."""

    def open(self, child: "ElementBuilder") -> None:
        """Set the class or the field of a child. Raises MisfitError if the child is not allowed here."""
        if self.part is not None:
            self._open_in_part(child, self.part)
            return
        first = self.classes[0]
        if first is Element or first is Document or (known := reader(first)).mixed:
            child.classes = BY_TAG.get(child.tag, _ELEMENT)
            return
        place = known.children.get(child.tag)
        if place is None or len(self.classes) > 1:
            place = self._chosen(child)
        if place.classes:
            child.classes = place.classes
            return
        child.part = place.part
        if self.children and any(tag == child.tag for tag, _, _ in self.children):
            raise MisfitError(f"duplicate <{child.tag:.60}>")

    def _chosen(self, child: "ElementBuilder") -> Place:
        """Return the child's place, and keep only the candidate classes that have one for it."""
        fitting = tuple(cls for cls in self.classes if child.tag in reader(cls).children)
        if not fitting:
            legal = {tag for cls in self.classes for tag in reader(cls).children}
            raise MisfitError(f"unexpected <{child.tag:.60}>; {expected(child.tag, legal)}")
        self.classes = fitting
        return reader(fitting[0]).children[child.tag]

    def _open_in_part(self, child: "ElementBuilder", part: FieldSpec) -> None:
        if not part.wrapper:
            raise MisfitError(f"<{child.tag:.60}> is not allowed here, only text; put markup that is text into CDATA")
        if child.tag not in tags_of(part.type):
            raise MisfitError(f"unexpected <{child.tag:.60}>; {expected(child.tag, tags_of(part.type))}")
        child.classes = (part.type,)
        if part.numbered:
            index = child.attributes.pop("index", "")
            if index != str(len(self.children) + 1):
                raise MisfitError(f"index={index!r:.60}: expected {len(self.children) + 1}")

    def close(self) -> Built:
        """Return the finished element. Raises MisfitError if it does not fit, or if its class refuses it."""
        if self.part is not None:
            if self.attributes:
                raise MisfitError(f"unexpected attribute {next(iter(self.attributes))!r}; <{self.tag}> has none")
            return self.nodes() if self.part.wrapper else self.text()
        cls = self.classes[0]
        try:
            if cls is Element:
                return Element(self.tag, self.attributes, self._mixed())
            return Document(self.nodes()) if cls is Document else self._declared(cls)
        except (TypeError, ValueError) as error:
            raise MisfitError(str(error)) from None

    def text(self) -> str:
        """Return the text of an element that holds only text."""
        return framed("".join(self.texts)) or ""

    def nodes(self) -> list[Node]:
        """Return the children of an element that holds only nodes."""
        self._check_layout()
        return [item for _, item, _ in self.children if isinstance(item, Node)]

    def _check_layout(self) -> None:
        """Raise MisfitError if there is text beside the children."""
        if self.texts and not "".join(self.texts).isspace():
            text = next(text for text in self.texts if not text.isspace())
            raise MisfitError(f"unexpected text {text.strip()!r:.60}")

    def _declared(self, cls: type[Node]) -> Node:
        build, attributes, children, flow, mixed, opened, required, counted, shorthand = reader(cls)
        count = self.attributes.pop("count", "") if counted else None
        values: dict[str, object] = dict((shorthand[self.tag],)) if self.tag in shorthand else {}
        if self.attributes or opened:
            self._attributes(attributes, opened, values)
        if flow is None:
            if self.children or self.texts:
                self._structure(children, values)
        elif mixed:
            values[flow.name] = self._mixed()
        else:
            values[flow.name] = self.text() if flow.kind is _TEXT else bullets("".join(self.texts))
        try:
            node = build(**values)
        except TypeError:
            if required <= values.keys():
                raise
            raise MisfitError(f"<{self.tag}> has no {' and no '.join(sorted(required - values.keys()))}") from None
        if count is not None and count != str(len(getattr(node, counted))):
            raise MisfitError(f"count={count!r:.60}: expected {len(getattr(node, counted))}")
        return node

    def _attributes(self, known: Mapping[str, FieldSpec], opened: str | None, values: dict[str, object]) -> None:
        own: list[tuple[str, str]] = []
        for name, text in self.attributes.items():
            part = known.get(name)
            if part is not None and part.name not in values:
                values[part.name] = decoded(part, name, text)
            elif opened:
                own.append((name, text))
            else:
                raise MisfitError(f"unexpected attribute {name!r:.60}; {expected(name, known)}")
        if opened:
            values[opened] = tuple(own)

    def _structure(self, children: Mapping[str, Place], values: dict[str, object]) -> None:
        lists: dict[str, list[object]] = {}
        self._check_layout()
        for tag, item, _ in self.children:
            part, _, name, repeated = children[tag]
            if repeated:
                lists.setdefault(name, []).append(item)
            elif name in values:
                raise MisfitError(f"<{self.tag}> has more than one {name}")
            else:
                values[name] = item if type(item) is not str or part.type is str else decoded(part, tag, item)
        if lists:
            values |= lists

    def _mixed(self) -> list[Node]:
        found: list[Node] = []
        start = 0
        for _, child, end in (*self.children, ("", None, len(self.texts))):
            text = framed("".join(self.texts[start:end]), blank_is_layout=bool(self.children))
            if text is not None:
                found.append(Text(text))
            if isinstance(child, Node):
                found.append(child)
            start = end
        return found


def decoded(part: FieldSpec, name: str, text: str) -> object:
    """Decode an attribute's value. Raises MisfitError, with the legal values, if the text is not valid."""
    if part.type is str:
        return text
    if part.kind is _COMMAND:
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
