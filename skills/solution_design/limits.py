"""The numbers of the solution design, for its prompts and the roster that enforces them."""

from typing import Final

MAX_CONSTRAINTS: Final = 8
MIN_PERSPECTIVES: Final = 3
MAX_PERSPECTIVES: Final = 4
"""Most perspectives, an agent each."""
MAX_AT_A_TIME: Final = 4
MAX_TASK: Final = 600
"""Most characters: the frame is in a file that each entry names."""
MAX_CASES: Final = 3
"""Most inputs or events that test every option, and most that the challenge adds."""
MAX_LOOKS: Final = 6
"""Most checks in a step that tests options against the code."""
MIN_FIELD: Final = 2
"""Fewest options that are compared, including no change at all."""
MAX_FIELD: Final = 5
MIN_CRITERIA: Final = 3
MAX_CRITERIA: Final = 6
MAX_RISKS: Final = 5
MAX_STAGES: Final = 5
MAX_WORDS: Final = 500
"""Most words of the report."""
