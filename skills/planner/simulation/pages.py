"""What a page says to whoever looks for a command in it."""

import re

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.reader import Page


def text_of(page: Page) -> str:
    """All that a page says."""
    return "\n".join(node.value for node in walk(page.document) if isinstance(node, Text))


def commands(page: Page, word: str) -> list[Command]:
    """The commands that stand in the texts of a page and hold a word, in their order."""
    found: list[Command] = []
    for text in re.findall(r"^\s*(/\S+ -P -m .+)$|`(/\S+ -P -m [^`]+)`", text_of(page), re.MULTILINE):
        command = Command.read(text[0] or text[1])
        if word in (command.module, *command.words):
            found.append(command)
    return found
