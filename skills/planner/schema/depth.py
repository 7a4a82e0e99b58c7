"""Depth of a run: the thoroughness of its planning and reviews."""

from enum import StrEnum


class Depth(StrEnum):
    """The phases that a run goes through; `Run.planning` and `Run.wave_phases` list them."""

    LIGHT = "light"
    """The design is reviewed once as a whole; each wave is built, documented and reviewed as one."""
    FULL = "full"
    """Three reviewed phases of planning, and two for each wave."""
