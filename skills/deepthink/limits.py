"""The numbers of deep thinking, for its prompts and the roster that enforces them."""

from typing import Final

MAX_READINGS: Final = 3
MAX_TESTS: Final = 3
"""Most tests of an answer, by its text."""
MAX_PRINCIPLES: Final = 4
MIN_CASES: Final = 2
MAX_CASES: Final = 4
MAX_PARTS: Final = 6
MIN_LINES: Final = 2
MAX_LINES: Final = 5
"""Most lines of inquiry, an agent each."""
MAX_AT_A_TIME: Final = 5
MAX_TASK: Final = 600
"""Most characters: the whole question (Laban 2025, arXiv 2505.06120) is in a file that each entry names."""
CHECKS: Final = 2
"""Grounds of each reply that are opened again."""
MIN_KEPT: Final = 2
"""Fewest replies that can be compared."""
MAX_CLAIMS: Final = 8
MAX_ROUNDS: Final = 5
MAX_LOOKS: Final = 3
"""Most checks in one round."""
MAX_ALL_LOOKS: Final = 8
"""Most checks before a draft: for all parts of a plan, or for the gaps of the replies."""
MAX_WORDS: Final = 600
"""Most words of the answer."""
