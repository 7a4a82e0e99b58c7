"""XML text back to the tree, on the standard library's expat; what is read is checked as if it were built by hand."""

from collections.abc import Callable
from typing import Final, NamedTuple
from xml.parsers import expat

from .declare import Node
from .frames import Frame, MisfitError
from .nodes import MAX_DEPTH, MAX_NODES, Document


class Limits(NamedTuple):
    """How much the parser takes on. What exceeds a limit is an error, never a shortened tree."""

    size: int = 16 * 1024 * 1024
    """Of the input, in bytes of UTF-8."""
    depth: int = MAX_DEPTH
    elements: int = MAX_NODES
    attributes: int = 256
    """Of one element."""


LIMITS: Final = Limits()
ROOT: Final = "root"


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


def parse(text: str, limits: Limits = LIMITS, check: Callable[[Node], None] | None = None) -> Document:
    """The document that renders as this text. Raises ParseError for anything else, or beyond a limit.

    `check` is called with each finished node; a ValueError that it raises becomes a ParseError with the node's place.
    """
    building = Building(limits, check)
    building.feed(text)
    assert isinstance(building.result, Document)
    return building.result


class Building:
    """One run of expat, within a root of our own: so no DOCTYPE, and with it no entity, can stand in the text."""

    def __init__(self, limits: Limits, check: Callable[[Node], None] | None) -> None:
        self.limits = limits
        self.check = check
        self.count = 0
        self.result: Node | str | list[Node] | None = None
        self.stack: list[Frame] = []
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.buffer_text = True
        self.parser.ordered_attributes = True
        self.parser.Parse(f"<{ROOT}>\n".encode())
        root = Frame("", {}, 1, 1)
        root.classes = (Document,)
        self.stack.append(root)
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data

    def feed(self, text: str) -> None:
        """Reads the whole text, and closes the root."""
        if len(text) > self.limits.size:
            raise self.error(f"{len(text):,} characters; the limit is {self.limits.size:,} bytes", 1, 1)
        try:
            data = f"{text}</{ROOT}>".encode()
        except UnicodeEncodeError as error:
            raise self.error(f"U+{ord(text[error.start]):04X} cannot stand in XML", *place(text, error.start)) from None
        if len(data) - len(ROOT) - 3 > self.limits.size:
            raise self.error(f"{len(data):,} bytes; the limit is {self.limits.size:,}", 1, 1)
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise self.error(self._ill_formed(error.code), error.lineno - 1, error.offset + 1) from None

    def error(self, reason: str, line: int, column: int) -> ParseError:
        """The error at this place, with the path to it."""
        return ParseError(reason, line, column, "/".join(frame.tag for frame in self.stack[1:]))

    def _ill_formed(self, code: int) -> str:
        if code == expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH] and len(self.stack) > 1:
            frame = self.stack[-1]
            return f"<{frame.tag}>, opened at {frame.line}:{frame.column}, is not closed here"
        return f"not well-formed: {expat.ErrorString(code)}"

    def start(self, tag: str, attributes: list[str]) -> None:
        """An opening tag."""
        parent = self.stack[-1]
        line, column = self.parser.CurrentLineNumber - 1, self.parser.CurrentColumnNumber + 1
        frame = Frame(tag, dict(zip(attributes[::2], attributes[1::2], strict=True)), line, column)
        self.stack.append(frame)
        try:
            parent.open(frame)
        except MisfitError as error:
            raise self.error(str(error), line, column) from None
        self.count += 1
        limits = self.limits
        if (
            self.count > limits.elements
            or len(self.stack) - 1 > limits.depth
            or len(attributes) > 2 * limits.attributes
        ):
            raise self.error(
                f"too much: at most {limits.elements:,} elements, {limits.depth} levels, "
                f"{limits.attributes} attributes of one element",
                line,
                column,
            )

    def data(self, text: str) -> None:
        """A piece of text."""
        self.stack[-1].gaps[-1].append(text)

    def end(self, _: str) -> None:
        """A closing tag."""
        frame = self.stack[-1]
        try:
            self.result = frame.close()
            if self.check is not None and isinstance(self.result, Node):
                self.check(self.result)
        except ValueError as error:
            raise self.error(str(error), frame.line, frame.column) from None
        self.stack.pop()
        if self.stack:
            self.stack[-1].add(frame.tag, self.result)


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column, from 1, of a position in the text."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
