"""Pages of a workflow's steps, and the rights of their handlers."""

import os
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Annotated, Literal

import pytest

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.nodes import Code, Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import Branch, Complete, CurrentAction, GateResult, InvokeAfter, StepHeader, XmlMandate
from lib.workflow.ast.visitor import walk
from lib.workflow.core import (
    AgentChoice,
    Arg,
    Outcome,
    Script,
    StepContext,
    StepDef,
    UsageError,
    Workflow,
    WorkflowError,
)
from lib.workflow.render.xml import render
from lib.workflow.types import GateStatus
from tests.wording import carries
from tests.workflows.review.workflow import WORKFLOW as REVIEW

HOSTILE_DIR = "/tmp/a b'c$HOME é"
DIR: dict[str, Value] = {"state_dir": HOSTILE_DIR}


def words(workflow: Workflow, step: int | str, values: dict[str, Value]) -> list[tuple[str, ...]]:
    """Return the words of the commands that a step leads to."""
    after = workflow.run(step, workflow.context(step, values)).blocks[-1]
    if not isinstance(after, InvokeAfter):
        return []
    ways = [after.invoke] if after.invoke else [branch.invoke for branch in after.branches]
    return [way.command.words for way in ways]


def test_a_step_is_header_work_and_what_comes_next_and_the_first_says_how_to_read_it() -> None:
    first = REVIEW.run(1, REVIEW.context(1, DIR))
    assert [type(block) for block in first.blocks] == [StepHeader, XmlMandate, CurrentAction, InvokeAfter]
    last = REVIEW.run("end", REVIEW.context("end", {**DIR, "note": "x"}))
    assert [type(block) for block in last.blocks] == [StepHeader, CurrentAction, Complete]
    header = first.blocks[0]
    assert header == StepHeader(script="review", phase="planning", step=1, total=5, title="Plan")


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_first_of_several_steps_says_how_to_read_the_pages(steps: int) -> None:
    ids = [*map(str, range(steps)), None]
    workflow = Workflow(
        "w",
        *(
            StepDef(id=name, title="T", next={Outcome.OK: then}, actions="Do it.")
            for name, then in pairwise(ids)
            if name
        ),
        module="m",
    )
    pages = [workflow.run(name, workflow.context(name, {})) for name in workflow.steps]
    said = [any(isinstance(block, XmlMandate) for block in page.blocks) for page in pages]
    assert said == [steps > 1] + [False] * (steps - 1)


def test_slot_of_a_parameter_that_is_not_given_is_empty() -> None:
    def handler(context: StepContext, note: str | None = None) -> tuple[Literal[Outcome.OK], dict[str, str]]:
        return Outcome.OK, {}

    workflow = Workflow(
        "w", StepDef(id="a", title="T", next={Outcome.OK: None}, actions="Note: {{note}}.", handler=handler), module="m"
    )
    texts = [
        [node.value for node in walk(workflow.run("a", workflow.context("a", values))) if isinstance(node, Text)]
        for values in ({}, {"note": "it hangs"})
    ]
    assert texts == [["Note: ."], ["Note: it hangs."]]


def test_limit_of_a_step_is_the_number_of_its_rounds() -> None:
    def counted(
        context: StepContext, iteration: Annotated[int, Arg(min=1, max=3)] = 1
    ) -> tuple[Literal[Outcome.OK], dict[str, str]]:
        return Outcome.OK, {}

    def named(context: StepContext, iteration: str = "") -> tuple[Literal[Outcome.OK], dict[str, str]]:
        return Outcome.OK, {}

    def rounds(handler: Callable[..., tuple[Outcome, Mapping[str, Value]]] | None) -> list[int | None]:
        steps = (StepDef(id="a", title="T", next={Outcome.OK: None}, handler=handler, limit=each) for each in (None, 2))
        return [step.rounds for step in steps]

    assert [rounds(counted), rounds(named), rounds(None)] == [[3, 2], [None, 2], [None, 2]]


def test_commands_carry_given_values_and_no_defaults() -> None:
    assert words(REVIEW, 1, DIR) == [("--step", "2", "--state-dir", HOSTILE_DIR)]
    assert words(REVIEW, 2, {**DIR, "mode": "quick"}) == [
        ("--step", "3", "--state-dir", HOSTILE_DIR, "--mode", "quick")
    ]


