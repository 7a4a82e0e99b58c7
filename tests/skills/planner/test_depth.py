"""The phases that a run goes through: by its depth, and by the code in its plan."""

import json
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.state.run_dirs import ELSEWHERE
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Reader
from lib.workflow.types import AgentRole
from skills.planner.agents.slots import SlotContext
from skills.planner.agents.wave_slots import WAVE_FACTS
from skills.planner.limits import LIGHT_ROUNDS
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.next_step import due
from skills.planner.phases import (
    IMPL_CODE,
    IMPL_DOCS,
    PLAN_CODE,
    PLAN_DESIGN,
    PLAN_DOCS,
    PhaseScript,
    PhaseSpec,
    planning_of,
    wave_of,
)
from skills.planner.rehearsal import TASK, prepare
from skills.planner.schema.depth import Depth
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import Building, Run
from skills.planner.simulation.builder import Builder
from skills.planner.simulation.plan import PLAN, approve
from skills.planner.simulation.project import LIMIT, git, write
from skills.planner.staging import PLAN as SMALL
from skills.planner.state.files import SCRATCH, change_run, run_store
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner import console
from tests.skills.planner.reviewing import (
    approved,
    at_work,
    building,
    change_plan,
    gate,
    leads,
    passes,
    project,
    qr,
    renamed,
    reviewed,
    step,
    submit,
    through,
)

CODE, DOCS = Building(wave="W-001", code=("M-001",)), Building(wave="W-001", documentation=("M-004",))


@pytest.mark.parametrize(
    ("depth", "documents_only", "building", "planning", "wave"),
    [
        (None, False, CODE, (PLAN_DESIGN, PLAN_CODE, PLAN_DOCS), (IMPL_CODE, IMPL_DOCS)),
        (Depth.FULL, False, CODE, (PLAN_DESIGN, PLAN_CODE, PLAN_DOCS), (IMPL_CODE, IMPL_DOCS)),
        (Depth.FULL, True, DOCS, (PLAN_DESIGN, PLAN_DOCS), (IMPL_DOCS,)),
        (Depth.LIGHT, False, CODE, (PLAN_DESIGN,), (IMPL_CODE,)),
        (Depth.LIGHT, True, DOCS, (PLAN_DESIGN,), (IMPL_CODE,)),
    ],
)
def test_the_phases_of_a_run(
    depth: Depth | None, documents_only: bool, building: Building, planning: tuple[object], wave: tuple[object]
) -> None:
    run = Run(id="x", task="x", project_root="/", depth=depth, documents_only=documents_only, building=building)
    assert (planning_of(run), wave_of(run)) == (planning, wave)


def light(folder: Path) -> str:
    state_dir = at_work(folder, PLAN_DESIGN)
    assert console.plan(state_dir, "set-depth", "light").status == 0
    return state_dir


