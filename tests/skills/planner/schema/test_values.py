"""Refusals of entities: a meaningless value is refused with its place."""

from collections.abc import Callable

import pytest
from attrs import evolve

from skills.planner.schema.context import EMPTY_CONTEXT
from skills.planner.schema.ids import EntityKind
from skills.planner.schema.phase import Phase
from skills.planner.schema.plan.document import Wave
from skills.planner.schema.run import PassedGate, Round, Run
from tests.skills.planner.plans import CHANGE, CODE, DECISION, INTENT, PLAN

RISK = PLAN.planning_context.risks[0]
RUN = Run(id="2026-11-28-tokens-1", task="Sign tokens", project_root="/srv/project")

BAD: dict[str, tuple[Callable[[], object], str]] = {
    "another kind's id": (lambda: evolve(DECISION, id="M-001"), r"Decision\.id: 'M-001'.*DL-001"),
    "a superscript digit in an id": (lambda: Wave(id="W-²", milestones=("M-001",)), r"Wave\.id"),
    "a version of zero": (lambda: evolve(DECISION, version=0), r"Decision\.version"),
    "a boolean for a version": (lambda: evolve(DECISION, version=True), r"Decision\.version"),
    "a blank text": (lambda: evolve(DECISION, reasoning=" \n"), r"Decision\.reasoning"),
    "a text that XML cannot carry": (lambda: evolve(DECISION, decision="a\x00"), r"Decision\.decision: U\+0000"),
    "a blank in a list": (lambda: evolve(CODE, requirements=("a", "")), r"Milestone\.requirements"),
    "a name of two lines": (lambda: evolve(CODE, name="a\nb"), r"Milestone\.name"),
    "a reference to another kind": (lambda: evolve(INTENT, decision_refs=("DL-001", "R-001")), r"decision_refs"),
    "a change of a decision": (lambda: evolve(CHANGE, intent_ref="DL-001"), r"CodeChange\.intent_ref"),
    "a path out of the project": (lambda: evolve(CODE, files=("a.py", "/etc/passwd")), "'/etc/passwd'"),
    "another milestone's intent": (
        lambda: evolve(CODE, id="M-009"),
        "CI-M-001-001 .* CI-M-009-001",
    ),
    "another milestone's change": (lambda: evolve(CODE, id="M-009", code_intents=()), "CC-M-001-001"),
    "intents of documentation": (lambda: evolve(CODE, is_documentation_only=True), "^M-001: .* CI-M-001-001"),
    "an empty wave": (lambda: Wave(id="W-001", milestones=()), r"Wave\.milestones"),
    "lines backwards": (lambda: evolve(RISK, anchor="src/a.py:L50-L5"), r"Risk\.anchor"),
    "an anchor without lines": (lambda: evolve(RISK, anchor="src/a.py"), r"Risk\.anchor"),
    "an anchor with half a range": (lambda: evolve(RISK, anchor="src/a.py:L5-"), r"Risk\.anchor"),
    "an anchor with a superscript digit": (lambda: evolve(RISK, anchor="src/a.py:L²"), r"Risk\.anchor"),
    "an anchor out of the project": (lambda: evolve(RISK, anchor="../a.py:L5"), r"Risk\.anchor"),
    "a blank in the context": (lambda: evolve(EMPTY_CONTEXT, task_spec=("",)), r"Context\.task_spec"),
    "a project that is somewhere": (lambda: evolve(RUN, project_root="project"), r"Run\.project_root"),
    "a run that leads elsewhere": (lambda: evolve(RUN, id="../../../out/ESCAPED"), r"Run\.id"),
    "a run that is its own parent": (lambda: evolve(RUN, id=".."), r"Run\.id"),
    "a malformed digest": (lambda: evolve(RUN, approval="x" * 64), r"Run\.approval"),
    "a digest in capitals": (lambda: PassedGate(phase=Phase.PLAN_CODE, plan_digest="A" * 64), r"plan_digest"),
    "round zero": (lambda: Round(phase=Phase.PLAN_CODE, iteration=0, verdicts=()), r"Round\.iteration"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_value_that_means_nothing_is_refused(name: str) -> None:
    make, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("anchor", ["src/a.py:L5", "src/a.py:L5-L5", "src/a:b.py:L1-L20", None])
def test_an_anchor_names_lines_of_a_file(anchor: str | None) -> None:
    assert evolve(RISK, anchor=anchor).anchor == anchor


def test_a_path_is_kept_in_its_one_form_and_once() -> None:
    assert evolve(CODE, files=("./a.py", "a.py", "A.py")).files == ("a.py", "A.py")
    assert evolve(CHANGE, file="./a//b.py").file == "a/b.py"


def test_the_line_ends_of_a_diff_are_the_files() -> None:
    assert evolve(CHANGE, diff="+a\r\n").diff == "+a\r\n"


def test_every_kind_of_id_is_that_of_something() -> None:
    assert len({kind.value for kind in EntityKind}) == len(EntityKind) == 9
