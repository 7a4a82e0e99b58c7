"""A step without a handler leaves the outcomes of its conditions to the agent, and is checked as strictly as others."""

from collections.abc import Callable
from typing import Literal

import pytest

from lib.workflow.ast.step import Branch
from lib.workflow.ast.visitor import walk
from lib.workflow.core import AgentChoice, Outcome, State, StepContext, StepDef, Workflow, WorkflowError
from lib.workflow.graph.data import graph_of
from tests.wording import carries

OK, FAIL, SKIP, DEFAULT = Outcome.OK, Outcome.FAIL, Outcome.SKIP, Outcome.DEFAULT
EITHER = {OK: "PROBLEM names one", FAIL: "PROBLEM is none"}


def left(context: StepContext) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {}})


def needing(context: StepContext, mode: str) -> tuple[Literal[Outcome.OK], State]:
    return Outcome.OK, {}


def built(leads_to: dict[Outcome, str | None], when: dict[Outcome, str], **more: object) -> Workflow:
    step: Callable[..., StepDef] = StepDef
    return Workflow(
        "w",
        step(id="ask", title="Ask", actions="x", next=leads_to, when=when, **more),
        step(id="work", title="Work", actions="x", next={OK: "end"}),
        step(id="need", title="Need", actions="x", handler=needing, next={OK: "end"}),
        step(id="end", title="End", actions="x", next={OK: None}),
        module="a.b",
    )


def test_step_with_an_agent_choice_handler_matches_one_without_a_handler() -> None:
    ways: dict[Outcome, str | None] = {OK: "work", FAIL: "end"}
    bare, handled = (
        StepDef(id="ask", title="Ask", actions="x", next=ways, when=EITHER, handler=h) for h in (None, left)
    )
    others = (
        StepDef(id="work", title="Work", actions="x", next={OK: "end"}),
        StepDef(id="end", title="End", actions="x", next={OK: None}),
    )
    own, handled_one = (Workflow("w", step, *others, module="a.b") for step in (bare, handled))
    document = own.run("ask", own.context("ask"))
    branches = [node for node in walk(document) if isinstance(node, Branch)]
    assert [(branch.outcome, branch.when, branch.invoke.command.words) for branch in branches] == [
        (OK, "PROBLEM names one", ("--step", "2")),
        (FAIL, "PROBLEM is none", ("--step", "3")),
    ]
    assert document == handled_one.run("ask", handled_one.context("ask"))
    assert graph_of(own) == graph_of(handled_one)


@pytest.mark.parametrize(
    ("leads_to", "when", "says"),
    [
        ({OK: "work", FAIL: "end"}, {}, "fail … `when`"),
        (
            {OK: "work", FAIL: "end", SKIP: "end"},
            EITHER,
            "skip … `when`",
        ),
        ({OK: "work"}, EITHER, "fail … Outcome.FAIL"),
        (
            {OK: "work", FAIL: None},
            EITHER,
            "fail",
        ),
        ({OK: "need", FAIL: "end"}, EITHER, "mode"),
        ({OK: "work"}, {OK: "x"}, ""),
        ({OK: "work", DEFAULT: "end"}, {OK: "x", DEFAULT: "y"}, "DEFAULT"),
        ({OK: "work"}, {OK: "x", "ok!": "y"}, "'ok!'"),
        ({OK: "work", FAIL: "end"}, {OK: " ", FAIL: "x"}, "ok"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused(
    leads_to: dict[Outcome, str | None], when: dict[Outcome, str], says: str
) -> None:
    with pytest.raises(WorkflowError) as caught:
        built(leads_to, when)
    assert any(carries(line, f"workflow w: step ask: … {says}") for line in str(caught.value).split("\n"))
