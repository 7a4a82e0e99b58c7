"""An agent that is killed during a run, and checks for readers of pages."""

from collections.abc import Iterable

from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.ast.vocabulary import Vocabulary
from lib.workflow.command import Command
from lib.workflow.render.document import parse_document, render_document
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader
from skills.planner.modules import RESUME
from skills.planner.simulation.planner import Planner
from tests.subjects import PROOF


class KilledError(Exception):
    """The agent was killed."""


class Mortal(Planner):
    """A planner that is killed after a number of pages; never, if that is 0."""

    pages: int = 0
    seen: int = 0

    def work(self, page: Page) -> None:
        super().work(page)
        self.seen += 1
        if self.seen == self.pages:
            raise KilledError


def reading(mind: Mortal, state_dir: str, pages: int = 0) -> Reader:
    """Return a reader of a run's pages with that agent, which is killed after that many pages."""
    mind.pages = pages
    mind.state_dir = state_dir
    return Reader(mind, run_here)


def resumed(state_dir: str) -> tuple[Command, ...]:
    """Return the commands that continue a run."""
    output = parse(run_here(Command(RESUME, ("--state-dir", state_dir))).out)
    return tuple(node.command for node in walk(output) if isinstance(node, Invoke))


def all_are_valid(pages: Iterable[Page]) -> None:
    """Assert that each page is valid against the schema of its workflow."""
    workflows = {workflow.name: workflow for workflow in PROOF.targets.workflows.values()}
    for page in pages:
        tags = workflows[page.header.script].tags
        assert parse_document(render_document(page.document, vocabulary=Vocabulary(tags))) == page.document
