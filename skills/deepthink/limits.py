"""The numbers of deep thinking: what its prompts say and its roster enforces."""

from typing import Final

MAX_READINGS: Final = 3
MAX_TESTS: Final = 3
"""Of an answer, by its text."""
MAX_PRINCIPLES: Final = 4
MIN_CASES: Final = 2
MAX_CASES: Final = 4
MAX_PARTS: Final = 6
MIN_LINES: Final = 2
MAX_LINES: Final = 5
"""Lines of inquiry, an agent each."""
MAX_AT_A_TIME: Final = 5
MAX_TASK: Final = 600
"""Characters: the whole question (Laban 2025, arXiv 2505.06120) is in a file that each entry names."""
CHECKS: Final = 2
"""Grounds of each reply that are opened again."""
MIN_KEPT: Final = 2
"""Replies, to have something to lay side by side."""
MAX_CLAIMS: Final = 8
MAX_ROUNDS: Final = 5
MAX_LOOKS: Final = 3
"""In one round."""
MAX_ALL_LOOKS: Final = 8
"""Before an answer is drafted: the parts of a plan together, or what the replies left open."""
MAX_WORDS: Final = 600
"""Of the answer."""
