"""Several requests at once: all or none, and each sees the results of those before it."""

import json
import os
from pathlib import Path

import pytest

from lib.workflow.ast.batch import BatchResult, RequestStatus
from lib.workflow.ast.nodes import Code
from lib.workflow.ast.results import EntityResult
from skills.planner.state.files import context_store, plan_store, run_store
from tests.blocks import only, statuses
from tests.skills.planner import console
from tests.skills.planner.plans import PLAN

DECIDE = {"command": "set-decision", "decision": "x", "reasoning": "y"}


def batch(state: str, *requests: object) -> console.Ran:
    return console.plan(state, "batch", given=json.dumps(requests))


def statuses_of(ran: console.Ran) -> list[RequestStatus]:
    return statuses(only(ran.out, BatchResult))


def test_c12_a_batch_reads_what_it_wrote(state: str) -> None:
    ran = batch(state, DECIDE, {"command": "get", "id": "DL-002"})
    (made,) = [node for node in ran.nodes if isinstance(node, EntityResult)]
    (shown,) = [node for node in ran.nodes if isinstance(node, Code)]
    assert (ran.status, made.id) == (0, "DL-002")
    assert shown.text.startswith("## DL-002 v1\n")


def test_c08_one_refusal_undoes_all_and_each_request_has_its_answer(state: str) -> None:
    ran = batch(state, DECIDE, {"command": "get", "id": "DL-009"}, DECIDE)
    assert ran.status == 1
    assert statuses_of(ran) == [RequestStatus.UNDONE, RequestStatus.REFUSED, RequestStatus.SKIPPED]
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
    "G13 a function that is not a command": {"command": "opened"},
    "a command that no batch takes": {"command": "freeze-context"},
    "a run that has begun": {"command": "init", "task": "x"},
    "null where something must be": {"command": "set-decision", "id": "DL-001", "version": 1, "decision": None},
    "G08 a phase that plans nothing": {"command": "validate", "phase": "impl-code"},
    "no request": "get",
}


def test_a_batch_is_for_one_file(state: str) -> None:
    ran = batch(state, DECIDE, {"command": "set-context", "field": "task_spec", "entries": ["x"]})
    assert (ran.status, ran.refusal.code) == (1, "invalid-batch")
    assert plan_store(state).load() == PLAN


@pytest.mark.parametrize("name", WRONG)
def test_a_malformed_request_changes_nothing(state: str, name: str) -> None:
    ran = batch(state, DECIDE, WRONG[name])
    assert ran.status == 1
    assert RequestStatus.REFUSED in statuses_of(ran)
    assert plan_store(state).load() == PLAN


def test_local_names_lead_through_a_whole_plan(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ran = batch(
        str(folder),
        {"command": "init", "task": "costs $limit", "project_root": str(tmp_path)},
        {**DECIDE, "as": "limit", "reasoning": "pay $limit -> x"},
        {"command": "set-rejected-alternative", "alternative": "a", "reason": "r", "decision_ref": "$limit"},
        {"command": "set-milestone", "as": "m", "name": "one", "files": ["a.py"]},
        {
            "command": "set-intent",
            "as": "i",
            "milestone": "$m",
            "file": "a.py",
            "behavior": "b",
            "decision_refs": ["$limit"],
        },
        {"command": "set-intent", "id": "$i", "version": 1, "remove_decision_refs": ["$limit"]},
        {"command": "set-wave", "milestones": ["$m"]},
        {"command": "set-diagram", "as": "d", "scope": "milestone:$m", "title": "t"},
        {"command": "add-diagram-node", "diagram": "$d", "node": "n", "label": "$m"},
        {"command": "get", "id": "$m"},
    )
    assert ran.status == 0, ran
    plan = plan_store(str(folder)).load()
    assert plan.planning_context.decisions[0].reasoning == "pay $limit -> x"
    assert plan.milestones[0].code_intents[0].decision_refs == ()
    assert (plan.diagram_graphs[0].scope, plan.diagram_graphs[0].nodes[0].label) == ("milestone:M-001", "$m")
    assert run_store(str(folder)).load().task == "costs $limit"


def test_a_batch_begins_a_run_and_writes_its_context(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    begin = {"command": "init", "task": "x"}
    entries = {"command": "set-context", "field": "task_spec", "entries": ["Sign tokens"]}
    assert batch(folder, begin, entries, {**entries, "field": "constraints"}).status == 0
    assert context_store(folder).load().constraints == ("Sign tokens",)
    assert batch(folder, begin, {**entries, "field": "user_quotes"}).status == 0, "the same run goes on"
    assert batch(folder, {**begin, "task": "y"}, entries).refusal.code == "state-exists"


def test_a_run_does_not_begin_by_a_batch_that_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ran = batch(str(folder), {"command": "init", "task": "x"}, DECIDE, {"command": "get", "id": "DL-009"})
    assert (ran.status, ran.refusal.code) == (1, "unknown-id")
    assert not folder.exists()


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
