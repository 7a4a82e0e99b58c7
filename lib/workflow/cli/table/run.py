"""The entry point of a table's script."""

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(home: str, argv: "Sequence[str] | None" = None) -> int:
    """Run one command of the TABLE in the module `home`, and return the exit status.

    Without `argv` the process does nothing else, and the garbage collector is off (see `cli.main`).
    """
    if argv is None:
        gc.disable()
    from .calls import run_table

    return run_table(home, argv)
