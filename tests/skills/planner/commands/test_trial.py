"""`validate --repo` tries a plan's diffs on the project's files."""

from pathlib import Path

from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import PLAN


def project(folder: Path, text: str) -> str:
    (folder / "src").mkdir()
    (folder / "src" / "auth.py").write_text(text, encoding="utf-8")
    return str(folder)


def test_diffs_that_apply_give_no_finding_and_change_nothing(state: str, tmp_path: Path) -> None:
    repo = project(tmp_path, "old\n")
    assert console.plan(state, "validate", "--phase", "plan-docs", "--repo", repo).status == 0
    assert (tmp_path / "src" / "auth.py").read_text(encoding="utf-8") == "old\n"


def test_diff_that_does_not_apply_is_reported_with_its_change(state: str, tmp_path: Path) -> None:
    refusal = console.plan(state, "validate", "--phase", "plan-code", "--repo", project(tmp_path, "newer\n")).refusal
    assert (refusal.code, refusal.target) == ("invalid-plan", "plan-code")
    assert refusal.message.startswith("CC-M-001-001.diff:")


def test_missing_project_folder_is_refused(state: str, tmp_path: Path) -> None:
    refusal = console.plan(state, "validate", "--repo", str(tmp_path / "none")).refusal
    assert refusal.code == "unusable-repo"
    assert plan_store(state).load() == PLAN
