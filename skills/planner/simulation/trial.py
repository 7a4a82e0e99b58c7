"""A simulated agent for runs like the trials with real agents: two milestones, two waves, many review items."""

from typing import Final

from lib.workflow.testing.reader import Page

from ..schema.phase import Phase
from .builder import Builder
from .plan import TRIAL
from .planner import Planner

ITEMS: Final = {Phase.PLAN_DESIGN: 10, Phase.PLAN_CODE: 8, Phase.PLAN_DOCS: 8}
"""The number of review items of a planning phase, as its page asks. A phase of execution has `FEW`."""
FEW: Final = 4


class Trial(Builder):
    """An agent for trials: only the architect asks, each phase fails one review, and all checks pass at once."""

    target = TRIAL
    group_size = 4
    errs = False

    def items(self, phase: Phase) -> int:
        """Return the number of items in a phase's review."""
        return ITEMS.get(phase, FEW)

    def wants_to_ask(self, page: Page) -> bool:
        """Return True if the page is the architect's, and the user has not answered yet."""
        return Planner.wants_to_ask(self, page)
