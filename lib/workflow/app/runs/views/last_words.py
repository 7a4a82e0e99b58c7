"""The last line that an agent at work has printed."""

import os
import re
from typing import Final

from ....run.journal.journal import AGENTS
from ....run.journal.projection import Agent
from ....state.locks import NO_FOLLOW
from ....util.characters import on_a_screen

TAIL: Final = 4096
"""Bytes read from the end of an output."""
MOST: Final = 200
"""Maximum characters of a line that is shown."""
_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,256}\x07?)")
"""Terminal sequences: colours, movements of the cursor, titles."""


def last_words(run: str, agent: Agent) -> str:
    """Return the last line of an agent's output, else of its errors; empty if it has printed nothing."""
    stem = os.path.join(run, AGENTS, f"{agent.key}-{agent.attempt}")
    return next(filter(None, (_last_line(f"{stem}.{kind}") for kind in ("out", "errors"))), "")


def _last_line(path: str) -> str:
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | NO_FOLLOW | os.O_NONBLOCK)) as file:
            file.seek(max(file.seek(0, os.SEEK_END) - TAIL, 0))
            text = file.read(TAIL).decode(errors="replace")
    except OSError:
        return ""
    lines = (on_a_screen(_ESCAPES.sub("", line)) for line in reversed(re.split(r"[\r\n]", text)))
    return next(filter(None, lines), "")[:MOST]
