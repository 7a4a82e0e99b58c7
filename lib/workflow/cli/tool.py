"""A command beside a skill that prints a text; what goes wrong is told as a step tells it."""

import sys
from collections.abc import Callable, Sequence
from typing import Final

from .script import DONE, FORMS
from .script import run as run_script

HELP: Final = (["-h"], ["--help"])


def run(module: str, printed: Callable[[Sequence[str]], str], usage: str | None) -> int:
    """Prints what the words of the command line ask of the module, or its usage, and returns the exit status."""
    words = sys.argv[1:]
    return run_script(module, words, FORMS, lambda: (DONE, (usage or "").strip() if words in HELP else printed(words)))
