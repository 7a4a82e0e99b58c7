"""What can be counted of a text on standard input: `python3 -m skills.leon_writing_style.measure < FILE`."""

from collections.abc import Sequence
from typing import Final

from lib.workflow.cli.tool import run
from lib.workflow.errors import UsageError
from lib.workflow.util.stdin import read_input

from .counting import report

MAX_BYTES: Final = 1024 * 1024


def accepts(words: Sequence[str]) -> None:
    """Raises UsageError for any word: the text comes on standard input."""
    if words:
        raise UsageError(f"{words[0]!r:.60}: it takes no words; give the text on standard input, by `< FILE`")


def printed(words: Sequence[str]) -> str:
    """The report on the text on standard input. Raises UsageError where there is none that can be read."""
    accepts(words)
    try:
        text = read_input(MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"the text is not UTF-8: {error}") from None
    except ValueError as error:
        raise UsageError(f"{error}; give a text by `< FILE`; if it is long, give it in parts") from None
    if not text.strip():  # a report of no hits would pass for a text that is in order
        raise UsageError("the text on standard input is empty; give a file with words in it, by `< FILE`")
    return report(text)


if __name__ == "__main__":
    raise SystemExit(run("skills.leon_writing_style.measure", printed, __doc__))
