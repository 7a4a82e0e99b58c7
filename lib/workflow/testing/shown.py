"""Commands that stand in the texts of a page: on a line of their own, or between backticks."""

from collections.abc import Iterator
from contextlib import suppress

from ..ast.nodes import Document, Text
from ..ast.visitor import walk
from ..command import Command, CommandError, launcher


def text_of(document: Document) -> str:
    """All that a page says."""
    return "\n".join(node.value for node in walk(document) if isinstance(node, Text))


def shown(text: str) -> Iterator[Command]:
    """The commands in a text, in their order. Each begins with the launcher of this process."""
    for line in text.split("\n"):
        for piece in (line, *line.split("`")[1::2]):
            with suppress(CommandError):
                command = Command.read(piece)
                if command.launcher == launcher(command.module):
                    yield command
