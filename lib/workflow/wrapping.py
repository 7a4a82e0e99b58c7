"""A line broken into several that fit, for whatever has columns."""

import textwrap
from unicodedata import east_asian_width


def wrapped(line: str, width: int, first: str = "", others: str = "") -> list[str]:
    """The line in lines. A character that takes two columns counts as two, and one column is left in case it is cut."""
    wide = "".join(f"{char}\0" if east_asian_width(char) in "WF" else char for char in line)
    room = width if wide == line else width - 1
    parts = textwrap.wrap(wide, room, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)
    return [part.replace("\0", "") for part in parts]
