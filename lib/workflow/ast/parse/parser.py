"""A parser of XML text, on the standard library's expat. Nodes are checked as if built by hand."""

import gc
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, overload
from xml.parsers import expat

from ..fields import MAX_ATTRIBUTES, MAX_DEPTH, Node
from ..nodes import MAX_NODES, Document, Element
from ..vocabulary import Vocabulary, unknown
from .builder import Built, ElementBuilder, MisfitError


class Limits(NamedTuple):
    """Limits of the parser. Input beyond a limit is an error, never a shortened tree."""

    size: int = 16 * 1024 * 1024
    """Maximum input size in bytes of UTF-8."""
    depth: int = MAX_DEPTH
    """Maximum number of levels."""
    elements: int = MAX_NODES
    """Maximum number of elements."""
    attributes: int = MAX_ATTRIBUTES
    """Maximum number of attributes of one element."""


LIMITS: Final = Limits()
ROOT: Final = "root"
OPENING: Final = len(f"<{ROOT}>")
"""Bytes that the parser has read before the text begins."""


class ParseError(ValueError):
    """Raised for text that is not a document. The message begins with the place, `line:column: path:`."""

    def __init__(self, reason: str, line: int, column: int, path: str = "") -> None:
        super().__init__(f"{line}:{column}: {f'{path}: ' if path else ''}{reason}")
        self.reason = reason
        self.line = line
        """Line number, from 1."""
        self.column = column
        """Column from 1, in characters; for an element, the column of its opening tag."""
        self.path = path
        """Open elements, outermost first, separated by `/`; empty between top-level blocks."""


class Mark(NamedTuple):
    """The start position of a node."""

    line: int
    """Line number, from 1."""
    column: int
    """Column from 1, in characters."""


