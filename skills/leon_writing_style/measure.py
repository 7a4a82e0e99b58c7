"""Measurements of a text on standard input: `python3 -m skills.leon_writing_style.measure < FILE`."""

from collections.abc import Sequence
from typing import Final

from lib.workflow.arguments.stdin import read_input
from lib.workflow.cli.tool import run
from lib.workflow.errors import UsageError

from .counting import report

MAX_BYTES: Final = 1024 * 1024


def accepts(words: Sequence[str]) -> None:
    """Raise UsageError for any word, because the text comes on standard input."""
    if words:
        raise UsageError(f"{words[0]!r:.60}: unexpected argument; give the text on standard input, by `< FILE`")


def printed(words: Sequence[str]) -> str:
    """Return the report on the text on standard input. Raises UsageError if it is missing or unreadable."""
    accepts(words)
    try:
        text = read_input(MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"the text is not UTF-8: {error}") from None
    except ValueError as error:
        raise UsageError(f"{error}; give a text by `< FILE`; if it is long, give it in parts") from None
    if not text.strip():  # otherwise the report would pass it as a good text
        raise UsageError("the text on standard input is empty; give a file with words in it, by `< FILE`")
    return report(text)


if __name__ == "__main__":
    raise SystemExit(run("skills.leon_writing_style.measure", printed, __doc__))
