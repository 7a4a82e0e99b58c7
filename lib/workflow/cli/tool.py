"""A command beside a skill that prints a text; it reports errors as a step does."""

import sys
from collections.abc import Callable, Sequence
from typing import Final

from .script import DONE, FORMS
from .script import run as run_script

HELP: Final = (["-h"], ["--help"])


def run(module: str, printed: Callable[[Sequence[str]], str], usage: str | None) -> int:
    """Print the result for the command line's words, or the usage, and return the exit status."""
    words = sys.argv[1:]
    return run_script(module, words, FORMS, lambda: (DONE, (usage or "").strip() if words in HELP else printed(words)))
