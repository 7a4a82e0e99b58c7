"""Refusals of a workflow: each message names the step and the text to write instead."""

from collections.abc import Callable
from typing import Annotated, Literal

import pytest

from lib.workflow.ast.nodes import Element
from lib.workflow.core import AgentChoice, Arg, Dispatch, Outcome, Script, StepContext, StepDef, Workflow, WorkflowError
from lib.workflow.types import AgentRole
from tests.wording import carries, elided

State = dict[str, str]
OK, FAIL, SKIP, ITERATE, DEFAULT = Outcome.OK, Outcome.FAIL, Outcome.SKIP, Outcome.ITERATE, Outcome.DEFAULT


def step(name: str, leads_to: dict[Outcome, str | None], **more: object) -> StepDef:
    build: Callable[..., StepDef] = StepDef
    return build(id=name, next=leads_to, **{"title": name, "actions": "Do it."} | more)


def named(context: StepContext) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State]:
    return Outcome.OK, {}


def unnamed(context: StepContext, iteration: int = 1) -> tuple[Outcome, State]:
    return Outcome.OK, {}


def bounded(context: StepContext, iteration: Annotated[int, Arg(min=1, max=3)] = 1) -> tuple[Outcome, State]:
    return Outcome.OK, {}


def asking(context: StepContext) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {}})


def other(context: StepContext, iteration: str) -> tuple[Outcome, State]:
    return Outcome.OK, {}


def strange(context: StepContext, thing: float) -> tuple[Outcome, State]:
    return Outcome.OK, {}


def counting(
    context: StepContext, iteration: Annotated[int, Arg(min=1, max=3)] = 1
) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State]:
    return Outcome.OK, {}


def returning(hint: object) -> Callable[..., tuple[Outcome, State]]:
    """Return a handler with this return type."""

    def handler(context: StepContext) -> tuple[Outcome, State]:
        return Outcome.OK, {}

    handler.__annotations__["return"] = hint
    return handler


END = step("end", {OK: None})
NOWHERE = Dispatch(agent=AgentRole.DEVELOPER, script=Script(module="no such"), prompt="{{x}}")
REVIEW = Dispatch(agent=AgentRole.DEVELOPER, script=Script(module="a.b", passes=("state_dir",)))


