"""An approved plan cannot change until the user takes the approval back, and no run is stuck for good."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from skills.planner.commands.examples import EXAMPLES
from skills.planner.commands.plan_table import CHANGES
from skills.planner.modules import RESUME
from skills.planner.next_step import due
from skills.planner.phases import IMPL_CODE, PLAN_CODE, PLAN_DESIGN, PLANNING, PhaseSpec
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import Run
from skills.planner.simulation.project import LIMIT
from skills.planner.state.files import CONTEXT_FILE, PLAN_FILE
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner import console
from tests.skills.planner.reviewing import (
    FAILED,
    approved,
    at_work,
    building,
    change_plan,
    gate,
    leads,
    project,
    renamed,
    reviewed,
    step,
    submit,
    through,
)
from tests.skills.planner.runs import aborted, change

REOPEN = ("reopen", "plan-design", "--reason", "Tokens must be revocable")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make a run whose plan is approved; no test changes it."""
    return approved(tmp_path_factory.mktemp("approved"))


@pytest.mark.parametrize("name", [name for name, *_ in CHANGES])
def test_no_command_changes_an_approved_plan(ready: str, name: str) -> None:
    before = Path(ready, PLAN_FILE).read_bytes()
    for example in EXAMPLES[name]:
        refusal = console.plan(ready, name, *example.words, given=example.given).refusal
        assert (refusal.code, "reopen" in refusal.fix) == ("frozen", True)
    assert Path(ready, PLAN_FILE).read_bytes() == before


def test_no_batch_changes_an_approved_plan(ready: str) -> None:
    given = '[{"command": "set-risk", "risk": "x", "mitigation": "y"}, {"command": "get", "id": "plan"}]'
    ran = console.plan(ready, "batch", given=given)
    assert (ran.status, ran.refusal.code) == (1, "frozen")


def test_a_frozen_context_is_not_written(ready: str) -> None:
    ran = console.plan(ready, "set-context", "constraints", "--entry", "MUST: other")
    assert ran.refusal.code == "frozen"


@pytest.mark.parametrize("words", [("get", "--id", "plan"), ("list",), ("validate",), ("render",), ("compare",)])
def test_an_approved_plan_is_read_as_before(ready: str, words: tuple[str, ...]) -> None:
    assert console.plan(ready, *words).status == 0


@pytest.mark.parametrize("row", PLANNING, ids=lambda row: row.phase)
def test_reopening_a_phase_reopens_all_later_phases(tmp_path: Path, row: PhaseSpec) -> None:
    state_dir = approved(tmp_path)
    old = RunState(state_dir).run
    assert console.plan(state_dir, "reopen", row.phase, "--reason", "Tokens must be revocable").status == 0
    run = RunState(state_dir).run
    kept = PLANNING[: PLANNING.index(row)]
    assert [gate.phase for gate in run.gates] == [each.phase for each in kept]
    assert (run.approval, run.waves, due(RunState(state_dir)).step) == (None, (), f"{row.phase}-work")
    (taken,) = run.reopened
    assert (taken.phase, taken.reason, taken.approval) == (row.phase, "Tokens must be revocable", old.approval)
    assert (*run.gates, *taken.gates) == old.gates
    assert (*run.submissions, *taken.submissions) == old.submissions
    change_plan(state_dir, renamed("Another"))
    for each in PLANNING[PLANNING.index(row) :]:
        assert through(state_dir, each).status == 0
    assert RunState(state_dir).run.approval not in (None, old.approval)
    assert due(RunState(state_dir)).step == "exec-init"


