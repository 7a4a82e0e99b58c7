"""Defaults and limits of a run. It imports nothing: options of commands read it, too."""

MAX_PARALLEL = 8
"""Agents at a time."""
ATTEMPTS = 3
"""At one job."""
SECONDS = 3600
"""Of an attempt."""
MAX_SECONDS = 7 * 24 * 3600
BACKOFF = 2.0
"""Seconds before the second attempt."""
MOST_PARALLEL = 64
MOST_ATTEMPTS = 9
MOST_SECONDS = 31_536_000
"""A year."""
REHEARSAL = "rehearsal"
"""The first word of the agent of a run that is rehearsed, and the module of a skill that plays it."""
