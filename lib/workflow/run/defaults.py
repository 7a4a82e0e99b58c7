"""Defaults and limits of a run. It imports nothing, because options of commands read it too."""

MAX_PARALLEL = 8
"""Agents that run at a time."""
ATTEMPTS = 3
"""Attempts at one job."""
SECONDS = 3600
"""Timeout of an attempt in seconds."""
MAX_SECONDS = 7 * 24 * 3600
BACKOFF = 2.0
"""Seconds before the second attempt."""
MOST_PARALLEL = 64
MOST_ATTEMPTS = 9
MOST_AGENTS = 1_000_000
MOST_MINUTES = 525_600
"""One year in minutes."""
MOST_TOKENS = 10**12
MOST_CENTS = 99_999_900
"""Nearly a million US dollars."""
MOST_SECONDS = 31_536_000
"""One year in seconds."""
LONGEST_REPLY = 200_000
"""Maximum characters of a reply."""
REHEARSAL = "rehearsal"
"""First word of the agent in a rehearsed run, and module of a skill that simulates it."""
TRANSCRIPTS = ".transcript"
"""Suffix of the files with the pages that an agent has read."""
