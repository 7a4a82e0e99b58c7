"""A command beside a skill that prints a text: what is wrong with a call is said on standard error (law 11)."""

import sys
from collections.abc import Callable, Sequence

from .errors import UsageError
from .output import OutputError, use_utf_8, write


def run(printed: Callable[[Sequence[str]], str], words: Sequence[str] | None = None) -> int:
    """Prints what the words ask for, and returns the exit status."""
    use_utf_8()
    try:
        write(printed(sys.argv[1:] if words is None else words))
        return 0
    except (UsageError, OutputError) as error:
        print(error, file=sys.stderr)
        return 2
