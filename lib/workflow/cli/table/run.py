"""The entry point of a table's script."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(home: str, argv: "Sequence[str] | None" = None, by_word: bool = False) -> int:
    """Run one command of a table, and return the exit status.

    Args:
        home: Module with the TABLE.
        argv: Words of the command. Without them those of the process, which then does nothing else: the garbage
            collector is off (see `cli.main`).
        by_word: True if a word of `stepscript` was typed, so that help names it.
    """
    if argv is None:
        from ...util.startup import short_process

        short_process()
    from .calls import run_table

    return run_table(home, argv, by_word)