@pytest.mark.parametrize(
    ("steps", "more", "says"),
    [
        ((), {}, "'' … none"),
        ((END,), {"entry_point": "start"}, "'start' … end"),
        ((END, END), {}, "step end:"),
        ((step("a", {OK: "b"}), END), {}, "step a: ok … 'b' … a, end"),
        ((step("a", {OK: "a"}, limit=3),), {}, "`next={Outcome.OK: None}`"),
        ((END, step("b", {OK: None})), {}, "step b: … end"),
        (
            (step("a", {OK: "b", FAIL: "end"}, handler=unnamed), step("b", {OK: "b"}, limit=2), END),
            {},
            "step b:",
        ),
        (
            (step("a", {OK: None}, handler=named),),
            {},
            "step a: … iterate",
        ),
        (
            (step("a", {OK: None, FAIL: None}),),
            {},
            "step a: … fail",
        ),
        (
            (step("a", {OK: "end", FAIL: "end", SKIP: "end"}, handler=asking, when={OK: "x", FAIL: "y"}), END),
            {},
            "step a: … skip",
        ),
        (
            (step("a", {OK: "end", ITERATE: "a"}, handler=named), END),
            {},
            "step a: … `iteration:",
        ),
        (
            (step("a", {OK: "end", ITERATE: "a"}, handler=unnamed), END),
            {},
            "step a: … limit",
        ),
        (
            (step("a", {OK: "b"}), step("b", {OK: "end", ITERATE: "a"}, handler=named), END),
            {},
            "`iteration: Annotated[int, Arg(min=1, max=…)]`",
        ),
        ((END,), {"params": ("mode",)}, "parameter mode:"),
        ((step("a", {OK: None}, title=" "),), {}, "step a: … `title=`, or `## a: Title`"),
        ((step("a", {}),), {}, "step a: … `next={Outcome.OK: None}`"),
        ((step("a", {OK: None, "ok!": None}),), {}, "step a: … 'ok!'"),  # type: ignore[dict-item]  # what the row is about
        (
            (step("a", {OK: "end", FAIL: "end"}, handler=asking), END),
            {},
            "step a: … fail; write `when={Outcome.FAIL: …}`",
        ),
        (
            (step("a", {OK: None, FAIL: None}, handler=asking, when={OK: "x", FAIL: "y"}),),
            {},
            "step a:",
        ),
        ((step("a", {OK: None}, when={FAIL: "x"}),), {}, "step a: … fail"),
        (
            (step("a", {OK: "end", FAIL: "end"}, handler=asking, when={OK: "x", FAIL: "y", SKIP: "z"}), END),
            {},
            "step a: … skip",
        ),
        (
            (step("a", {OK: "end", FAIL: "end"}, handler=asking, when={OK: "A is {{x}}", FAIL: "y"}), END),
            {},
            "step a: … {{x}} … end",
        ),
        (
            (step("a", {OK: "end", FAIL: "end"}, handler=asking, when={OK: "A is {{X}}", FAIL: "y"}), END),
            {},
            "step a: … '{{X}}'",
        ),
        ((step("a", {OK: None}, actions="{{x}}"),), {}, "step a: … {{x}} … `slots`"),
        ((step("a", {OK: None}, actions="{{X}}"),), {}, "step a: '{{X}}'"),
        ((step("a", {OK: None}, slots={"x": 1}),), {}, "step a: … 'x'"),
        (
            (step("a", {OK: "end", FAIL: "end"}, handler=REVIEW), END),
            {},
            "step a: passes 'state_dir'",
        ),
        ((step("a", {OK: "end"}, handler=REVIEW), END), {}, "step a: … fail"),
        (
            (step("a", {OK: None}, handler=strange),),
            {},
            "step a: parameter thing: … <class 'float'>",
        ),
        (
            (step("a", {OK: "b"}, handler=bounded), step("b", {OK: None}, handler=other)),
            {},
            "step b:",
        ),
    ],
)
def test_a_workflow_is_refused_with_what_to_write_instead(
    steps: tuple[StepDef, ...], more: dict[str, str], says: str
) -> None:
    build: Callable[..., Workflow] = Workflow
    with pytest.raises(WorkflowError) as caught:
        build("w", *steps, module="a.b", **more)
    lines = str(caught.value).split("\n")
    assert all(line.startswith("workflow w: ") for line in lines)
    assert any(carries(line, says) for line in lines)


