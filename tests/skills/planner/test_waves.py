"""Execution of a plan, its order, and its limits: the executor's own two steps."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.nodes import Element
from lib.workflow.ast.parse import parse
from lib.workflow.ast.relay import NeedsUserInput
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Complete, GateResult, InvokeAfter, StepHeader
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from lib.workflow.types import AgentRole, GateStatus
from skills.planner.execution.waves import waves
from skills.planner.limits import MAX_GRANTS, MAX_LAPS
from skills.planner.modules import EXECUTOR
from skills.planner.next_step import WAVE_NEXT, WAVE_STEPS, due
from skills.planner.orchestrator.gate.gate_stand import Stand
from skills.planner.orchestrator.waves import begin as begin_wave
from skills.planner.schema.phase import Phase
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.run import Building, PassedGate, Run
from skills.planner.simulation.plan import PLAN, approve
from skills.planner.state.files import plan_store, run_store
from skills.planner.state.reviews import has_qr_failures
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner.passages import shown

ONLY_DOCUMENTS = evolve(PLAN, milestones=PLAN.milestones[3:], waves=())


def executor(step: str, state_dir: str, **values: Value) -> Ran:
    return run_here(Command(EXECUTOR, flags({"step": WAVE_STEPS.index(step) + 1, "state_dir": state_dir, **values})))


def leads(ran: Ran) -> str | None:
    """Return the step that a page leads to; None at the end."""
    after = parse(ran.out).blocks[-1]
    if isinstance(after, Complete):
        return None
    assert isinstance(after, InvokeAfter), ran.out
    assert after.invoke is not None
    return WAVE_STEPS[int(after.invoke.command.words[1]) - 1]


def page_of(ran: Ran) -> str:
    """Return the step of the printed page: the next step's, if the one that ran has nothing to say."""
    header = next(block for block in parse(ran.out).blocks if isinstance(block, StepHeader))
    return WAVE_STEPS[header.step - 1]


def dispatched(ran: Ran) -> list[AgentRole]:
    """Return the agents that a page has launched."""
    return [node.agent for node in walk(parse(ran.out)) if isinstance(node, SubagentDispatchNode)]


def refused(ran: Ran) -> str:
    assert ran.status == 1
    return only(ran.out, Refusal).code


def ready(folder: Path, plan: Plan = PLAN) -> str:
    state_dir = str(folder / "state")
    folder.joinpath("project").mkdir()
    approve(state_dir, str(folder / "project"), "Limit each caller's requests", plan)
    return state_dir


def begun(state_dir: str) -> str:
    """Start the run's first wave, without applying it."""
    begin_wave(RunState(state_dir), reconcile=False)
    return state_dir


def change(state_dir: str, by: Callable[[Run], Run]) -> None:
    run_store(state_dir).change(lambda run: (by(run), None))


def reviewed(state_dir: str) -> None:
    """Pass both reviews of the current wave and lap."""

    def record(run: Run) -> Run:
        at = [run.at(phase) for phase in (Phase.IMPL_CODE, Phase.IMPL_DOCS)]
        made = (PassedGate(phase=p, wave=w, lap=lap, plan_digest="0" * 64) for p, w, lap in at)
        return evolve(run, gates=(*run.gates, *made))

    change(state_dir, record)


def with_check(*words: str) -> Plan:
    """Return a plan of one wave that names a check."""
    first = evolve(PLAN.milestones[0], tests=(f"command:{shlex.join(words)}",))
    return evolve(PLAN, milestones=(first,), waves=(evolve(PLAN.waves[0], milestones=("M-001",)),))


def last_wave(folder: Path, *words: str) -> str:
    """Make a run whose only wave has passed its reviews, and whose plan names a check."""
    state_dir = begun(ready(folder, with_check(*words)))
    reviewed(state_dir)
    return state_dir


def spoilt(state_dir: str) -> None:
    Path(state_dir, "plan.json").write_text("{")


def edited(state_dir: str) -> None:
    plan_store(state_dir).change(lambda plan: (evolve(plan, version=plan.version + 1), None))


