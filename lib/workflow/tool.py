"""A command beside a skill that prints a text: what is wrong with a call is said on standard error (law 11)."""

import sys
from collections.abc import Callable, Sequence
from typing import Final

from .errors import UsageError
from .output import OutputError, use_utf_8, write

HELP: Final = (["-h"], ["--help"])


def run(printed: Callable[[Sequence[str]], str], usage: str | None) -> int:
    """Prints what the words of the command line ask for, or its usage, and returns the exit status."""
    use_utf_8()
    words = sys.argv[1:]
    try:
        write((usage or "").strip() if words in HELP else printed(words))
        return 0
    except (UsageError, OutputError) as error:
        print(error, file=sys.stderr)
        return 2
