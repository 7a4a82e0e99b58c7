"""The numbers of incoherence, for its prompts and the commands that enforce them."""

from enum import StrEnum
from typing import Final

from lib.workflow.types import MAX_QUESTIONS

MIN_SOURCES: Final = 2
MAX_SOURCES: Final = 20
MAX_CLAIMS: Final = 30
"""Most claims traced in one sweep."""
MIN_SWEEPS: Final = 2
MAX_SWEEPS: Final = 6
"""Most dimensions of one run."""
MAX_PER_SWEEPER: Final = 2
"""Most dimensions of one agent, which reads the rules once."""
MAX_FOUND: Final = 5
"""Most candidates of one dimension to choose from."""
MAX_SLIPS: Final = 8
"""Most evident slips of one sweep; the user confirms them together."""
MAX_MORE: Final = 20
"""Most other candidates of one sweep; the report lists them."""
MAX_DIVES: Final = 12
"""Most candidates that are examined."""
MAX_PER_DIVER: Final = 4
"""Most candidates of one agent, which reads the rules once."""
SHORT_SWEEPS: Final = 3
SHORT_DIVES: Final = 4
SHORT_FILES: Final = 20
"""Most files of a scope for which the first step recommends a short run."""


class Depth(StrEnum):
    """The size of a run, which its survey chooses."""

    SHORT = "short"
    FULL = "full"

    @property
    def sweeps(self) -> int:
        """Return the most dimensions."""
        return SHORT_SWEEPS if self is Depth.SHORT else MAX_SWEEPS

    @property
    def dives(self) -> int:
        """Return the most candidates that are examined."""
        return SHORT_DIVES if self is Depth.SHORT else MAX_DIVES


MAX_AT_A_TIME: Final = 4
MAX_LOOKS: Final = 6
"""Most checks of one candidate."""
MAX_BATCH: Final = MAX_QUESTIONS
"""Most questions that are put to the user at a time."""
MAX_POSED: Final = MAX_DIVES
"""Most questions that are prepared at a time."""
MAX_TASKS: Final = 8
MAX_FILES: Final = 12
"""Most files of one task."""
MAX_PLANNED: Final = MAX_TASKS * MAX_FILES
"""Most files that all rules together change; more would not fit into tasks."""
MAX_TRIES: Final = 2
"""Most tries of one task: the first, and one after a failed check."""
MAX_WORDS: Final = 400
"""Most words of the report."""
MAX_PLACE: Final = 120
MAX_LINE: Final = 200
"""Most characters of a text in lists."""
MAX_TEXT: Final = 400
"""Most characters of evidence, a rule, a report."""
MAX_ASKED: Final = 1_000
"""Most characters of a question: it shows the evidence, and can list several slips."""
