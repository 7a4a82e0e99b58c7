"""An agent that is killed in the middle."""

from lib.workflow.testing.reader import Page
from skills.planner.playing.planning import Planner


class KilledError(Exception):
    """The agent is gone."""


class Mortal(Planner):
    """A planner that is killed when it has read so many pages; never, where that is 0."""

    pages: int = 0
    seen: int = 0

    def work(self, page: Page) -> None:
        super().work(page)
        self.seen += 1
        if self.seen == self.pages:
            raise KilledError