class SourceMap:
    """Start positions of the nodes of one parsed document.

    They are kept by identity, because equal nodes have different places.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._held: dict[int, tuple[Node, int]] = {}

    def add(self, node: Node, at: int) -> None:
        """Record the start of this node as a byte offset."""
        self._held[id(node)] = (node, at)

    def of(self, node: Node) -> Mark:
        """Return the start of this node. Raises KeyError for texts and for nodes of other documents."""
        return place(self._data, self._held[id(node)][1])


class Marked(NamedTuple):
    """A document and the start positions of its nodes."""

    document: Document
    marks: SourceMap


@overload
def parse(
    text: str, limits: Limits = LIMITS, marks: Literal[False] = False, *, tags: Iterable[str] | None = None
) -> Document: ...


@overload
def parse(text: str, limits: Limits = LIMITS, *, marks: Literal[True], tags: Iterable[str] | None = None) -> Marked: ...


def parse(
    text: str, limits: Limits = LIMITS, marks: bool = False, *, tags: Iterable[str] | None = None
) -> Document | Marked:
    """Parse text into a document.

    Args:
        text: XML, as a step prints it.
        limits: Maximum size, depth and number of elements and attributes.
        marks: If true, return the start positions of all nodes too.
        tags: Legal tags beside those of node classes; any other tag is an error. By default every tag is legal.

    Raises:
        ParseError: If the text is not a document, has an illegal tag, or exceeds a limit.
    """
    building = Building(limits, marks, tags)
    building.feed(text)
    assert isinstance(building.result, Document)
    return building.result if building.marks is None else Marked(building.result, building.marks)


def parse_page(text: str, tags: Iterable[str] = ()) -> Document:
    """Parse a whole page, in which a misspelt tag is an error.

    Args:
        text: XML, as a step prints it.
        tags: Tags of the workflow, as in its declaration.

    Raises:
        ParseError: If the text is not a document, or has another tag. The message names the nearest legal tag.
    """
    return parse(text, tags=tags)


class Building:
    """One run of expat, inside a root element of ours, so that the text cannot hold a DOCTYPE or entities."""

    def __init__(self, limits: Limits, marked: bool, tags: Iterable[str] | None = None) -> None:
        self.limits = limits
        _, self.max_depth, self.max_elements, self.max_attributes = limits
        self.marks: SourceMap | None = None
        self.marked = marked
        self.tags = None if tags is None else Vocabulary(tags)
        self.count = self.depth = 0
        self.result: Built | None = None
        self.stack: list[ElementBuilder] = []
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.buffer_text = True
        self.parser.Parse(f"<{ROOT}>".encode())
        self.text = b""
        root = ElementBuilder("", {}, OPENING)
        root.classes = (Document,)
        self.stack.append(root)
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = root.texts.append

    def feed(self, text: str) -> None:
        """Parse the whole text and close the root."""
        if len(text) > self.limits.size:
            raise self.error(f"{len(text):,} characters; the limit is {self.limits.size:,} bytes", 0)
        try:
            self.text = text.encode()
        except UnicodeEncodeError as error:
            self.text = text[: error.start].encode()
            raise self.error(f"U+{ord(text[error.start]):04X} is not allowed in XML", len(self.text)) from None
        if len(self.text) > self.limits.size:
            raise self.error(f"{len(self.text):,} bytes; the limit is {self.limits.size:,}", 0)
        self.marks = SourceMap(self.text) if self.marked else None
        collecting = gc.isenabled()
        gc.disable()  # the nodes hold no cycles, and the collector takes a fifth of the time
        try:
            self.parser.Parse(self.text)
            self.parser.Parse(f"</{ROOT}>".encode(), True)
        except expat.ExpatError as error:
            raise self.error(self._ill_formed(error.code), self.parser.ErrorByteIndex - OPENING) from None
        finally:
            # Breaks the reference cycle, which a short process would never collect.
            self.parser.StartElementHandler = self.parser.EndElementHandler = self.parser.CharacterDataHandler = None
            if collecting:
                gc.enable()

    def error(self, reason: str, at: int) -> ParseError:
        """Return an error at this byte of the text, with the path to it."""
        return ParseError(reason, *place(self.text, at), "/".join(frame.tag[:60] for frame in self.stack[1:]))

    def _ill_formed(self, code: int) -> str:
        if code == expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH] and len(self.stack) > 1:
            frame = self.stack[-1]
            mark = place(self.text, frame.at - OPENING)
            return f"<{frame.tag}>, opened at {mark.line}:{mark.column}, is not closed here"
        return f"not well-formed: {expat.ErrorString(code)}"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle an opening tag."""
        parent = self.stack[-1]
        frame = ElementBuilder(tag, attributes, self.parser.CurrentByteIndex)
        self.stack.append(frame)
        self.parser.CharacterDataHandler = frame.texts.append
        try:
            parent.open(frame)
        except MisfitError as error:
            raise self._misfit(error, frame) from None
        if self.tags is not None and frame.classes == (Element,) and tag not in self.tags.tags:
            raise self._misfit(ValueError(unknown(tag, self.tags)), frame)
        if not frame.classes:  # such an element occurs once per node, so the node count limits it
            return
        self.count += 1
        self.depth += 1
        if self.count > self.max_elements or self.depth > self.max_depth or len(attributes) > self.max_attributes:
            limits = self.limits
            raise self.error(
                f"document too large: at most {limits.elements:,} elements, {limits.depth} levels, "
                f"{limits.attributes} attributes of one element",
                frame.at - OPENING,
            )

    def end(self, _: str) -> None:
        """Handle a closing tag."""
        frame = self.stack[-1]
        try:
            self.result = frame.close()
        except ValueError as error:
            raise self._misfit(error, frame) from None
        if self.marks is not None and isinstance(self.result, Node):
            self.marks.add(self.result, frame.at - OPENING)
        self.stack.pop()
        if frame.classes:
            self.depth -= 1
        if self.stack:
            parent = self.stack[-1]
            parent.children.append((frame.tag, self.result, len(parent.texts)))
            self.parser.CharacterDataHandler = parent.texts.append

    def _misfit(self, error: ValueError, frame: ElementBuilder) -> ParseError:
        return self.error(str(error), frame.at - OPENING)


def place(text: str | bytes, position: int) -> Mark:
    """Return the line and column of a character offset, or of a byte offset in UTF-8."""
    before = text[:position] if isinstance(text, str) else text[:position].decode(errors="ignore")
    return Mark(before.count("\n") + 1, len(before) - before.rfind("\n"))


parse_xml = parse
"""Alias that matches the names of the other formats."""
