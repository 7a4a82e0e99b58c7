"""The texts and commands of a page, for an agent that searches it for a command."""

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.reader import Page
from lib.workflow.testing.shown import commands_in


def text_of(page: Page) -> str:
    """Return all texts of a page."""
    return "\n".join(node.value for node in walk(page.document) if isinstance(node, Text))


def commands(page: Page, word: str) -> list[Command]:
    """Return the commands in the texts of a page that contain a word, in their order."""
    return [command for command, _ in commands_in(text_of(page)) if word in (command.module, *command.words)]
