"""Text that a program wrote for a terminal, as plain text."""

import re
from typing import Final

_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, movements
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, other strings
    r"|\x1b[ -/]*[0-~]?"
)
"""Control sequences of ECMA-48, in their forms with seven and with eight bits."""


def plain(text: str) -> str:
    """Remove control sequences and byte order marks; each line end becomes one newline."""
    if "\x1b" in text or not text.isascii():
        text = _SEQUENCE.sub("", text).replace("\ufeff", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")
