"""The developer's diffs survive later changes: kept when plan-code passes, and not again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.errors import RefusedError
from skills.planner.execution.project_files import MAX_COPIED, UNREAD, Held, held
from skills.planner.execution.snapshots import copies, keep
from skills.planner.phases import IMPL_CODE, PLAN_CODE, PLAN_DESIGN, PLAN_DOCS, PhaseSpec
from skills.planner.review.hand_in import keep_content
from skills.planner.review.rounds import let_pass
from skills.planner.schema.plan.document import Plan
from skills.planner.simulation.plan import approve
from skills.planner.simulation.project import LIMIT
from skills.planner.staging import DIFF, PLAN
from skills.planner.state.files import KEPT, change_run, plan_store
from skills.planner.state.run_state import RunState
from tests.skills.planner.runs import pass_code, staged
from tests.wording import coded

DOCUMENTED = DIFF.replace("@@ -0,0 +1 @@\n", "@@ -0,0 +1,2 @@\n+# A burst costs nothing.\n")


def planned(diff: str) -> Plan:
    """Return the plan with that diff in its one change."""
    (milestone,) = PLAN.milestones
    change = evolve(milestone.code_changes[0], diff=diff)
    return evolve(PLAN, milestones=(evolve(milestone, code_changes=(change,)),))


def write(state_dir: str, plan: Plan) -> None:
    plan_store(state_dir).change(lambda _: (plan, None))


def test_documentation_phase_keeps_the_snapshot_of_the_developers_diff(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-code-work")
    write(state_dir, planned(DIFF))
    let_pass(RunState(state_dir), PLAN_CODE)
    write(state_dir, planned(DOCUMENTED))
    for row in (PLAN_CODE, PLAN_DOCS):  # the first once more, as after a crash
        let_pass(RunState(state_dir), row)
    assert Path(state_dir, KEPT, "CC-M-001-001.diff").read_text(encoding="utf-8") == DIFF


def test_a_folder_that_cannot_be_made_refuses_the_gate_before_it_is_passed(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-code-work")
    shutil.rmtree(os.path.join(state_dir, KEPT))
    Path(state_dir, KEPT).write_text("", encoding="utf-8")
    with pytest.raises(RefusedError):
        let_pass(RunState(state_dir), PLAN_CODE)
    assert RunState(state_dir).run.gate(PLAN_CODE.phase) is None


@pytest.mark.parametrize("row", [PLAN_DESIGN, PLAN_CODE, IMPL_CODE], ids=lambda row: row.phase)
def test_nothing_is_kept_through_a_link(tmp_path: Path, row: PhaseSpec) -> None:
    state_dir, outside = str(tmp_path / "run"), tmp_path / "outside"
    outside.mkdir()
    approve(state_dir, str(tmp_path), "x")
    change_run(state_dir, lambda run: evolve(run, building=run.waves[0]))
    shutil.rmtree(os.path.join(state_dir, KEPT), ignore_errors=True)
    Path(state_dir, KEPT).symlink_to(outside)
    with pytest.raises(RefusedError, check=coded("unwritable-state")):
        keep_content(RunState(state_dir), row)
    with pytest.raises(RefusedError, check=coded("unwritable-state")):
        keep(RunState(state_dir), PLAN_CODE)
    assert not list(outside.iterdir())


def test_every_change_has_a_file_of_its_own(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-code-work")
    write(state_dir, planned(DIFF))
    let_pass(RunState(state_dir), PLAN_CODE)
    ids = {change.id for milestone in PLAN.milestones for change in milestone.code_changes}
    assert {path.stem for path in Path(state_dir, KEPT).glob("*.diff")} == ids


def test_files_of_a_wave_are_kept_as_their_code_passed_and_no_link_is_followed(tmp_path: Path) -> None:
    project, state_dir = tmp_path / "project", str(tmp_path / "run")
    (project / "src").mkdir(parents=True)
    approve(state_dir, str(project), "x")
    change_run(state_dir, lambda run: evolve(run, building=run.waves[0]))
    (project / LIMIT).write_bytes(b"LIMIT = 10\xff\n")
    (project / "src" / "clock.py").symlink_to(project / LIMIT)
    assert copies(RunState(state_dir)) is None
    pass_code(state_dir)
    (project / LIMIT).write_bytes(b'"""The limit."""\nLIMIT = 10\xff\n')
    assert kept(state_dir) == {"limit.py": b"LIMIT = 10\xff\n"}


def kept(state_dir: str) -> dict[str, bytes]:
    """Return the copies of the wave's files."""
    folder = copies(RunState(state_dir))
    assert folder is not None
    return {path.name: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def folder_behind_a_link(project: Path) -> None:
    (project.parent / "outside").mkdir()
    (project.parent / "outside" / Path(LIMIT).name).write_text("SECRET = 1\n")
    (project / LIMIT).parent.symlink_to(project.parent / "outside")


def no_file_at_all(project: Path) -> None:
    (project / LIMIT).mkdir(parents=True)


def one_byte_too_much(project: Path) -> None:
    (project / LIMIT).parent.mkdir()
    (project / LIMIT).write_bytes(bytes(MAX_COPIED + 1))


def refused_by_the_system(project: Path) -> None:
    (project / LIMIT).parent.write_text("a file where the plan has a folder")


@pytest.mark.parametrize("make", [folder_behind_a_link, no_file_at_all, one_byte_too_much, refused_by_the_system])
def test_file_that_cannot_be_copied_does_not_block_the_gate(tmp_path: Path, make: Callable[[Path], None]) -> None:
    project, state_dir = tmp_path / "project", str(tmp_path / "run")
    project.mkdir()
    approve(state_dir, str(project), "x")
    change_run(state_dir, lambda run: evolve(run, building=run.waves[0]))
    make(project)
    pass_code(state_dir)
    assert kept(state_dir) == {}


def test_unreadable_file_is_recorded_as_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: str, limit: int) -> bytes:
        raise PermissionError(13, "Permission denied", path)

    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / LIMIT).write_bytes(b"LIMIT = 10\n")
    assert held(str(project), LIMIT).data == b"LIMIT = 10\n"
    monkeypatch.setattr("skills.planner.execution.project_files.read_whole", denied)
    assert held(str(project), LIMIT) == Held(UNREAD)
