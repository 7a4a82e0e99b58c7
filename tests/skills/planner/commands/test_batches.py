"""Several requests at once: all or none, and each sees what those before it did."""

import json
import os
from pathlib import Path

import pytest

from lib.workflow.ast.batch import RequestResult, RequestStatus
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import PLAN

DECIDE = {"command": "set-decision", "decision": "x", "reasoning": "y"}


def batch(state: str, *requests: object) -> console.Ran:
    return console.plan(state, "batch", given=json.dumps(requests))


def statuses(ran: console.Ran) -> list[RequestStatus]:
    return [node.status for node in ran.nodes if isinstance(node, RequestResult)]


def test_c12_a_batch_reads_what_it_wrote(state: str) -> None:
    ran = batch(state, DECIDE, {"command": "get", "id": "DL-002"})
    assert (ran.status, statuses(ran)) == (0, [RequestStatus.DONE] * 2)


def test_c08_one_refusal_undoes_all_and_each_request_has_its_answer(state: str) -> None:
    ran = batch(state, DECIDE, {"command": "get", "id": "DL-009"}, DECIDE)
    assert ran.status == 1
    assert statuses(ran) == [RequestStatus.UNDONE, RequestStatus.REFUSED, RequestStatus.SKIPPED]
    assert plan_store(state).load() == PLAN


def test_c11_a_batch_that_only_reads_writes_nothing(state: str) -> None:
    before = os.stat(Path(state, "plan.json")).st_ino
    assert batch(state, {"command": "list"}, {"command": "validate"}).status == 0
    assert os.stat(Path(state, "plan.json")).st_ino == before


WRONG: dict[str, object] = {
    "D28 a text for a list": {"command": "set-wave", "milestones": "M-001"},
    "D29 false for a list": {"command": "set-intent", "id": "CI-M-001-001", "version": 1, "decision_refs": False},
    "D29 nought for a list": {"command": "set-intent", "id": "CI-M-001-001", "version": 1, "decision_refs": 0},
    "D31 a version with a point": {**DECIDE, "id": "DL-001", "version": 1.0},
    "D31 a truth for a version": {**DECIDE, "id": "DL-001", "version": True},
    "D07 a text for a version": {**DECIDE, "id": "DL-001", "version": "1"},
    "G09 a wave of nothing": {"command": "set-wave", "milestones": []},
    "G09 a wave of no milestones": {"command": "set-wave"},
    "G12 a key as on the command line": {"command": "set-risk", "decision-ref": "DL-001"},
    "G13 a function that is no command": {"command": "opened"},
    "a command of another file": {"command": "set-context", "field": "task_spec", "entries": ["x"]},
    "null where something must be": {"command": "set-decision", "id": "DL-001", "version": 1, "decision": None},
    "G08 a phase that plans nothing": {"command": "validate", "phase": "impl-code"},
    "no request": "get",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_malformed_request_changes_nothing(state: str, name: str) -> None:
    ran = batch(state, DECIDE, WRONG[name])
    assert ran.status == 1
    assert RequestStatus.REFUSED in statuses(ran)
    assert plan_store(state).load() == PLAN


def test_d28_a_list_is_a_list_and_null_clears(state: str) -> None:
    ran = batch(
        state,
        {"command": "set-milestone", "id": "M-001", "version": 1, "files": ["a.py", "b.py"]},
        {"command": "set-risk", "id": "R-001", "version": 1, "decision_ref": None},
        {"command": "set-intent", "id": "CI-M-001-001", "version": 1, "decision_refs": []},
    )
    assert ran.status == 0
    plan = plan_store(state).load()
    assert plan.milestones[0].files == ("a.py", "b.py")
    assert plan.planning_context.risks[0].decision_ref is None
    assert plan.milestones[0].code_intents[0].decision_refs == ()
