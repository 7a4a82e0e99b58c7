"""The perspectives from which solutions are looked for: records of `perspectives.md`."""

import os
from typing import Final

from lib.workflow.prompts.records import Record, read_records

FIELDS: Final = ("asks", "fits", "trap")


def read_perspectives() -> tuple[Record, ...]:
    """All perspectives, in the order of their file."""
    return read_records(os.path.join(os.path.dirname(__file__), "perspectives.md"), FIELDS)


def table() -> str:
    """A perspective a paragraph: what it asks and when it fits."""
    return "\n\n".join(
        f"{each.id}: {each.one('asks')}\n  fits: {each.one('fits')}\n  trap: {each.one('trap')}"
        for each in read_perspectives()
    )