def test_reopening_a_phase_discards_a_later_review(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    through(state_dir, PLAN_DESIGN)
    submit(state_dir, PLAN_CODE)
    reviewed(state_dir, PLAN_CODE, FAILED)
    assert console.plan(state_dir, *REOPEN).status == 0
    assert RunState(state_dir).review(PLAN_CODE.phase) is None
    through(state_dir, PLAN_DESIGN)
    assert due(RunState(state_dir)).step == "plan-code-work"


@pytest.mark.parametrize(
    ("prepare", "phase", "code"),
    [
        (lambda run: aborted(run), "plan-design", "run-over"),
        (lambda run: run, "impl-code", "invalid-value"),
        (lambda run: run, "impl-docs", "invalid-value"),
    ],
)
def test_phase_that_cannot_be_reopened_is_refused(
    tmp_path: Path, prepare: Callable[[Run], Run], phase: str, code: str
) -> None:
    state_dir = approved(tmp_path)
    change(state_dir, prepare)
    assert console.plan(state_dir, "reopen", phase, "--reason", "x").refusal.code == code


def test_a_phase_that_has_not_passed_is_not_taken_back(tmp_path: Path) -> None:
    assert console.plan(at_work(tmp_path, PLAN_DESIGN), *REOPEN).refusal.code == "not-passed"


def test_reopening_keeps_built_code_and_requires_reconciling(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    (project(state_dir) / LIMIT).write_text("LIMIT = 10\n")
    submit(state_dir, IMPL_CODE)
    reviewed(state_dir, IMPL_CODE, FAILED)
    assert console.plan(state_dir, *REOPEN).status == 0
    run = RunState(state_dir).run
    assert (run.building, run.done, run.reconciling) == (None, None, True)
    assert not [each for each in (*run.submissions, *run.rounds, *run.gates) if each.phase is IMPL_CODE.phase]
    assert RunState(state_dir).review(IMPL_CODE.phase) is None
    assert (project(state_dir) / LIMIT).read_text() == "LIMIT = 10\n"
    change_plan(state_dir, renamed("Another"))
    version = str(RunState(state_dir).plan.diagram_graphs[0].version)
    assert console.plan(state_dir, "set-diagram-render", "--id", "DIAG-001", "--version", version).status == 0
    for row in PLANNING:
        assert through(state_dir, row).status == 0
    assert "--reconcile" in str(due(RunState(state_dir)).command(state_dir))
    assert leads(step(state_dir, "exec-init", reconcile=True)) == "exec-init"
    assert console.plan(state_dir, "reconciled", "--done", "M-001").status == 0
    assert leads(step(state_dir, "exec-init")) == "impl-code-qr-verify"
    assert leads(through(state_dir, IMPL_CODE)) == "impl-docs-work"
    assert due(RunState(state_dir)).step == "wave-next"


def kept(refusal: Refusal) -> str:
    """Return the path of the snapshot that the refusal names."""
    found = re.search(r"(/.+\.json)", refusal.fix)
    assert found is not None
    return found[1]


def test_approved_plan_edited_by_hand_is_restored_or_planned_again(tmp_path: Path) -> None:
    state_dir = approved(tmp_path)
    as_it_was = Path(state_dir, PLAN_FILE).read_bytes()
    change_plan(state_dir, renamed("Another"))
    refusal = only(step(state_dir, "exec-init").out, Refusal)
    assert (refusal.code, "reopen" in refusal.fix) == ("other-plan", True)
    assert Path(kept(refusal)).read_bytes() == as_it_was
    assert console.plan(state_dir, *REOPEN).status == 0
    for row in PLANNING:
        assert through(state_dir, row).status == 0
    assert step(state_dir, "exec-init").status == 0


def test_changed_frozen_context_is_refused_and_can_be_restored(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    path = Path(state_dir, CONTEXT_FILE)
    as_it_was = path.read_bytes()
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, {"qa-001": ""})
    path.write_bytes(as_it_was.replace(b"billing", b"nothing"))
    tried = (gate(state_dir, PLAN_DESIGN), console.plan(state_dir, "freeze-context"))
    refusals = [only(ran.out, Refusal) for ran in tried]
    assert {each.code for each in refusals} == {"other-context"}
    assert {Path(kept(each)).read_bytes() for each in refusals} == {as_it_was}
    shutil.copy(kept(refusals[0]), path)
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-code-work"


def test_resume_leads_on_in_a_run_that_was_reopened(tmp_path: Path) -> None:
    state_dir = approved(tmp_path)
    console.plan(state_dir, *REOPEN)
    assert "--step 3" in run_here(Command(RESUME, ("--state-dir", state_dir))).out
    assert RunState(state_dir).run.gate(Phase.PLAN_DOCS) is None
