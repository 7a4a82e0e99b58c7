"""Every valid call of a workflow, and no other."""

import os
from collections.abc import Iterator
from typing import Annotated, Literal

import pytest

from lib.workflow.arguments.parameter import Parameter, parameters_of
from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow
from lib.workflow.testing.generate import HOSTILE, PLAIN, Case, domain_of, extract_schema, generate_inputs
from lib.workflow.testing.stage import Stage
from lib.workflow.types import Confidence
from lib.workflow.util.domains import BoundedInt, ChoiceSet, Constant, Domain, Samples
from tests.subjects import PROOF, WORKFLOWS
from tests.workflows.review.workflow import WORKFLOW as REVIEW


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage() as made:
        yield made


@pytest.fixture(scope="module")
def cases(stage: Stage) -> list[Case]:
    return list(generate_inputs(REVIEW, stage))


def of_handler(
    context: StepContext,
    rounds: Annotated[int, Arg(min=1, max=3)],
    least: Annotated[int, Arg(min=2)],
    most: Annotated[int, Arg(max=2)],
    any_number: int,
    mode: Annotated[str, Arg(choices=("a", "b"))],
    level: Confidence,
    loud: bool,
    text: str,
    path: Annotated[str, Arg(samples=("/x", "/y"))],
    count: Annotated[int, Arg(min=1, max=12, samples=(1, 12))],
    kind: Annotated[str, Arg(choices=("a", "b", "c"), samples=("a",))],
) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    return Outcome.OK, {}


PARAMETERS = parameters_of(of_handler)


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("rounds", BoundedInt(1, 3)),
        ("least", Samples((2, 3, 1_000_002))),
        ("most", Samples((2, 1, -999_998))),
        ("any_number", Samples((0, 1, 1_000_000))),
        ("mode", ChoiceSet(("a", "b"))),
        ("level", ChoiceSet(tuple(Confidence))),
        ("loud", ChoiceSet((False, True))),
        ("text", Samples((PLAIN,), HOSTILE)),
        ("path", Samples(("/x", "/y"), HOSTILE)),
        ("count", Samples((1, 12))),
        ("kind", Samples(("a",))),
    ],
)
def test_the_domain_of_a_parameter_is_read_from_its_annotation(name: str, domain: Domain) -> None:
    assert domain_of(PARAMETERS[name]) == domain


@pytest.mark.parametrize("parameter", PARAMETERS.values(), ids=lambda parameter: parameter.name)
def test_every_value_of_a_domain_is_legal(parameter: Parameter) -> None:
    domain = domain_of(parameter)
    values = [*domain, *(domain.hostile if isinstance(domain, Samples) else ())]
    assert [parameter.check(value) for value in values] == values


def test_schema_of_a_step_has_its_number_and_parameters(stage: Stage) -> None:
    schema = extract_schema(REVIEW, stage.given(REVIEW))
    assert schema["plan"] == {
        "state_dir": Constant(os.path.join(stage.directory, "state_dir")),
        "mode": ChoiceSet(("full", "quick")),
        "step": Constant(1),
    }
    assert list(schema) == list(REVIEW.steps)


def test_a_mode_gates_the_steps_that_it_skips(cases: list[Case]) -> None:
    reached = {mode: {case.step_id for case in cases if case.values["mode"] == mode} for mode in ("full", "quick")}
    assert reached == {"full": set(REVIEW.steps), "quick": {"plan", "report", "end"}}


def test_optional_parameters_are_also_left_out(cases: list[Case]) -> None:
    notes = [case.values.get("note") for case in cases if case.step_id == "report" and not case.hostile]
    assert notes == [None, PLAIN] * 2


def test_each_hostile_text_is_tried_once_a_parameter(cases: list[Case]) -> None:
    hostile = [(case.step_id, case.values["note"]) for case in cases if case.hostile]
    assert hostile == [(step, text) for step in ("report", "end") for text in HOSTILE]


def test_step_that_does_not_iterate_gets_no_iteration() -> None:
    analysis = PROOF.cases["problem-analysis"]
    assert {case.step_id for case in analysis if "iteration" in case.values} == {"investigate"}
    assert sum(case.step_id == "investigate" for case in analysis) == 30


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_every_case_has_an_id_of_its_own_that_names_its_step(workflow: Workflow) -> None:
    ids = [case.id for case in PROOF.cases[workflow.name]]
    assert len(set(ids)) == len(ids) >= workflow.total_steps
    for case in PROOF.cases[workflow.name]:
        assert case.id.startswith(f"{workflow.name}-{workflow.number(case.step_id)}-{case.step_id}")
        assert PROOF.stage.directory not in case.id


def test_a_handler_that_raises_gates_nothing(stage: Stage) -> None:
    def raising(context: StepContext) -> tuple[Literal[Outcome.OK, Outcome.SKIP], dict[str, str]]:
        raise ZeroDivisionError

    workflow = Workflow(
        "raising",
        StepDef(id="a", title="A", actions="A.", handler=raising, next={Outcome.OK: "b", Outcome.SKIP: "c"}),
        StepDef(id="b", title="B", actions="B.", next={Outcome.OK: "c"}),
        StepDef(id="c", title="C", actions="C.", next={Outcome.OK: None}),
        module="raising",
    )
    assert [case.step_id for case in generate_inputs(workflow, stage)] == ["a", "b", "c"]
