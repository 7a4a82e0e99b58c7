"""An approved change is applied as it was reviewed, once, and nothing else is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Element
from skills.planner.simulation.plan import approve
from skills.planner.simulation.project import LIMIT
from skills.planner.state.files import change_run, plan_store
from skills.planner.state.run_state import RunState
from tests.skills.planner import console

CHANGE = "CC-M-001-001"


@pytest.fixture
def building(tmp_path: Path) -> str:
    """Make a run whose first wave is being built."""
    state_dir = str(tmp_path / "run")
    (tmp_path / "project").mkdir()
    approve(state_dir, str(tmp_path / "project"), "x")
    change_run(state_dir, lambda run: evolve(run, building=run.waves[0]))
    return state_dir


def target(state_dir: str) -> Path:
    return Path(RunState(state_dir).run.project_root, LIMIT)


def operation(state_dir: str) -> str:
    (node,) = (n for n in console.plan(state_dir, "apply", "--id", CHANGE).nodes if isinstance(n, Element))
    return str(dict(node.attributes)["operation"])


def test_a_change_goes_in_once_however_often_it_is_asked_for(building: str) -> None:
    assert operation(building) == "applied"
    built = target(building).read_text(encoding="utf-8")
    added = [line[1:] for line in diff(building).splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert built.splitlines() == added
    assert operation(building) == "unchanged"
    assert target(building).read_text(encoding="utf-8") == built


def diff(state_dir: str) -> str:
    plan = plan_store(state_dir).load()
    return next(change.diff for each in plan.milestones for change in each.code_changes if change.id == CHANGE)


def by_somebody(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("LIMIT = 20\n", encoding="utf-8")


def behind_a_link(path: Path) -> None:
    (path.parent.parent.parent / "outside").mkdir()
    path.parent.symlink_to(path.parent.parent.parent / "outside")


@pytest.mark.parametrize("make", [by_somebody, behind_a_link])
def test_file_that_changed_since_the_diff_is_left_unchanged(building: str, make: Callable[[Path], None]) -> None:
    make(target(building))
    before = target(building).read_bytes() if target(building).exists() else None
    assert console.plan(building, "apply", "--id", CHANGE).refusal.code == "stale-diff"
    assert (target(building).read_bytes() if target(building).exists() else None) == before


def test_a_change_of_another_wave_is_refused(building: str) -> None:
    other = RunState(building).run.waves[1].code[0]
    assert console.plan(building, "apply", "--id", f"CC-{other}-001").refusal.code == "unknown-id"


def test_nothing_of_a_plan_that_is_not_the_approved_one_goes_in(building: str) -> None:
    plan_store(building).change(lambda plan: (evolve(plan, waves=()), None))
    assert console.plan(building, "apply", "--id", CHANGE).refusal.code == "other-plan"
    assert not target(building).exists()