@pytest.mark.parametrize("step", WAVE_STEPS)
@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda state_dir: Path(state_dir, "plan.json").unlink(), "no-plan"),
        (edited, "other-plan"),
        (spoilt, "other-plan"),
        (lambda state_dir: change(state_dir, lambda run: evolve(run, approval=None)), "not-approved"),
        (lambda state_dir: change(state_dir, lambda run: evolve(run, waves=())), "not-approved"),
    ],
    ids=["missing", "edited", "corrupt", "not approved", "without waves"],
)
def test_only_the_approved_plan_is_executed(step: str, spoil: Callable[[str], None], code: str, tmp_path: Path) -> None:
    state_dir = ready(tmp_path)
    spoil(state_dir)
    values: dict[str, Value] = {"qr_status": "pass"} if step.endswith("route") else {}
    assert refused(executor(step, state_dir, **values)) == code
    assert RunState(state_dir).run.building is None


def test_an_approved_plan_whose_parts_do_not_fit_together_is_refused(tmp_path: Path) -> None:
    wave = evolve(PLAN.waves[0], milestones=("M-001", "M-009"))
    state_dir = ready(tmp_path, evolve(PLAN, waves=(wave,)))
    assert refused(executor("exec-init", state_dir)) == "invalid-plan"
    assert RunState(state_dir).run.building is None


@pytest.mark.parametrize(
    ("plan", "done", "expected"),
    [
        (PLAN, (), [("W-001", ("M-001", "M-002"), ()), ("W-002", ("M-003",), ("M-004",))]),
        (PLAN, ("M-001",), [("W-001", ("M-002",), ()), ("W-002", ("M-003",), ("M-004",))]),
        (PLAN, ("M-001", "M-002"), [("W-002", ("M-003",), ("M-004",))]),
        (PLAN, ("M-003",), [("W-001", ("M-001", "M-002"), ()), ("W-002", (), ("M-004",))]),
        (PLAN, ("M-001", "M-002", "M-003", "M-004"), [("W-002", (), ())]),
        (ONLY_DOCUMENTS, (), [("W-001", (), ("M-004",))]),
    ],
)
def test_remaining_waves_leave_out_finished_milestones(
    plan: Plan, done: tuple[str, ...], expected: list[tuple[str, tuple[str, ...], tuple[str, ...]]]
) -> None:
    run = Run(id="x", task="x", project_root="/", waves=waves(plan), done=done)
    assert [(each.wave, each.code, each.documentation) for each in run.left] == expected


def test_a_plan_that_documents_only_has_no_code_review(tmp_path: Path) -> None:
    state_dir = ready(tmp_path, ONLY_DOCUMENTS)
    once, again = (executor("exec-init", state_dir) for _ in "12")
    assert (once, page_of(once)) == (again, "impl-docs-work")
    assert due(RunState(state_dir)).step == "impl-docs-work"


def test_a_wave_follows_the_other_once_however_often_it_is_asked_for(tmp_path: Path) -> None:
    state_dir = begun(ready(tmp_path))
    assert refused(executor(WAVE_NEXT, ready_but(state_dir))) == "out-of-order"
    reviewed(state_dir)
    once, again = (executor(WAVE_NEXT, state_dir) for _ in "12")
    assert (once, page_of(once)) == (again, "impl-code-work")
    run = RunState(state_dir).run
    assert run.building == Building(wave="W-002", code=("M-003",), documentation=("M-004",))
    assert run.gate(Phase.IMPL_CODE) is None


def ready_but(state_dir: str) -> str:
    """Hand in the work of the wave, so that the wave has more than just started."""
    words = ("--state-dir", state_dir, "submit", "impl-code")
    assert run_here(Command("skills.planner.cli.plan", words)).status == 0
    return state_dir


def test_reconcile_reviews_the_project_before_the_first_wave(tmp_path: Path) -> None:
    state_dir = ready(tmp_path)
    once, again = (executor("exec-init", state_dir, reconcile=True) for _ in "12")
    assert (once, leads(once)) == (again, "exec-init")
    assert dispatched(again) == [AgentRole.QUALITY_REVIEWER]
    assert refused(executor("exec-init", state_dir)) == "out-of-order"
    assert "--reconcile" in str(due(RunState(state_dir)).command(state_dir))
    words = ("--state-dir", state_dir, "reconciled", "--done", "M-001", "--done", "M-002")
    assert run_here(Command("skills.planner.cli.plan", words)).status == 0
    once, again = (executor("exec-init", state_dir) for _ in "12")
    assert (once, page_of(once)) == (again, "impl-code-work")
    (announced,) = (block for block in parse(once.out).blocks if isinstance(block, GateResult))
    assert announced.status is GateStatus.PASS
    run = RunState(state_dir).run
    assert run.building == Building(wave="W-002", code=("M-003",), documentation=("M-004",))
    assert run.done == ("M-001", "M-002")


