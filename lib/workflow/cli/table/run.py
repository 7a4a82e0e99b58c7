"""Where a table's script begins."""

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(home: str, argv: "Sequence[str] | None" = None) -> int:
    """Does what the words ask of the TABLE in the module `home`, and returns the exit status.

    Without `argv` the process is taken to do nothing else, and the collector is off (see `cli.main`).
    """
    if argv is None:
        gc.disable()
    from .calls import run_table

    return run_table(home, argv)
