"""What a page says to whoever looks for a command in it."""

from lib.workflow.command import Command
from lib.workflow.testing.reader import Page
from lib.workflow.testing.shown import shown, text_of


def commands(page: Page, word: str) -> list[Command]:
    """The commands that stand in the texts of a page and hold a word, in their order."""
    return [item for item in shown(text_of(page.document)) if word in (item.module, *item.words)]