def test_handler_state_with_any_text_becomes_flags() -> None:
    (skipped,) = words(REVIEW, 1, {**DIR, "mode": "quick"})
    assert skipped == ("--step", "4", "--state-dir", HOSTILE_DIR, "--mode", "quick", "--note=-skipped")
    (ended,) = words(REVIEW, 4, {**DIR, "note": 'a "b"'})
    assert ended[-2:] == ("--note", 'a "b" & <more>')


def test_a_dispatch_prints_the_agents_command_and_both_outcomes() -> None:
    document = REVIEW.run("review", REVIEW.context("review", DIR))
    (dispatch,) = (node for node in walk(document) if isinstance(node, SubagentDispatchNode))
    assert dispatch.invoke.command.words == ("--step", "1", "--state-dir", HOSTILE_DIR)
    branches = [node for node in walk(document) if isinstance(node, Branch)]
    assert [(branch.outcome, branch.invoke.command.words[1]) for branch in branches] == [
        (Outcome.OK, "4"),
        (Outcome.FAIL, "2"),
    ]


def test_a_slot_can_be_computed_and_can_be_a_node() -> None:
    document = REVIEW.run(1, REVIEW.context(1, DIR))
    assert Code(language="text", text="plan\n| a <b> |") in walk(document)


def gate(context: StepContext, note: str = "") -> tuple[Literal[Outcome.OK, Outcome.FAIL], dict[str, Value]]:
    return (Outcome.OK, {"place": note}) if note else (Outcome.FAIL, {})


def reached(context: StepContext, place: str = "") -> tuple[Literal[Outcome.OK], dict[str, Value]]:
    return Outcome.OK, {}


def test_forwarded_outcome_prints_the_next_page_after_its_node() -> None:
    result = GateResult(GateStatus.PASS)
    workflow = Workflow(
        "w",
        StepDef(
            id="gate",
            title="Gate",
            actions=("Repair.",),
            handler=gate,
            next={Outcome.OK: "work", Outcome.FAIL: "work"},
            forwards={Outcome.OK: result},
            limit=2,
        ),
        StepDef(id="work", title="Work", actions=("At {{place}}.",), handler=reached, next={Outcome.OK: None}),
        module="a.b",
    )
    forwarded = workflow.run("gate", workflow.context("gate", {"note": "src"}))
    assert forwarded.blocks == (result, *workflow.run("work", workflow.context("work", {"place": "src"})).blocks)
    own = workflow.run("gate", workflow.context("gate", {}))
    assert [type(block) for block in own.blocks] == [StepHeader, XmlMandate, CurrentAction, InvokeAfter]


def test_router_forwards_to_the_first_page_of_another_script() -> None:
    module = "tests.workflows.review.workflow"
    router = Workflow(
        "router",
        StepDef(
            id="route",
            title="Route",
            handler=reached_dir,
            next={Outcome.OK: Script(module=module, passes=("state_dir",))},
            forwards={Outcome.OK: None},
        ),
        module="a.b",
        params=("state_dir",),
    )
    assert router.run(1, router.context(1, DIR)) == REVIEW.run(1, REVIEW.context(1, DIR))


def reached_dir(context: StepContext, state_dir: str) -> tuple[Literal[Outcome.OK], dict[str, Value]]:
    return Outcome.OK, {}


