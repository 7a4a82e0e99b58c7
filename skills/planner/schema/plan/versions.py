"""Versions of the parts of a plan that have no counter: overview, invisible knowledge, and each constraint.

Such a version is a number computed from the part's content, and 1 while the part is empty. So a change of one part
leaves the versions of others valid, and plan.json needs no further field.
"""

from typing import Final
from zlib import crc32

from lib.workflow.codec import codec

from .document import InvisibleKnowledge, Overview

FIRST: Final = 1
"""The version of an empty part."""
LOWEST: Final = 100_000
SPAN: Final = 900_000
"""The number of versions. They have six digits: two texts share one in about a million cases."""


def version_of(part: Overview | InvisibleKnowledge | str) -> int:
    """Return the version of the overview, the knowledge or the text of a constraint."""
    if part in (Overview(), InvisibleKnowledge()):
        return FIRST
    text = part if isinstance(part, str) else codec(type(part)).dumps(part)
    return LOWEST + crc32(text.encode()) % SPAN
