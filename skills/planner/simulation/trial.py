"""A simulated agent for a run like the trials with real agents: two milestones in two waves, and many review items."""

from typing import Final

from lib.workflow.testing.reader import Page

from ..schema.phase import Phase
from .builder import Builder
from .plan import TRIAL
from .planner import Planner

ITEMS: Final = {Phase.PLAN_DESIGN: 10, Phase.PLAN_CODE: 8, Phase.PLAN_DOCS: 8}
"""Review items of a phase: the design has as many as its page asks for; of a phase of execution there are `FEW`."""
FEW: Final = 4


class Trial(Builder):
    """Only the architect asks, each phase fails one review, and the project's checks pass at once."""

    target = TRIAL
    group_size = 4
    errs = False

    def items(self, phase: Phase) -> int:
        """How many items a phase is reviewed by."""
        return ITEMS.get(phase, FEW)

    def wants_to_ask(self, page: Page) -> bool:
        """Return whether the page is the architect's, and the user has not answered yet."""
        return Planner.wants_to_ask(self, page)
