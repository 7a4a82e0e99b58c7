"""Versions of the parts of a plan that have no counter: overview, invisible knowledge, and each constraint.

Such a version is a number made from what the part says, and 1 while it says nothing. So a change of one part makes no
honest update of another stale, and plan.json needs no further field.
"""

from typing import Final

from lib.workflow.codec import codec

from .plan import InvisibleKnowledge, Overview

FIRST: Final = 1
"""The version of a part that says nothing yet."""
LOWEST: Final = 100_000
SPAN: Final = 900_000
"""Versions have six digits: two texts have the same one in about a million cases."""


def version_of(part: Overview | InvisibleKnowledge | str) -> int:
    """The version of overview, knowledge or the text of a constraint."""
    from zlib import crc32  # only the commands that show or change such a part need it

    if part in (Overview(), InvisibleKnowledge()):
        return FIRST
    text = part if isinstance(part, str) else codec(type(part)).dumps(part)
    return LOWEST + crc32(text.encode()) % SPAN