def test_a_light_run_is_approved_by_the_review_of_its_design_alone(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    assert leads(through(state_dir, PLAN_DESIGN)) is None
    run = RunState(state_dir).run
    assert (run.approval, [gate.phase for gate in run.gates]) == (run.gates[0].plan_digest, [Phase.PLAN_DESIGN])
    assert Path(state_dir, "plan.md").exists()
    assert due(RunState(state_dir)).step == "exec-init"


def test_each_wave_of_a_light_run_goes_through_one_review(tmp_path: Path) -> None:
    state_dir = str(tmp_path / "run")
    (tmp_path / "project").mkdir()
    approve(state_dir, str(tmp_path / "project"), "x")
    remarked = ("too long",)
    change_run(state_dir, lambda run: evolve(run, depth=Depth.LIGHT, gates=(evolve(run.gates[0], remarks=remarked),)))
    begun = step(state_dir, "exec-init")
    assert (leads(begun), remarked[0] in begun.out) == ("impl-code-work", True)
    for wave, code, documentation in (("W-001", ("M-001", "M-002"), ()), ("W-002", ("M-003",), ("M-004",))):
        run = RunState(state_dir).run
        assert run.building == Building(wave=wave, code=code, documentation=documentation)
        assert run.awaited(Phase.IMPL_CODE, 1) == (*code, *documentation)
        for name in (*code, *documentation):
            assert submit(state_dir, IMPL_CODE, "--milestone", name).status == 0
        assert submit(state_dir, IMPL_DOCS).refusal.code == "out-of-order"
        assert leads(through(state_dir, IMPL_CODE)) == "wave-next"
        assert RunState(state_dir).run.waves_passed[-1] == wave
        change_run(state_dir, lambda run: evolve(run, gates=(*run.gates[:-1], evolve(run.gates[-1], remarks=("odd",)))))
        assert "odd" in gate(state_dir, IMPL_CODE).out
        if wave == "W-001":
            continued = step(state_dir, "wave-next")
            assert leads(continued) == "impl-code-work"
            assert not [text for text in (*remarked, "odd") if text in continued.out]


def test_the_page_that_asks_for_a_commit_says_what_the_user_has_accepted(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    change_run(state_dir, lambda run: evolve(run, depth=Depth.LIGHT))
    for number in range(1, LIGHT_ROUNDS + 1):
        (project(state_dir) / LIMIT).write_text(f"LIMIT = {number}\n")
        submit(state_dir, IMPL_CODE)
        reviewed(state_dir, IMPL_CODE, {"qa-001": f"wrong {number}"})
        gate(state_dir, IMPL_CODE)
    asked = gate(state_dir, IMPL_CODE, accept_findings=True)
    assert "qa-001" in asked.out


def test_the_page_that_asks_for_a_commit_names_changed_files_that_are_not_in_the_plan(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    change_run(state_dir, lambda run: evolve(run, depth=Depth.LIGHT))
    (project(state_dir) / LIMIT).write_text("LIMIT = 1\n")
    assert "src/other.py" not in through(state_dir, IMPL_CODE).out
    (project(state_dir) / "src" / "other.py").write_text("new\n")
    assert "src/other.py" in gate(state_dir, IMPL_CODE).out


def test_changed_work_that_nobody_has_judged_is_handed_in_by_the_same_step_again(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    assert step(state_dir, "plan-design-qr-decompose").status == 0
    handed_in = RunState(state_dir).run.handed_in(Phase.PLAN_DESIGN, 1)
    change_plan(state_dir, renamed("Another name"))
    assert step(state_dir, "plan-design-qr-decompose").status == 0
    run = RunState(state_dir).run
    assert run.handed_in(Phase.PLAN_DESIGN, 1) not in (None, handed_in)
    reviewed(state_dir, PLAN_DESIGN, {"qa-001": ""})
    assert leads(gate(state_dir, PLAN_DESIGN)) is None


def test_reviewer_of_a_light_run_finds_request_plan_findings_and_difference_in_files(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, {"qa-001": "the border is open"})
    gate(state_dir, PLAN_DESIGN)
    change_plan(state_dir, renamed("Another name"))
    submit(state_dir, PLAN_DESIGN)
    page = run_here(Command(PLAN_DESIGN.module(PhaseScript.VERIFY), ("--step", "1", "--state-dir", state_dir)))
    case, difference = (Path(state_dir, name) for name in ("brief.md", "difference.md"))
    assert (page.status, "border is open" in page.out, "Another name" in page.out) == (0, False, False)
    assert all(str(path) in page.out for path in (case, difference))
    assert RunState(state_dir).context.task_spec[0] in case.read_text(encoding="utf-8")
    assert "Another name" in case.read_text(encoding="utf-8")
    assert "border is open" in difference.read_text(encoding="utf-8")
    assert "Another name" in difference.read_text(encoding="utf-8")
    assert case.stat().st_mode & 0o777 == 0o600


def test_the_user_of_a_light_run_decides_about_a_design_that_has_failed_twice(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    for number in range(1, LIGHT_ROUNDS + 1):
        change_plan(state_dir, renamed(f"Name {number}"))
        assert submit(state_dir, PLAN_DESIGN).status == 0
        reviewed(state_dir, PLAN_DESIGN, {"qa-001": f"wrong {number}"})
        ran = gate(state_dir, PLAN_DESIGN)
        assert ran.status == (0 if number < LIGHT_ROUNDS else 3)
    accepted = gate(state_dir, PLAN_DESIGN, accept_findings=True)
    assert (accepted.status, due(RunState(state_dir)).step) == (0, "exec-init")
    risks = [risk.risk for risk in RunState(state_dir).plan.planning_context.risks]
    assert risks
    assert risks[0] in Path(state_dir, "brief.md").read_text(encoding="utf-8")


def test_remark_does_not_block_and_is_shown_to_the_builder(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    submit(state_dir, PLAN_DESIGN)
    items = [{"id": "qa-001", "scope": "*", "check": "It is right"}]
    assert qr(state_dir, Phase.PLAN_DESIGN, "create", "--items-file", "-", given=json.dumps(items)).status == 0
    passed = {"id": "qa-001", "status": "PASS", "evidence": "read"}
    remark = {"id": "remark-1", "status": "REMARK", "finding": "M-001 says\ntoo much"}
    for _ in "12":
        ran = qr(state_dir, Phase.PLAN_DESIGN, "record", "-", given=json.dumps([passed, remark]))
        assert (ran.status, ran.out.splitlines()[-1]) == (0, "PASS")
    assert leads(gate(state_dir, PLAN_DESIGN)) is None
    run = RunState(state_dir).run
    assert run.remarks == ((Phase.PLAN_DESIGN, "M-001 says\ntoo much"),)
    assert "M-001 says too much" in step(state_dir, "exec-init").out


@pytest.mark.parametrize("step_", ["plan-code-work", "plan-docs-qr-route", "impl-docs-work"])
def test_skipped_phase_is_refused_with_the_next_command(tmp_path: Path, step_: str) -> None:
    state_dir = light(tmp_path)
    through(state_dir, PLAN_DESIGN)
    refusal = only(step(state_dir, step_).out, Refusal)
    assert (refusal.code, refusal.invoke is not None) == ("out-of-order", True)


def test_light_run_can_become_full_before_its_first_wave(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    through(state_dir, PLAN_DESIGN)
    assert console.plan(state_dir, "set-depth", "full").status == 0
    assert (RunState(state_dir).run.approval, due(RunState(state_dir)).step) == (None, "plan-code-work")
    for row in (PLAN_CODE, PLAN_DOCS):
        assert through(state_dir, row).status == 0
    assert due(RunState(state_dir)).step == "exec-init"
    assert step(state_dir, "exec-init").status == 0
    assert console.plan(state_dir, "set-depth", "light").refusal.code == "begun"


def test_a_full_run_does_not_become_light_when_a_phase_has_passed(tmp_path: Path) -> None:
    state_dir = approved(tmp_path)
    before = RunState(state_dir).run
    assert console.plan(state_dir, "set-depth", "light").refusal.code == "phase-passed"
    assert RunState(state_dir).run == before


def test_the_same_depth_again_changes_nothing(tmp_path: Path) -> None:
    state_dir = light(tmp_path)
    through(state_dir, PLAN_DESIGN)
    step(state_dir, "exec-init")
    before = RunState(state_dir).run
    assert console.plan(state_dir, "set-depth", "light").status == 0
    assert RunState(state_dir).run == before


def test_agent_on_another_host_copies_by_git_what_the_page_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ELSEWHERE, "1")
    planning, executing = at_work(tmp_path, PLAN_CODE), building(tmp_path)
    assert console.plan(planning, "copy").refusal.code == "elsewhere"
    assert console.plan(planning, "scratch").status == 0
    for row, state_dir in ((PLAN_CODE, planning), (IMPL_CODE, executing)):
        source = Path(planning, SCRATCH) if row is PLAN_CODE else project(executing)
        write(str(source), LIMIT, "LIMIT = 11\n")
        git(str(source), "add", "--all")
        subprocess.run(_copying(row, state_dir), shell=True, check=True)
        copy = Path(state_dir, "copy")
        assert (copy / LIMIT).read_text() == "LIMIT = 11\n"
        assert not (copy / ".git").exists()


def _copying(row: PhaseSpec, state_dir: str) -> str:
    """Return the command on the page of a phase's verifiers that makes a copy."""
    context = StepContext(step_id="ground", workflow_params={"state_dir": state_dir})
    command = WAVE_FACTS["copy"](SlotContext(row, AgentRole.QUALITY_REVIEWER, context))
    assert isinstance(command, str)
    return command


def test_a_plan_that_documents_only_skips_the_phase_of_code(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    (first,) = SMALL.milestones
    only_documents = evolve(first, is_documentation_only=True, code_intents=(), code_changes=())
    change_plan(state_dir, lambda plan: evolve(plan, milestones=(only_documents,), waves=()))
    assert through(state_dir, PLAN_DESIGN).status == 0
    assert due(RunState(state_dir)).step == "plan-docs-work"
    assert leads(step(state_dir, "plan-code-work")) == "plan-docs-work"
    assert submit(state_dir, PLAN_CODE).refusal.code == "out-of-order"
    assert through(state_dir, PLAN_DOCS).status == 0
    assert (passes(state_dir, PLAN_CODE), RunState(state_dir).run.approval is not None) == (False, True)
    assert leads(step(state_dir, "exec-init")) == "impl-docs-work"


def test_a_plan_with_code_does_not_skip_it(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    assert leads(through(state_dir, PLAN_DESIGN)) == "plan-code-work"
    assert not RunState(state_dir).run.documents_only
    assert PLAN.milestones[3].is_documentation_only


NEW = ("depth", "documents_only", "contests", "reopened")
"""Fields that run.json lacked in earlier versions."""


def test_a_run_of_an_earlier_version_is_read_as_a_full_one(tmp_path: Path) -> None:
    state_dir = approved(tmp_path)
    path = Path(state_dir, "run.json")
    old = json.loads(path.read_text())
    for name in NEW:
        del old[name]
    for entry in old["submissions"]:
        del entry["digest"], entry["owner"]
    for entry in old["gates"]:
        del entry["digest"]
    path.write_text(json.dumps(old))
    run = run_store(state_dir).load()
    assert (run.depth, run.is_light, planning_of(run)) == (None, False, (PLAN_DESIGN, PLAN_CODE, PLAN_DOCS))
    assert leads(step(state_dir, "exec-init")) == "impl-code-qr-verify"


def test_an_agent_that_follows_the_pages_carries_a_light_run_to_its_end(tmp_path: Path) -> None:
    state_dir = str(tmp_path / "run")
    start = Command(EXECUTOR, flags({"step": 1, "state_dir": state_dir}))
    planner = Command(PLANNER, flags({"step": 1, "state_dir": state_dir, "task": TASK}))
    prepare(planner)
    assert console.plan(state_dir, "set-depth", "light").status == 0
    assert console.plan(state_dir, "init", "--task", TASK).status == 0
    reader = Reader(Builder(run_here), run_here)
    for command in (planner, start):
        reader.read(command)
    run = RunState(state_dir).run
    assert [gate.at for gate in run.gates] == [
        (Phase.PLAN_DESIGN, None, 1),
        (Phase.IMPL_CODE, "W-001", 1),
        (Phase.IMPL_CODE, "W-002", 1),
    ]
    assert [(each.phase, each.iteration, each.failed) for each in run.rounds] == [
        (Phase.PLAN_DESIGN, 1, frozenset({"qa-002"})),
        (Phase.IMPL_CODE, 1, frozenset({"qa-002"})),
    ]
    assert (run.finished, run.failing) == (True, ())
    assert {page.header.phase for page in reader.visited} == {None, Phase.PLAN_DESIGN, Phase.IMPL_CODE}