def test_passing_check_ends_the_run(tmp_path: Path) -> None:
    state_dir = last_wave(tmp_path, sys.executable, "-c", "pass")
    once, again = (executor(WAVE_NEXT, state_dir) for _ in "12")
    assert (once, leads(once)) == (again, None)
    assert RunState(state_dir).run.finished
    assert shown(again) == Stand.CARRIED_OUT


def test_exit_status_of_a_check_decides_and_not_its_output(tmp_path: Path) -> None:
    state_dir = last_wave(tmp_path, sys.executable, "-c", "print('5 passed'); raise SystemExit(3)")
    once, again = (executor(WAVE_NEXT, state_dir) for _ in "12")
    assert (once, page_of(once)) == (again, "impl-code-work")
    run = RunState(state_dir).run
    assert (run.finished, run.building and run.building.lap) == (False, 2)
    assert has_qr_failures(state_dir, Phase.IMPL_CODE)
    assert run.gate(Phase.IMPL_CODE) is run.gate(Phase.IMPL_DOCS) is None


@pytest.mark.parametrize(
    ("answer", "finished", "page", "stand"),
    [
        ("accept_findings", True, WAVE_NEXT, Stand.CARRIED_OUT),
        ("grant_round", False, "impl-code-work", None),
        ("abort", False, WAVE_NEXT, Stand.ENDED),
    ],
)
def test_user_decides_about_a_check_that_fails_in_every_lap(
    answer: str, finished: bool, page: str, stand: Stand | None, tmp_path: Path
) -> None:
    state_dir = last_wave(tmp_path, sys.executable, "-c", "raise SystemExit(3)")
    for _ in range(MAX_LAPS - 1):
        assert page_of(executor(WAVE_NEXT, state_dir)) == "impl-code-work"
        Path(state_dir, "qr-impl-code.json").unlink()
        reviewed(state_dir)
    ran = executor(WAVE_NEXT, state_dir)
    assert (ran.status, shown(ran)) == (3, Stand.ASKED)
    assert [type(block) for block in parse(ran.out).blocks][2:] == [NeedsUserInput, InvokeAfter]
    answered = executor(WAVE_NEXT, state_dir, **{answer: True})
    assert page_of(answered) == page
    assert stand is None or shown(answered) == stand
    run = RunState(state_dir).run
    assert (run.finished, run.aborted) == (finished, answer == "abort")


def test_no_more_than_three_laps_are_granted(tmp_path: Path) -> None:
    state_dir = last_wave(tmp_path, sys.executable, "-c", "raise SystemExit(3)")
    most = MAX_LAPS + MAX_GRANTS
    change(state_dir, lambda run: evolve(run, building=run.building and evolve(run.building, lap=most)))
    reviewed(state_dir)
    assert "--grant-round" not in executor(WAVE_NEXT, state_dir).out
    assert refused(executor(WAVE_NEXT, state_dir, grant_round=True)) == "no-round-left"


def test_status_shows_wave_and_milestones(tmp_path: Path) -> None:
    state_dir = begun(ready(tmp_path))
    words = ("--state-dir", state_dir, "submit", "impl-code", "--milestone", "M-002")
    assert run_here(Command("skills.planner.cli.plan", words)).status == 0
    values = parse(run_here(Command("skills.planner.status", ("--state-dir", state_dir))).out).blocks[0]
    assert isinstance(values, Element)
    shown = dict(values.attributes)
    assert (shown["wave"], shown["phase"], shown["due"]) == ("W-001", "impl-code", "impl-code-work")
    assert (shown["milestones_handed_in"], shown["milestones_open"]) == ("M-002", "M-001")
