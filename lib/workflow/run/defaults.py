"""What a run is told where nobody says otherwise. It imports nothing: options of commands read it, too."""

MAX_PARALLEL = 8
"""Agents at a time."""
ATTEMPTS = 3
"""At one job."""
SECONDS = 3600
"""Of an attempt."""
MAX_SECONDS = 7 * 24 * 3600
BACKOFF = 2.0
"""Seconds before the second attempt."""
