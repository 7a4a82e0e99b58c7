"""The dimensions in which a project can contradict itself: records of `dimensions.md`."""

import os
from typing import Final

from lib.workflow.prompts.records import Record, read_records

FIELDS: Final = ("compares", "look", "example", "not")


def read_dimensions() -> tuple[Record, ...]:
    """Return all dimensions, in the order of their file."""
    return read_records(os.path.join(os.path.dirname(__file__), "dimensions.md"), FIELDS)


def table() -> str:
    """Return one line per dimension with its comparison."""
    return "\n".join(f"{each.id} | {each.one('compares')}" for each in read_dimensions())