@pytest.mark.parametrize(
    ("step", "values", "says"),
    [
        (0, {}, "0: review … 1 to 5 (plan, work, review, report, end)"),
        (6, {}, "6"),
        ("none", {}, "none"),
        (1, {}, "--state-dir"),
        (1, {**DIR, "mode": "slow"}, "--mode: 'slow' … full, quick"),
        (1, {**DIR, "note": "x"}, "1 … note … 4, 5"),
        (1, {**DIR, "other": "x"}, "1 … other … state_dir, mode"),
    ],
)
def test_a_wrong_call_is_refused_with_what_to_write(step: int | str, values: dict[str, Value], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        REVIEW.context(step, values)
    assert carries(str(caught.value), says)


def test_a_context_cannot_be_changed() -> None:
    context = REVIEW.context(1, DIR)
    with pytest.raises(TypeError):
        context.workflow_params["mode"] = "quick"  # type: ignore[index]  # what the test is about
    with pytest.raises(TypeError):
        REVIEW.steps["work"].next[Outcome.OK] = None  # type: ignore[index]  # what the test is about


Count = Annotated[int, Arg(min=1, max=2)]


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ((Outcome.FAIL, {}), "fail … `next`"),
        ((Outcome.OK, {"none": 1}), "'none'"),
        ((Outcome.OK, {"count": 3}), "count: '3' … 1 to 2"),
        ((Outcome.OK, {}), "count"),
        (AgentChoice({Outcome.OK: {"count": 1}}), "`when`"),
        (AgentChoice({Outcome.SKIP: {}}), "`when`"),
        (AgentChoice({Outcome.ITERATE: {}}), "'count' … `when`"),
        (
            AgentChoice({Outcome.ITERATE: {"count": None}}),
            "'count' … `when`",
        ),
        (AgentChoice({}), "<lib.workflow.handlers.base.AgentChoice object"),
        (AgentChoice({Outcome.DEFAULT: {}}), "<lib.workflow.handlers.base.AgentChoice object"),
        (None, "None … (Outcome.…, state) … AgentChoice({…})"),
        ((Outcome.OK, None), "(<Outcome.OK: 'ok'>, None)"),
    ],
)
def test_handler_that_breaks_its_contract_is_an_error_that_names_the_step(result: object, says: str) -> None:
    def first(context: StepContext) -> tuple[Outcome, dict[str, int]]:
        return result  # type: ignore[return-value]  # a handler that breaks its word

    def last(context: StepContext, count: Count) -> tuple[Literal[Outcome.OK], dict[str, int]]:
        return Outcome.OK, {}

    def end(context: StepContext, count: Count = 1) -> tuple[Literal[Outcome.OK], dict[str, int]]:
        return Outcome.OK, {}

    workflow = Workflow(
        "w",
        StepDef(
            id="first",
            title="First",
            actions="x",
            handler=first,
            next={Outcome.OK: "last", Outcome.SKIP: None, Outcome.ITERATE: "end"},
            when={Outcome.SKIP: "it is skipped", Outcome.ITERATE: "there are {{count}}"},
        ),
        StepDef(id="last", title="Last", actions="x", handler=last, next={Outcome.OK: None}),
        StepDef(id="end", title="End", actions="x", handler=end, next={Outcome.OK: None}),
        module="a.b",
    )
    with pytest.raises(WorkflowError) as caught:
        workflow.run(1, workflow.context(1))
    assert carries(str(caught.value), f"workflow w: step first: … {says}")


def test_a_choice_within_one_outcome_is_a_branch_for_each_of_its_states() -> None:
    def choose(context: StepContext) -> AgentChoice[Literal[Outcome.OK]]:
        return AgentChoice({Outcome.OK: ({"count": 1}, {"count": 2})})

    def last(context: StepContext, count: Count) -> tuple[Literal[Outcome.OK], dict[str, int]]:
        return Outcome.OK, {}

    workflow = Workflow(
        "w",
        StepDef(
            id="choose",
            title="Choose",
            actions="x",
            handler=choose,
            next={Outcome.OK: "last"},
            when={Outcome.OK: "COUNT is {{count}}"},
        ),
        StepDef(id="last", title="Last", actions="x", handler=last, next={Outcome.OK: None}),
        module="a.b",
    )
    document = workflow.run(1, workflow.context(1))
    branches = [node for node in walk(document) if isinstance(node, Branch)]
    assert [(branch.outcome, branch.when, branch.invoke.command.words) for branch in branches] == [
        (Outcome.OK, "COUNT is 1", ("--step", "2", "--count", "1")),
        (Outcome.OK, "COUNT is 2", ("--step", "2", "--count", "2")),
    ]
    assert parse(render(document)) == document


Place = Annotated[str, Arg(path=True)]


def test_a_path_that_is_a_default_or_that_a_handler_hands_on_is_printed_whole() -> None:
    def first(context: StepContext, scope: Place = ".") -> tuple[Literal[Outcome.OK], dict[str, str]]:
        return Outcome.OK, {"found": "a/./b"}

    def last(context: StepContext, found: Place) -> tuple[Literal[Outcome.OK], dict[str, str]]:
        return Outcome.OK, {}

    workflow = Workflow(
        "w",
        StepDef(id="first", title="First", actions="x", handler=first, next={Outcome.OK: "last"}),
        StepDef(id="last", title="Last", actions="x", handler=last, next={Outcome.OK: None}),
        module="a.b",
        params=("scope",),
    )
    here = os.getcwd()
    following = ("--step", "2", "--scope", here, "--found", os.path.join(here, "a", "b"))
    assert words(workflow, 1, {}) == [following]
