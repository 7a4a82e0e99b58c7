"""The numbers of the solution design: what its prompts say and its roster enforces."""

from typing import Final

MAX_CONSTRAINTS: Final = 8
MIN_PERSPECTIVES: Final = 3
MAX_PERSPECTIVES: Final = 5
"""An agent each."""
MAX_AT_A_TIME: Final = 4
MAX_TASK: Final = 600
"""Characters: the frame is in a file that each entry names."""
MAX_CASES: Final = 3
"""Inputs or events that every option is walked through."""
MAX_LOOKS: Final = 6
"""At a step that tests options against the code."""
MIN_FIELD: Final = 2
"""Options that are compared, leaving things as they are among them."""
MAX_FIELD: Final = 5
MIN_CRITERIA: Final = 3
MAX_CRITERIA: Final = 6
MAX_RISKS: Final = 5
MAX_STAGES: Final = 5
MAX_WORDS: Final = 500
"""Of the report."""
