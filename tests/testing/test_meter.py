"""The meter records the text that each agent sees, and the commands by which an agent would read."""

import pytest

from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.step import Complete, CurrentAction, Invoke, InvokeAfter, StepHeader
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.testing.costs import TextKind
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.meter import Meter, MeteredReader, looks
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Page, Simple
from lib.workflow.types import AgentRole
from tests.subjects import PROOF, first
from tests.tables.found import TABLES

DESIGN = PROOF.targets.workflows["skills.solution_design.design"]
BY_MODULE = {found.table.module: found.table for found in TABLES}
PLAN = str(Command("skills.planner.cli.plan", ("--state-dir", "/x", "--role", "architect")))


class Onward(Simple):
    """An agent that goes on if possible, and whose agents run a command."""

    def work(self, page: Page) -> None:
        if page.role is not AgentRole.ORCHESTRATOR:
            page.run(Command("skills.conventions.check", ("--help",)))


@pytest.fixture(scope="module")
def meter() -> Meter:
    found = Meter(run_here, {})
    for _ in range(2):
        MeteredReader(Onward(seed=2), found).read(first(DESIGN))
    return found


def test_each_page_and_command_is_noted_for_the_agent_that_ran_it(meter: Meter) -> None:
    launches = [each for each in meter.shown if each.kind is TextKind.PROMPT]
    assert launches
    assert [each.agent for each in launches] == list(range(1, len(launches) + 1))
    for launch in launches:
        own = [each for each in meter.shown if each.agent == launch.agent]
        assert {each.role for each in own} == {launch.role}
        assert [each.kind for each in own] == [TextKind.PROMPT, *[TextKind.PAGE, TextKind.REPLY] * (len(own) // 2)]
        assert {each.name for each in own if each.kind is TextKind.REPLY} == {"skills.conventions.check"}


def test_the_orchestrating_agent_has_one_context_and_launched_agents_their_own(meter: Meter) -> None:
    starts = [each for each in meter.shown if (each.agent, each.name, each.step) == (0, DESIGN.name, 1)]
    assert [each.repeated > 0 for each in starts] == [False, True]
    firsts = {each.agent: each for each in reversed(meter.shown) if each.agent and each.kind is TextKind.PAGE}
    assert len({each.repeated for each in firsts.values()}) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{PLAN} get --id plan", ["get"]),
        (f"    {PLAN} list\nand `{PLAN} get --id M-001`.", ["list", "get"]),
        (f"{PLAN} get --help", []),
        (f"{PLAN} set-wave --milestone M-001", []),
        (f"{PLAN} submit plan-design", []),
        (f"{PLAN} batch -", []),
        (f"{PLAN} get --id $ID", []),
        (str(Command("skills.conventions.check", ("get",))), []),
        ("get by -m whatever", []),
    ],
)
def test_commands_of_a_page_that_only_read_are_found(text: str, words: list[str]) -> None:
    page = Document([CurrentAction([Text(text)])])
    found = [next(word for word in each.words if word in ("get", "list")) for each in looks(page, BY_MODULE)]
    assert found == words


class Prints:
    """Two pages that name the same reading command, which is refused if `status` says so."""

    START = Command("x.y", ("--step", "1"))
    NEXT = Command("x.y", ("--step", "2"))
    LOOK = Command.read(f"{PLAN} list")

    def __init__(self, status: int) -> None:
        self.asked: list[Command] = []
        text = CurrentAction([Text(f"Read it: `{self.LOOK}`")])
        ends = (InvokeAfter(invoke=Invoke(self.NEXT)), Complete())
        headers = [StepHeader(script="y", step=step, total=2, title="Read") for step in (1, 2)]
        pages = [render(Document([header, text, end])) for header, end in zip(headers, ends, strict=True)]
        self.prints = {
            self.START: Ran(0, pages[0], ""),
            self.NEXT: Ran(0, pages[1], ""),
            self.LOOK: Ran(status, "M-001", ""),
        }

    def __call__(self, command: Command, given: str = "") -> Ran:
        self.asked.append(command)
        return self.prints[command]


@pytest.mark.parametrize(("status", "noted"), [(0, ["y", "plan list", "y"]), (1, ["y", "y"])])
def test_an_agent_reads_once_what_its_pages_say_and_a_refusal_costs_nothing(status: int, noted: list[str]) -> None:
    prints = Prints(status)
    meter = Meter(prints, BY_MODULE)
    MeteredReader(Simple(), meter).read(prints.START)
    assert prints.asked == [prints.START, prints.LOOK, prints.NEXT]
    assert [each.name for each in meter.shown] == noted
