"""What can be counted of a text on standard input: `python3 -m skills.leon_writing_style.measure < FILE`."""

import sys
from collections.abc import Sequence
from typing import Final

from lib.workflow.errors import UsageError
from lib.workflow.tool import run

from .counting import report

MAX_BYTES: Final = 1024 * 1024


def accepts(words: Sequence[str]) -> None:
    """Raises UsageError for any word: the text comes on standard input."""
    if words:
        raise UsageError(f"{words[0]!r:.60}: it takes no words; give the text on standard input, by `< FILE`")


def printed(words: Sequence[str]) -> str:
    """The report on the text on standard input. Raises UsageError where there is none that can be read."""
    accepts(words)
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("there is no text on standard input; give it by `< FILE`")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError(f"the text has more than {MAX_BYTES:,} bytes; give it in parts")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"the text is not UTF-8: {error}") from None
    if not text.strip():  # a report of no hits would pass for a text that is in order
        raise UsageError("the text on standard input is empty; give a file with words in it, by `< FILE`")
    return report(text)


if __name__ == "__main__":
    raise SystemExit(run("skills.leon_writing_style.measure", printed, __doc__))