FAULTY: dict[str, tuple[Callable[[], object], str]] = {
    "a loop whose counter is lost": (
        lambda: Workflow(
            "w",
            step("a", {OK: "b"}),
            step("b", {OK: "end", ITERATE: "a"}, handler=counting),
            END,
            module="a.b",
        ),
        "`iteration: Annotated[int, Arg(min=1, max=…)]`",
    ),
    "a counter that is not a number": (
        lambda: Workflow("w", step("a", {OK: "end", ITERATE: "a"}, handler=other), END, module="a.b"),
        "step a: … limit",
    ),
    "a limit of no rounds": (
        lambda: Workflow("w", step("a", {OK: "end", ITERATE: "a"}, handler=named, limit=0), END, module="a.b"),
        "step a: limit=0 … 1",
    ),
    "a value that nobody hands on": (
        lambda: Workflow("w", step("a", {OK: "b"}), step("b", {OK: None}, handler=other), module="a.b"),
        "step a:",
    ),
    "a name that no module has": (
        lambda: Workflow("w", END, module="my-skill.run"),
        "'my-skill.run'",
    ),
    "a workflow of no name": (lambda: Workflow(" ", END, module="a.b"), "workflow  :"),
    "a title of two lines": (
        lambda: Workflow("w", step("a", {OK: None}, title="a\nb"), module="a.b"),
        "step a: … U+000A",
    ),
    "a blank phase": (
        lambda: Workflow("w", step("a", {OK: None}, phase=""), module="a.b"),
        "step a:",
    ),
    "a step without words": (
        lambda: Workflow("w", step("a", {OK: None}, actions=()), module="a.b"),
        "step a:",
    ),
    "an outcome forwarded to the end": (
        lambda: Workflow("w", step("a", {OK: None}, forwards={OK: None}), module="a.b"),
        "step a:",
    ),
    "a slot in a title": (
        lambda: Workflow("w", step("a", {OK: None}, title="{{x}}"), module="a.b"),
        "step a:",
    ),
    "a condition of two lines": (
        lambda: Workflow("w", step("a", {OK: None}, when={OK: "a\nb"}), module="a.b"),
        "step a: when ok: U+000A",
    ),
    "a script that is not a module": (
        lambda: Workflow("w", step("a", {DEFAULT: None}, handler=NOWHERE), module="a.b"),
        "step a: script 'no such'",
    ),
    "a slot in a prompt": (
        lambda: Workflow("w", step("a", {DEFAULT: None}, handler=NOWHERE), module="a.b"),
        "step a:",
    ),
    "an outcome that is a string": (
        lambda: Workflow("w", step("a", {OK: None}, handler=returning(tuple[Literal["fail"], State])), module="a.b"),
        "'fail'",
    ),
    "an outcome behind another option": (
        lambda: Workflow(
            "w",
            step("a", {OK: None}, handler=returning(tuple[Outcome, State] | AgentChoice[Literal[Outcome.OK]])),
            module="a.b",
        ),
        "step a: … ok; write `when=",
    ),
    "an agent that decides on anything": (
        lambda: Workflow("w", step("a", {OK: "end"}, handler=returning(AgentChoice[Outcome])), END, module="a.b"),
        "step a: … ok; write `when=",
    ),
    "an outcome of an agent that only DEFAULT maps": (
        lambda: Workflow(
            "w", step("a", {OK: "end", DEFAULT: "end"}, handler=asking, when={OK: "x"}), END, module="a.b"
        ),
        "step a: … fail; write `when=",
    ),
    "a union of outcomes": (
        lambda: Workflow(
            "w",
            step("a", {OK: None}, handler=returning(tuple[Literal[Outcome.OK] | Literal[Outcome.SKIP], State])),
            module="a.b",
        ),
        "skip",
    ),
    "a return type that is not there": (
        lambda: Workflow("w", step("a", {OK: None}, handler=returning("Nowhere")), module="a.b"),
        "'Nowhere'",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_that_would_show_only_at_run_time_is_found_at_once(name: str) -> None:
    build, says = FAULTY[name]
    with pytest.raises(WorkflowError, match=elided(says)):
        build()


def test_an_element_that_the_workflow_does_not_name_is_refused_with_the_nearest_tag() -> None:
    steps = (step("a", {OK: None}, actions=("Do it:", Element("finding", {}, "here"))),)
    assert Workflow("w", *steps, module="m", tags=("finding",)).tags == ("finding",)
    with pytest.raises(WorkflowError, match=elided("step a: <finding> … <findings>? … `tags`")):
        Workflow("w", *steps, module="m", tags=("findings",))
    both = step("b", {OK: None}, actions=(Element("finding", {}, "here"), Element("part", {}, "there")))
    with pytest.raises(WorkflowError, match=elided("step b: <finding> … `tags`")):
        Workflow("w", both, module="m", tags=("part",))


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(WorkflowError) as caught:
        Workflow("w", step("a", {OK: "x"}), step("b", {}, title=""), module="a.b")
    assert len(str(caught.value).split("\n")) >= 4
    when = {OK: "A is {{X}}", FAIL: "A is {{x}}"}
    with pytest.raises(WorkflowError) as caught:
        Workflow("w", step("a", {OK: "end", FAIL: "end"}, handler=asking, when=when), END, module="a.b")
    assert carries(str(caught.value), "when ok … '{{X}}' … when fail … {{x}}")


@pytest.mark.parametrize(
    "steps",
    [
        (step("a", {OK: "end", ITERATE: "a"}, handler=bounded), END),
        (step("a", {DEFAULT: "end"}, handler=named), END),
        (step("a", {OK: "end"}, handler=returning(AgentChoice[Outcome]), when={OK: "x"}), END),
        (step("a", {OK: "end", FAIL: "end"}, handler=asking, when={OK: "x", FAIL: "y"}), END),
        (step("a", {OK: "b"}), step("b", {OK: "end", ITERATE: "a"}, handler=named, limit=1), END),
        (END,),
    ],
)
def test_a_sound_workflow_is_taken(steps: tuple[StepDef, ...]) -> None:
    assert Workflow("w", *steps, module="a.b").total_steps == len(steps)
