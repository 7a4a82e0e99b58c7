"""The anchors of a tree and their mentions, for formats with links."""

import re
from collections.abc import Iterator
from typing import Final

from ...ast.fields import Node, children
from ...ast.nodes import Element, Text
from ...ast.prose import ANCHOR

_WORD: Final = re.compile(r"(?<![A-Za-z0-9])([A-Za-z0-9]++(?:-[A-Za-z0-9]++)++)")
"""Pattern of a possible id in a text: words joined by hyphens, such as `M-001`."""


def words(text: str) -> list[str]:
    """Split the text into possible ids and the text between them."""
    return _WORD.split(text)


class References:
    """The anchors of a tree by id, and the mentions of each in tree order."""

    def __init__(self, root: Node) -> None:
        self._places: Final[dict[str, str]] = {}
        for _, node in _walk(root, ""):
            if isinstance(node, Element) and (name := dict(node.attributes).get(ANCHOR)):
                self._places.setdefault(name, f"a{len(self._places) + 1}")
        found: dict[str, dict[str, None]] = {}
        for within, node in _walk(root, ""):
            for text in _texts(node):
                for word in words(text):
                    if within and word in self._places and word != within:
                        found.setdefault(word, {})[within] = None
        self.cited: Final = {name: tuple(citing) for name, citing in found.items()}

    def place(self, name: str) -> str:
        """Return the anchor's name in links, of letters and digits only; empty for an unknown anchor."""
        return self._places.get(name, "")


def _walk(node: Node, within: str) -> Iterator[tuple[str, Node]]:
    """Yield each node with the id of the anchor around it."""
    if isinstance(node, Element):
        within = dict(node.attributes).get(ANCHOR) or within
    yield within, node
    for child in children(node):
        yield from _walk(child, within)


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, Text):
        yield node.value
    elif isinstance(node, Element):
        yield dict(node.attributes).get("label", "")
