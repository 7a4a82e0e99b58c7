"""The numbers of incoherence: what its prompts say and its commands enforce."""

from typing import Final

from lib.workflow.types import MAX_QUESTIONS

MIN_SOURCES: Final = 2
MAX_SOURCES: Final = 20
MAX_CLAIMS: Final = 30
"""Traced in one sweep."""
MIN_SWEEPS: Final = 2
MAX_SWEEPS: Final = 6
"""Dimensions of one run, an agent each."""
MAX_FOUND: Final = 5
"""Candidates of one dimension among which is chosen."""
MAX_MORE: Final = 20
"""What one sweep found besides; it is listed in the report."""
MAX_DIVES: Final = 12
"""Candidates that are looked into, an agent each."""
MAX_AT_A_TIME: Final = 4
MAX_LOOKS: Final = 6
"""Of one dive."""
MAX_BATCH: Final = MAX_QUESTIONS
"""Questions that are put to the user before the answers are worked in."""
MAX_TASKS: Final = 8
MAX_FILES: Final = 12
"""Of one task."""
MAX_PLANNED: Final = MAX_TASKS * MAX_FILES
"""Files that all rules together change; more could not be given to tasks."""
MAX_TRIES: Final = 2
"""Of one task: the first, and one after its check has failed."""
MAX_WORDS: Final = 400
"""Of the report."""
MAX_PLACE: Final = 120
MAX_LINE: Final = 200
"""Characters of what is shown in lists."""
MAX_TEXT: Final = 400
"""Characters of evidence, a rule, a report."""
MAX_ASKED: Final = 1_000
"""Characters of a question: it shows the evidence, and can list several slips."""
