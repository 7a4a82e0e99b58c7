"""Width of text in a terminal, and its division into lines."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from ..schema.plan.diagram import Diagram, DiagramEdge, DiagramNode

LONGEST: Final = 40
"""Columns of the longest word that is kept in one piece."""
ZERO: Final = ("Mn", "Me")
"""Categories of the marks that are drawn on the character before them."""
UNSURE: Final = ("Cc", "Cf", "Cn", "Co", "Cs", "Mc", "Zl", "Zp", "Zs")
"""Categories whose width depends on the terminal, or that reorder the text around them."""
REORDERED: Final = ("R", "AL", "AN")
"""Bidirectional classes of characters that some terminals write from right to left."""
DISPUTED: Final = (
    *((0x1160, 0x11FF), (0xD7B0, 0xD7FF), (0xFE00, 0xFE0F), (0x1F1E6, 0x1F1FF), (0x1F3FB, 0x1F3FF)),
    *((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376)),
    *((0x3164, 0x3164), (0xFFA0, 0xFFA0), (0x1171E, 0x1171E)),
)
"""Ranges that some terminals combine with a neighbour: parts of Hangul syllables, variants, flags, skin tones.

The others are characters that Unicode 16 made wide, such as the I Ching signs, two fillers and a vowel sign.
"""


def unmeasurable(text: str) -> str | None:
    """Return the first character whose width in a terminal is not certain, if there is one."""
    base = False
    for char in text:
        if not (" " <= char <= "~") and _unsure(char, base):
            return char
        base = char != " "
    return None


def _unsure(char: str, base: bool) -> bool:
    category = unicodedata.category(char)
    if category in UNSURE or (category in ZERO and not base) or unicodedata.bidirectional(char) in REORDERED:
        return True
    return any(first <= ord(char) <= last for first, last in DISPUTED)


def columns(text: str) -> int:
    """Return the columns that the text takes: East Asian wide characters two, marks none, all others one."""
    if text.isascii():
        return len(text)
    return sum(map(width, text))


def width(char: str) -> int:
    """Return the columns of one character."""
    if unicodedata.category(char) in ZERO:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(text: str) -> Iterator[str]:
    """Yield one entry per column: a character with its marks; an empty one for a wide character's second column."""
    cell = ""
    for char in text:
        wide = width(char)
        if not wide:
            cell += char
            continue
        if cell:
            yield from (cell, *[""] * (columns(cell) - 1))
        cell = char
    if cell:
        yield from (cell, *[""] * (columns(cell) - 1))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of the text, long ones in parts, each with True if it continues the one before."""
    for word in text.split():
        part, used, continues = "", 0, False
        for char in word:
            if used + width(char) > LONGEST:
                yield part, continues
                part, used, continues = "", 0, True
            part, used = part + char, used + width(char)
        yield part, continues


def wrapped(text: str, room: int) -> tuple[str, ...]:
    """Return the text in lines of at most that many columns. A longer word gets its own line."""
    lines: list[str] = []
    for word, continues in pieces(text):
        joined = f"{lines[-1]}{'' if continues else ' '}{word}" if lines else ""
        if lines and columns(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(word)
    return tuple(lines)


def widest(lines: Iterable[str]) -> int:
    """Return the columns of the longest line."""
    return max(map(columns, lines), default=0)


def texts(diagram: Diagram) -> Iterator[tuple[str, str]]:
    """Yield every text that a drawing shows, after the field that holds it: `nodes` or `edges`."""
    for node in diagram.nodes:
        yield from (("nodes", node.label), ("nodes", node.type or ""))
    for edge in diagram.edges:
        yield from (("edges", edge.label), ("edges", edge.protocol or ""))


def node_lines(node: DiagramNode, room: int) -> tuple[str, ...]:
    """Return the text in a node's box: its label, and its type in parentheses."""
    return (*wrapped(node.label, room), *wrapped(f"({node.type})" if node.type else "", room))


def edge_text(edge: DiagramEdge) -> str:
    """Return the text at an arrow: its label, and its protocol in parentheses."""
    return f"{edge.label} ({edge.protocol})".strip() if edge.protocol else edge.label
