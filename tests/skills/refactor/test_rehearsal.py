"""The whole analysis by a simulated agent that follows pages, with its explorers."""

from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, Simple
from lib.workflow.types import AgentRole, Outcome
from skills.refactor.explore_workflow import WORKFLOW as EXPLORE
from skills.refactor.sample import sample
from skills.refactor.workflow import WORKFLOW
from tests.subjects import PROOF


class Willing(Simple):
    """An agent that always finds something to examine."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Go on."""
        return Outcome.OK


def test_every_step_is_read_and_the_explorer_reads_its_five() -> None:
    reader = Reader(Willing(), run_here)
    start = WORKFLOW.command("mode", {"scope": "/srv/shop/src", "mode": "design", "n": 1})
    reader.read(start)
    read = [(page.role, page.header.script, page.header.step) for page in reader.visited]
    assert [step for role, _, step in read if role is AgentRole.ORCHESTRATOR] == list(
        range(1, WORKFLOW.total_steps + 1)
    )
    explorers = [(page, page.header.step) for page in reader.visited if page.role is AgentRole.EXPLORE]
    assert [step for _, step in explorers] == list(range(1, EXPLORE.total_steps + 1))
    arguments = [PROOF.targets.values(page.command) for page, _ in explorers]
    assert {values["category"] for values in arguments} == set(sample(1, 1))
    assert [values.get("mode") for values in arguments] == ["design"] * 3 + [None] * 2
    assert [values.get("scope") for values in arguments] == ["/srv/shop/src"] + [None] * 4
