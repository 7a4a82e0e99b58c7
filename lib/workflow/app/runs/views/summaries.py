"""One-line summaries of pages, questions and answers for watchers of a run."""

from collections.abc import Iterable
from typing import NamedTuple

from ....ast.dispatch import assignments
from ....ast.nodes import Document, Text
from ....ast.parse import ParseError, parse
from ....ast.relay import Answer, Question
from ....ast.step import CurrentAction
from ....ast.visitor import walk
from ...output.screen import count

QUOTE = "> "


class Glance(NamedTuple):
    """A page at a glance."""

    launched: str
    """Launched agents: `1 architect agent`."""
    quoted: str
    """The first quoted line of the step's text, about the record or the request."""


def glance(text: str) -> Glance:
    """Return the summary of a page; empty if it cannot be read."""
    document = _read(text)
    return Glance(counted(one.agent for one in assignments(document)), _quoted(document))


def asked(text: str, longest: int | None = None) -> str:
    """Return the questions; of one with more than `longest` characters, its header."""
    found = (node for node in walk(_read(text)) if isinstance(node, Question))
    return " ".join(node.text if longest is None or len(node.text) <= longest else node.header for node in found)


def answered(text: str) -> str:
    """Return the answers."""
    return ", ".join(node.text for node in walk(_read(text)) if isinstance(node, Answer))


def counted(roles: Iterable[str]) -> str:
    """Return `2 developer agents, 1 explore agent`."""
    listed = sorted(roles)
    return ", ".join(count(listed.count(role), f"{role} agent") for role in dict.fromkeys(listed))


def _read(text: str) -> Document:
    try:
        return parse(text)
    except ParseError:  # the driver reports it
        return Document(())


def _quoted(document: Document) -> str:
    actions = (block for block in document.blocks if isinstance(block, CurrentAction))
    texts = (node.value for block in actions for node in walk(Document([block])) if isinstance(node, Text))
    lines = (line for text in texts for line in text.splitlines())
    return next((line.removeprefix(QUOTE) for line in lines if line.startswith(QUOTE)), "")
