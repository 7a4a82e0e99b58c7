"""The graph of the solution design and its perspectives; each agent works from its own and knows no other."""

import pytest

from lib.workflow.ast.dispatch import RosterForm
from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import walk
from lib.workflow.core import Outcome, RefusedError, StepContext, Task
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, Simple
from lib.workflow.types import AgentRole
from skills.solution_design.limits import MAX_PERSPECTIVES
from skills.solution_design.perspective_workflow import WORKFLOW as PERSPECTIVE
from skills.solution_design.perspectives import read_perspectives
from skills.solution_design.workflow import WORKFLOW
from tests.skills.reading import named, of_agents, own

TASKS = ("What <&> {{x}} ]]>\nLook for: less", "What\nLook for: another key", "What\nLook for: nothing kept")
LIST = "\n".join(f"- p{n}: " + task.replace("\n", "\n  ") for n, task in enumerate(TASKS))


class Designer(Simple):
    """An agent that finds a cause, lists three perspectives, and fails in the given steps."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self.failing = failing

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        failing = {WORKFLOW.steps[name].title for name in self.failing}
        return Outcome.FAIL if page.header.title in failing else Outcome.OK

    def tasks(self, page: Page, form: RosterForm) -> str:
        return LIST


def run(*failing: str) -> list[Page]:
    reader = Reader(Designer(*failing), run_here)
    reader.read(WORKFLOW.command("frame", {}))
    return reader.visited


@pytest.fixture(scope="module")
def visited() -> list[Page]:
    """Return every page of one run, including those of the agents."""
    return run()


def test_workflow_has_nine_steps_and_its_agents_four() -> None:
    assert list(WORKFLOW.steps) == [
        *("frame", "dispatch", "collect", "challenge", "combine", "compare", "choose", "risk", "output")
    ]
    assert PERSPECTIVE.total_steps == 4
    assert not WORKFLOW.parameters.keys() - {"roster_file"}
    assert not PERSPECTIVE.parameters


def test_run_reads_every_step_and_each_agent_only_its_own_task(visited: list[Page]) -> None:
    assert [page.header.step for page in own(visited)] == list(range(1, 10))
    pages = [page for page in visited if page.role is AgentRole.ARCHITECT]
    assert [(page.prompt, page.header.step) for page in pages] == [(task, n) for task in TASKS for n in range(1, 5)]


@pytest.mark.parametrize(
    ("failing", "steps"),
    [("frame", [1, 9]), ("challenge", [1, 2, 3, 4, 9])],
    ids=["no cause", "nothing is left"],
)
def test_run_without_anything_to_design_or_compare_leads_to_the_report(failing: str, steps: list[int]) -> None:
    assert [page.header.step for page in own(run(failing))] == steps


def test_an_agents_pages_name_no_block_of_those_who_launched_it(visited: list[Page]) -> None:
    theirs, ours = named(of_agents(visited)), named(own(visited))
    assert {"SITE", "DRAFTS", "TRIALS"} <= theirs
    assert {"FRAME", "OPTIONS", "CHOICE"} <= ours
    assert not theirs & ours


def test_there_are_enough_perspectives_with_distinct_questions() -> None:
    records = read_perspectives()
    assert {"minimal", "structural", "stateless", "removal"} <= {record.id for record in records}
    assert len({record.one("asks") for record in records}) == len(records) >= MAX_PERSPECTIVES


def test_perspectives_are_shown_only_in_the_step_that_chooses_them(visited: list[Page]) -> None:
    def shows(page: Page) -> bool:
        blocks = [block for block in page.document.blocks if isinstance(block, CurrentAction)]
        texts = [node.value for block in blocks for node in walk(block) if isinstance(node, Text)]
        return all(any(record.one("asks") in text for text in texts) for record in read_perspectives())

    assert [page.header.step for page in visited if shows(page)] == [2]


@pytest.mark.parametrize("count", [2, MAX_PERSPECTIVES + 1])
def test_too_few_perspectives_to_differ_and_too_many_to_compare_are_refused(count: int) -> None:
    tasks = tuple(Task(f"p{n}", "x") for n in range(count))
    with pytest.raises(RefusedError, match=f"entries: {count}; list 3 to {MAX_PERSPECTIVES}"):
        WORKFLOW.run("collect", StepContext("collect", step_state={"roster_file": "-"}, tasks=tasks))
