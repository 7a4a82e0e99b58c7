"""Faulty pages and replies: the driver never runs a command that is not ours."""

import asyncio
from collections.abc import Iterator

import pytest
from attrs import field, mutable

from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.relay import Answer, NeedsUserInput, UserResponse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.run.clients.job import Job, Reply, Want
from lib.workflow.run.driver.activities import AgentError, Place, Printed
from lib.workflow.run.driver.driver import MOST_REFUSALS, Cursor, Driver, Order, RunError
from lib.workflow.types import AgentRole, Outcome
from tests.run.runs import KNOWN

ANALYSIS = "skills.problem_analysis.analyze"
START = Command(ANALYSIS, ("--step", "1"))
SECOND = Command(ANALYSIS, ("--step", "2"))
END = render(Document([Complete()]))


@mutable
class Scripted:
    """Activities with scripted results."""

    prints: Iterator[Printed]
    replies: Iterator[Reply | AgentError] = field(factory=lambda: iter(()))
    ran: list[Command] = field(factory=list)
    jobs: list[Job] = field(factory=list)
    asked: list[NeedsUserInput] = field(factory=list)
    at_work: int = 0
    most: int = 0
    answers: str = "Give up"

    async def step(self, key: str, command: Command, given: str) -> Printed:
        self.ran.append(command)
        return next(self.prints)

    async def agent(self, job: Job, place: Place) -> Reply:
        self.jobs.append(job)
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        await asyncio.sleep(0)
        self.at_work -= 1
        reply = next(self.replies)
        if isinstance(reply, AgentError):
            raise reply
        return reply

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        self.asked.append(questions)
        return UserResponse(tuple(Answer(header=each.header, text=self.answers) for each in questions.questions))


def drive(activities: Scripted, parallel: int = 8) -> str:
    return asyncio.run(Driver(Order(start=START, max_parallel=parallel), activities, KNOWN).drive())


def stepwise(activities: Scripted) -> str:
    """Drive the same run with a new driver for every page, started where the one before it was."""
    order, at = Order(start=START, max_parallel=8), Cursor(command=START)
    while True:
        driver = Driver(order, activities, KNOWN, at)
        said = asyncio.run(driver.turn())
        if said is not None:
            return said
        at = driver.cursor


def page(*nodes: Node) -> Printed:
    return Printed(0, render(Document(nodes)), "")


def going(command: Command) -> InvokeAfter:
    return InvokeAfter(invoke=Invoke(command))


def verifying(agents: int, at_most: int | None = None) -> Printed:
    """Return a dispatch of agents, and a transition for each verdict."""
    launched = [Agent(invoke=Invoke(START)) for _ in range(agents)]
    branches = [
        Branch(outcome=outcome, when=f"all is {outcome}", invoke=Invoke(command))
        for outcome, command in ((Outcome.OK, SECOND), (Outcome.FAIL, START))
    ]
    dispatch = RosterDispatchNode(agent=AgentRole.DEVELOPER, at_most=at_most, agents=tuple(launched))
    return page(CurrentAction([Text("Launch"), dispatch]), InvokeAfter(branches=tuple(branches)))


@pytest.mark.parametrize(
    "command",
    [
        Command("os", ("--step", "1")),
        Command("skills.planner.cli.plan", ("--state-dir", "/x", "init")),
        Command(ANALYSIS, ("--step", "99")),
        Command(ANALYSIS, ("--step", "1", "--more", "x")),
        Command("tests.subjects"),
    ],
    ids=str,
)
def test_foreign_command_is_not_run(command: Command) -> None:
    for printed in (
        page(going(command)),
        page(
            CurrentAction([RosterDispatchNode(agent=AgentRole.EXPLORE, agents=(Agent(invoke=Invoke(command)),))]),
            going(SECOND),
        ),
    ):
        activities = Scripted(iter([printed]))
        with pytest.raises(RunError):
            drive(activities)
        assert activities.ran == [START]
        assert not activities.jobs


@pytest.mark.parametrize("replies", [0, 1])
def test_page_with_a_command_that_is_not_run_launches_no_agent(replies: int) -> None:
    stray = Command(ANALYSIS, ("--step", "99"))
    action = CurrentAction([RosterDispatchNode(agent=AgentRole.EXPLORE, agents=(Agent(invoke=Invoke(START)),))])
    ways = [Branch(outcome=Outcome.OK, when="so", invoke=Invoke(SECOND))]
    ways.append(Branch(outcome=Outcome.FAIL, when="not so", invoke=Invoke(stray)))
    after = InvokeAfter(branches=tuple(ways)) if replies else going(stray)
    activities = Scripted(iter([page(action, after)]))
    with pytest.raises(RunError) as stopped:
        drive(activities)
    assert stopped.value.cause == "1"
    assert not activities.jobs


def test_command_is_always_run_by_this_interpreter() -> None:
    strange = Command(ANALYSIS, ("--step", "2"), launcher=("/bin/rm", "-rf"))
    activities = Scripted(iter([page(going(strange)), Printed(0, END, "")]))
    drive(activities)
    assert activities.ran == [START, SECOND]


@pytest.mark.parametrize(
    "printed",
    [
        Printed(1, "Traceback", "boom"),
        Printed(0, "", ""),
        Printed(0, f"{END} and more", ""),
        Printed(2, "", "no such flag"),
        Printed(0, render(Document([CurrentAction([Text("no end")])])), ""),
        Printed(1, render(Refusal(code="x", target="y", message="z", fix="stop")), ""),
        Printed(-9, END, ""),
    ],
)
def test_page_that_cannot_be_followed_stops_the_run(printed: Printed) -> None:
    with pytest.raises(RunError) as stopped:
        drive(Scripted(iter([printed])))
    assert stopped.value.cause == "1"


