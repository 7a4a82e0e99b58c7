"""XML text back to the tree, on the standard library's expat; what is read is checked as if it were built by hand."""

import gc
from typing import Final, Literal, NamedTuple, overload
from xml.parsers import expat

from .builder import Built, ElementBuilder, MisfitError
from .fields import MAX_ATTRIBUTES, MAX_DEPTH, Node
from .nodes import MAX_NODES, Document


class Limits(NamedTuple):
    """How much the parser takes on. What exceeds a limit is an error, never a shortened tree."""

    size: int = 16 * 1024 * 1024
    """Of the input, in bytes of UTF-8."""
    depth: int = MAX_DEPTH
    elements: int = MAX_NODES
    attributes: int = MAX_ATTRIBUTES
    """Of one element."""


LIMITS: Final = Limits()
ROOT: Final = "root"
OPENING: Final = len(f"<{ROOT}>")
"""What the parser has read before the text begins."""


class ParseError(ValueError):
    """Text that is no document. The message begins with the place, `line:column: path:`."""

    def __init__(self, reason: str, line: int, column: int, path: str = "") -> None:
        super().__init__(f"{line}:{column}: {f'{path}: ' if path else ''}{reason}")
        self.reason = reason
        self.line = line
        """From 1."""
        self.column = column
        """From 1, in characters; for an element, of its opening tag."""
        self.path = path
        """The open elements, outermost first, divided by `/`; empty between top-level blocks."""


class Mark(NamedTuple):
    """Where a node began."""

    line: int
    """From 1."""
    column: int
    """From 1, in characters."""


class SourceMap:
    """Where each node of one parsed document began, kept outside the nodes: two equal nodes have two places."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._held: dict[int, tuple[Node, int]] = {}

    def add(self, node: Node, at: int) -> None:
        """Keeps the place of this very node: a byte of the text."""
        self._held[id(node)] = (node, at)

    def of(self, node: Node) -> Mark:
        """The place of this very node. Raises KeyError for a node of another document, and for texts."""
        return place(self._data, self._held[id(node)][1])


class Marked(NamedTuple):
    """A document and where its nodes began."""

    document: Document
    marks: SourceMap


@overload
def parse(text: str, limits: Limits = LIMITS, marks: Literal[False] = False) -> Document: ...


@overload
def parse(text: str, limits: Limits = LIMITS, *, marks: Literal[True]) -> Marked: ...


def parse(text: str, limits: Limits = LIMITS, marks: bool = False) -> Document | Marked:
    """The document that renders as this text. Raises ParseError for anything else, or beyond a limit.

    With `marks`, the places of all nodes come too.
    """
    building = Building(limits, marks)
    building.feed(text)
    assert isinstance(building.result, Document)
    return building.result if building.marks is None else Marked(building.result, building.marks)


class Building:
    """One run of expat, within a root of our own: so no DOCTYPE, and with it no entity, can stand in the text."""

    def __init__(self, limits: Limits, marked: bool) -> None:
        self.limits = limits
        _, self.max_depth, self.max_elements, self.max_attributes = limits
        self.marks: SourceMap | None = None
        self.marked = marked
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
        self.parser.CharacterDataHandler = self.data

    def feed(self, text: str) -> None:
        """Reads the whole text, and closes the root."""
        if len(text) > self.limits.size:
            raise self.error(f"{len(text):,} characters; the limit is {self.limits.size:,} bytes", 0)
        try:
            self.text = text.encode()
        except UnicodeEncodeError as error:
            self.text = text[: error.start].encode()
            raise self.error(f"U+{ord(text[error.start]):04X} cannot stand in XML", len(self.text)) from None
        if len(self.text) > self.limits.size:
            raise self.error(f"{len(self.text):,} bytes; the limit is {self.limits.size:,}", 0)
        self.marks = SourceMap(self.text) if self.marked else None
        collecting = gc.isenabled()
        gc.disable()  # the nodes hold no cycles, and looking for some takes a fifth of the time
        try:
            self.parser.Parse(self.text)
            self.parser.Parse(f"</{ROOT}>".encode(), True)
        except expat.ExpatError as error:
            raise self.error(self._ill_formed(error.code), self.parser.ErrorByteIndex - OPENING) from None
        finally:
            # Else the two would hold one another until the collector comes, which in a short process it never does.
            self.parser.StartElementHandler = self.parser.EndElementHandler = self.parser.CharacterDataHandler = None
            if collecting:
                gc.enable()

    def error(self, reason: str, at: int) -> ParseError:
        """The error at this byte of the text, with the path to it."""
        return ParseError(reason, *place(self.text, at), "/".join(frame.tag[:60] for frame in self.stack[1:]))

    def _ill_formed(self, code: int) -> str:
        if code == expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH] and len(self.stack) > 1:
            frame = self.stack[-1]
            mark = place(self.text, frame.at - OPENING)
            return f"<{frame.tag}>, opened at {mark.line}:{mark.column}, is not closed here"
        return f"not well-formed: {expat.ErrorString(code)}"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An opening tag."""
        parent = self.stack[-1]
        frame = ElementBuilder(tag, attributes, self.parser.CurrentByteIndex)
        self.stack.append(frame)
        try:
            parent.open(frame)
        except MisfitError as error:
            raise self._misfit(error, frame) from None
        if frame.classes:  # what is no node stands once in one, so the nodes bound it
            self.count += 1
            self.depth += 1
        if self.count > self.max_elements or self.depth > self.max_depth or len(attributes) > self.max_attributes:
            limits = self.limits
            raise self.error(
                f"too much: at most {limits.elements:,} elements, {limits.depth} levels, "
                f"{limits.attributes} attributes of one element",
                frame.at - OPENING,
            )

    def data(self, text: str) -> None:
        """A piece of text."""
        self.stack[-1].held.append(text)

    def end(self, _: str) -> None:
        """A closing tag."""
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
            self.stack[-1].add(frame.tag, self.result)

    def _misfit(self, error: ValueError, frame: ElementBuilder) -> ParseError:
        return self.error(str(error), frame.at - OPENING)


def place(text: str | bytes, position: int) -> Mark:
    """The place of a character of a text, or of a byte of a text in UTF-8."""
    before = text[:position] if isinstance(text, str) else text[:position].decode(errors="ignore")
    return Mark(before.count("\n") + 1, len(before) - before.rfind("\n"))


parse_xml = parse
"""Its name beside those of the other forms."""
