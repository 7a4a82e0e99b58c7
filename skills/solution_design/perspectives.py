"""The perspectives from which solutions are looked for: records of `perspectives.md`."""

import os
from typing import Final

from lib.workflow.prompts.records import Record, read_records

FIELDS: Final = ("asks", "fits", "trap")


def read_perspectives() -> tuple[Record, ...]:
    """Return all perspectives, in the order of their file."""
    return read_records(os.path.join(os.path.dirname(__file__), "perspectives.md"), FIELDS)


def _fits(when: str) -> str:
    """Return a sentence on the use, or nothing: the page itself names the perspectives that always fit."""
    return "" if when == "always" else f"Fits: {when}. "


def table() -> str:
    """Return one line per perspective: its question, its use and its trap."""
    return "\n".join(
        f"- `{each.id}`: {each.one('asks')} {_fits(each.one('fits'))}Trap: {each.one('trap')}."
        for each in read_perspectives()
    )
