"""Text that a program wrote for a terminal, as plain text."""

import re
from typing import Final

_SEQUENCE: Final = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, movements
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, other strings
    r"|\x1b[ -/]*[0-~]?"
)
"""Pattern of the control sequences of ECMA-48, with seven and with eight bits, compiled on first use."""


def plain(text: str) -> str:
    """Remove control sequences and byte order marks; each line end becomes one newline."""
    if "\x1b" in text or not text.isascii():
        text = re.sub(_SEQUENCE, "", text).replace("\ufeff", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")