def test_stop_message_quotes_both_ends_of_a_long_page() -> None:
    long = f"begin{'x' * 9_000_000}end"
    with pytest.raises(RunError, match=r"(?s)begin.*end") as stopped:
        drive(Scripted(iter([Printed(1, "", long)])))
    assert len(str(stopped.value)) < 20_000


def test_when_one_agent_of_several_stops_the_run_the_others_are_ended_first() -> None:
    ended: list[str] = []

    @mutable
    class Stopping(Scripted):
        async def agent(self, job: Job, place: Place) -> Reply:
            if job.key == "1.2":
                await asyncio.sleep(0)
                raise RunError("the disk is full")
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(job.key)
            raise AssertionError(job.key)

    with pytest.raises(RunError, match="full"):
        drive(Stopping(iter([verifying(3)])))
    assert ended == ["1.1", "1.3"]


def test_cycle_of_refusals_is_not_followed_forever() -> None:
    refusal = Refusal(code="x", target="y", message="z", fix="go there", invoke=Invoke(START))
    activities = Scripted(iter([Printed(1, render(refusal), "")] * 99))
    with pytest.raises(RunError, match="go there"):
        drive(activities)
    assert len(activities.ran) == MOST_REFUSALS + 1


@pytest.mark.parametrize(
    ("verdicts", "due"), [((True, True), SECOND), ((True, False), START), ((False, False), START)], ids=str
)
def test_verdicts_of_all_agents_choose_the_branch(verdicts: tuple[bool, ...], due: Command) -> None:
    replies: list[Reply | AgentError] = [Reply(text="said", passed=passed) for passed in verdicts]
    activities = Scripted(iter([verifying(2), Printed(0, END, "")]), iter(replies))
    drive(activities)
    assert activities.ran == [START, due]
    assert {job.want for job in activities.jobs} == {Want.VERDICT}


def test_driver_started_at_a_cursor_takes_the_same_steps() -> None:
    refusal = Printed(1, render(Refusal(code="x", target="y", message="z", fix="go", invoke=Invoke(START))), "")
    last = page(CurrentAction([Text("Sum up")]), Complete())
    prompts = []
    for way in (drive, stepwise):
        replies: list[Reply | AgentError] = [
            *(Reply(text=f"{number}\nPASS", passed=True) for number in range(3)),
            Reply(text="end"),
        ]
        activities = Scripted(iter([verifying(2), refusal, verifying(1), last]), iter(replies))
        assert way(activities) == "end"
        prompts.append((activities.ran, activities.jobs))
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize(("at_most", "parallel", "most"), [(None, 3, 3), (2, 3, 2), (9, 3, 3), (None, 1, 1)])
def test_no_more_agents_are_at_work_than_page_and_order_allow(at_most: int | None, parallel: int, most: int) -> None:
    passed: list[Reply | AgentError] = [Reply(text="PASS", passed=True)] * 9
    activities = Scripted(iter([verifying(9, at_most), Printed(0, END, "")]), iter(passed))
    drive(activities, parallel)
    assert activities.most == most


def test_user_decides_about_an_agent_that_fails_for_good() -> None:
    lost: list[Reply | AgentError] = [AgentError("no credit"), Reply(text="PASS", passed=True)]
    activities = Scripted(iter([verifying(1), Printed(0, END, "")]), iter(lost), answers="Try again")
    drive(activities)
    assert len({job.key for job in activities.jobs}) == 2
    activities = Scripted(iter([verifying(1)]), iter([AgentError("no credit")]))
    with pytest.raises(RunError, match="no credit"):
        drive(activities)


def test_user_is_asked_once_about_all_lost_agents_of_a_page() -> None:
    passed, lost = Reply(text="PASS", passed=True), AgentError("not logged in")
    results: list[Reply | AgentError] = [lost, passed, lost, lost, lost, lost, passed, lost, passed, passed]
    activities = Scripted(iter([verifying(4), Printed(0, END, "")]), iter(results), answers="Try again")
    drive(activities)
    assert [job.key for job in activities.jobs] == [
        *("1.1", "1.2", "1.3", "1.4"),
        *("1.1.again1", "1.3.again1", "1.4.again1"),
        *("1.1.again2", "1.3.again2"),
        "1.1.again3",
    ]
    assert len(activities.asked) == 3
    assert all("not logged in" in job.prompt for job in activities.jobs[4:])
    (question,) = activities.asked[0].questions
    assert [key in question.text for key in ("1.1", "1.2", "1.3", "1.4")] == [True, False, True, True]


def test_lost_agent_that_is_left_over_is_asked_about_in_its_own_round() -> None:
    passed, lost = Reply(text="PASS", passed=True), AgentError("not logged in")
    results: list[Reply | AgentError] = [lost, lost, passed, lost, lost, passed]
    activities = Scripted(iter([verifying(2), Printed(0, END, "")]), iter(results), answers="Try again")
    drive(activities)
    again = ["1.1.again1", "1.2.again1", "1.2.again2", "1.2.again3"]
    assert [job.key for job in activities.jobs] == ["1.1", "1.2", *again]
    assert len(activities.asked) == 3


def test_all_lost_agents_of_a_page_are_given_up_together() -> None:
    activities = Scripted(iter([verifying(5)]), iter([AgentError(f"reason {number}") for number in range(5)]))
    with pytest.raises(RunError, match="reason 4") as stopped:
        drive(activities)
    assert stopped.value.cause == "1.1.lost1"
    assert "\n2 " in activities.asked[0].questions[0].text
