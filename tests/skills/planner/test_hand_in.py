"""A round reviews exactly its hand-in: nothing is reviewed before it, and nothing else passes the gate."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import Refusal
from skills.planner.limits import MAX_ROUNDS
from skills.planner.phases import IMPL_CODE, IMPL_DOCS, PLAN_CODE, PLAN_DESIGN, PLAN_DOCS, PLANNING, PhaseSpec
from skills.planner.review.difference import item as difference_item
from skills.planner.review.hand_in import submit_command
from skills.planner.schema.review.document import ItemStatus
from skills.planner.simulation.project import LIMIT, README, git
from skills.planner.state.files import digest_of
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner import console
from tests.skills.planner.reviewing import (
    FAILED,
    ITEMS,
    PASSED,
    at_work,
    building,
    change_plan,
    gate,
    leads,
    passes,
    project,
    qr,
    renamed,
    review_of,
    reviewed,
    submit,
    through,
)
from tests.skills.planner.runs import change


def code(ran: object) -> str:
    """Return the code of a command's refusal."""
    assert isinstance(ran, tuple)
    assert ran[0] == 1, ran[1]
    return only(str(ran[1]), Refusal).code


def failed(folder: Path, row: PhaseSpec = PLAN_DESIGN, *words: str) -> str:
    """Make a run whose first round of a phase of planning has failed by one item."""
    state_dir = at_work(folder, row)
    assert submit(state_dir, row).status == 0
    reviewed(state_dir, row, FAILED, *words)
    assert gate(state_dir, row).status == 0
    return state_dir


@pytest.mark.parametrize("row", PLANNING, ids=lambda row: row.phase)
@pytest.mark.parametrize("found", [PASSED, FAILED], ids=["passed", "failed"])
@pytest.mark.parametrize("changed", [False, True], ids=["as it was", "changed"])
def test_planning_gate_passes_only_the_submitted_plan(
    tmp_path: Path, row: PhaseSpec, found: Mapping[str, str], changed: bool
) -> None:
    state_dir = at_work(tmp_path, row)
    submit(state_dir, row)
    reviewed(state_dir, row, found)
    if changed:
        change_plan(state_dir, renamed("Another"))
    ran = gate(state_dir, row)
    if found == PASSED and changed:
        refusal = only(ran.out, Refusal)
        assert (ran.status, refusal.code) == (1, "not-reviewed")
        assert "M-001" in refusal.message
    else:
        assert ran.status == 0
    assert passes(state_dir, row) is (found == PASSED and not changed)


def test_a_plan_that_is_as_it_was_handed_in_again_passes(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, PASSED)
    name = RunState(state_dir).plan.milestones[0].name
    change_plan(state_dir, renamed("Another"))
    change_plan(state_dir, renamed(name))
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-code-work"
    run = RunState(state_dir).run
    assert run.gates[0].plan_digest == run.submissions[-1].digest == digest_of(RunState(state_dir).plan)


def test_plan_changed_after_its_review_passes_after_resubmission_and_review(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, PASSED)
    change_plan(state_dir, renamed("Another"))
    refusal = only(gate(state_dir, PLAN_DESIGN).out, Refusal)
    assert str(submit_command(RunState(state_dir), PLAN_DESIGN)) in refusal.fix
    again = [submit(state_dir, PLAN_DESIGN) for _ in "12"]
    assert [ran.status for ran in again] == [0, 0]
    assert again[0].out == again[1].out
    review = review_of(state_dir, PLAN_DESIGN)
    assert (review.iteration, review.of(ItemStatus.TODO)) == (2, (difference_item(2),))
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-design-qr-verify"
    reviewed(state_dir, PLAN_DESIGN, PASSED)
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-code-work"


def test_a_hand_in_replaces_the_one_before_it_until_its_round_has_a_verdict(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    change_plan(state_dir, renamed("Another"))
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, PASSED)
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-code-work"
    assert RunState(state_dir).run.rounds == ()


def test_a_round_with_a_failed_item_is_ended_by_its_gate_and_not_by_a_hand_in(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, FAILED)
    change_plan(state_dir, renamed("Another"))
    assert code(submit(state_dir, PLAN_DESIGN)) == "round-open"
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-design-work"
    assert submit(state_dir, PLAN_DESIGN).status == 0


@pytest.mark.parametrize("words", [("create", "--items-file", "-"), ("update-item", "qa-001", "--status", "PASS")])
@pytest.mark.parametrize("row", [PLAN_DESIGN, PLAN_CODE, PLAN_DOCS])
def test_nothing_is_reviewed_before_it_is_handed_in(tmp_path: Path, row: PhaseSpec, words: tuple[str, ...]) -> None:
    state_dir = failed(tmp_path) if words[0] == "update-item" else at_work(tmp_path, PLAN_DESIGN)
    before = RunState(state_dir).review(row.phase)
    ran = qr(state_dir, row.phase, *words, given='[{"id": "qa-001", "scope": "*", "check": "c"}]')
    if words[0] == "create" or row is PLAN_DESIGN:
        assert code(ran) == "not-handed-in"
    else:
        assert code(ran) == "missing-state"
    assert RunState(state_dir).review(row.phase) == before


def test_a_wave_is_not_reviewed_for_its_documentation_before_its_code_has_passed(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    submit(state_dir, IMPL_CODE)
    given = '[{"id": "qa-001", "scope": "*", "check": "c"}]'
    assert code(qr(state_dir, IMPL_DOCS.phase, "create", "--items-file", "-", given=given)) == "not-handed-in"
    assert code(submit(state_dir, IMPL_DOCS)) == "out-of-order"
    assert qr(state_dir, IMPL_CODE.phase, "create", "--items-file", "-", given=given).status == 0


def test_a_verdict_on_one_of_several_milestones_waits_for_the_others(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    given = '[{"id": "qa-001", "scope": "*", "check": "c"}]'
    assert submit(state_dir, IMPL_CODE, "--milestone", "M-001").status == 0
    assert code(qr(state_dir, IMPL_CODE.phase, "create", "--items-file", "-", given=given)) == "not-handed-in"
    assert submit(state_dir, IMPL_CODE, "--milestone", "M-002").status == 0
    assert qr(state_dir, IMPL_CODE.phase, "create", "--items-file", "-", given=given).status == 0


def test_nothing_is_reviewed_after_its_gate(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    through(state_dir, PLAN_DESIGN)
    given = '[{"id": "qa-001", "scope": "*", "check": "c"}]'
    assert code(qr(state_dir, PLAN_DESIGN.phase, "create", "--items-file", "-", given=given)) == "phase-passed"


def test_a_fix_that_changes_nothing_is_refused_and_names_the_failed_items(tmp_path: Path) -> None:
    state_dir = failed(tmp_path)
    before = RunState(state_dir).run
    refusal = submit(state_dir, PLAN_DESIGN).refusal
    assert (refusal.code, "qa-002" in refusal.message, "qa-001" in refusal.message) == ("nothing-changed", True, False)
    assert RunState(state_dir).run == before
    change_plan(state_dir, renamed("Another"))
    assert [submit(state_dir, PLAN_DESIGN).status for _ in "12"] == [0, 0]


def test_each_further_round_has_the_difference_as_one_more_item(tmp_path: Path) -> None:
    state_dir = failed(tmp_path)
    for number in (2, 3):
        change_plan(state_dir, renamed(f"Name {number}"))
        submit(state_dir, PLAN_DESIGN)
        reviewed(state_dir, PLAN_DESIGN, FAILED)
        gate(state_dir, PLAN_DESIGN)
    assert [item.id for item in review_of(state_dir, PLAN_DESIGN).items] == [*ITEMS, "change-2", "change-3", "change-4"]
    states = {item.id: item.status for item in review_of(state_dir, PLAN_DESIGN).items}
    assert states["change-2"] is states["qa-001"] is ItemStatus.PASS


def test_a_finding_of_the_difference_holds_the_gate_like_any_other(tmp_path: Path) -> None:
    state_dir = failed(tmp_path)
    change_plan(state_dir, renamed("Another"))
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, {"change-2": "it renames what qa-001 relies on"})
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-design-work"
    assert not passes(state_dir, PLAN_DESIGN)


CASE = ("--contest", "qa-002", "--case", "M-001.files names src/api.py")


def test_contested_finding_that_fails_again_cannot_be_contested_again(
    tmp_path: Path,
) -> None:
    state_dir = failed(tmp_path)
    assert [submit(state_dir, PLAN_DESIGN, *CASE).status for _ in "12"] == [0, 0]
    run = RunState(state_dir).run
    assert dict(run.contested(PLAN_DESIGN.phase, 2)) == {"qa-002": CASE[-1]}
    reviewed(state_dir, PLAN_DESIGN, FAILED)
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-design-work"
    assert code(submit(state_dir, PLAN_DESIGN, *CASE)) == "contested"
    change_plan(state_dir, renamed("Another"))
    assert code(submit(state_dir, PLAN_DESIGN, *CASE)) == "contested"
    assert submit(state_dir, PLAN_DESIGN).status == 0


def test_a_contested_finding_that_passes_lets_the_gate_pass(tmp_path: Path) -> None:
    state_dir = failed(tmp_path)
    submit(state_dir, PLAN_DESIGN, *CASE)
    reviewed(state_dir, PLAN_DESIGN, PASSED)
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-code-work"


def test_a_hand_in_without_a_change_contests_every_finding(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, dict.fromkeys(ITEMS, "wrong"))
    gate(state_dir, PLAN_DESIGN)
    refusal = submit(state_dir, PLAN_DESIGN, *CASE).refusal
    assert (refusal.code, "qa-001" in refusal.message) == ("nothing-changed", True)
    assert RunState(state_dir).run.contests == ()


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("--contest", "qa-001", "--case", "x"), 1, "unknown-id"),
        (("--contest", "qa-009", "--case", "x"), 1, "unknown-id"),
        (("--contest", "qa-002"), 2, "--contest"),
        (("--case", "x"), 2, "--contest"),
        (("--contest", "qa-002", "--contest", "qa-002", "--case", "x", "--case", "y"), 2, "--contest"),
        (("--contest", "qa 2", "--case", "x"), 2, "--contest:"),
    ],
)
def test_only_a_failed_item_is_contested_and_with_a_case(
    tmp_path: Path, words: tuple[str, ...], status: int, says: str
) -> None:
    state_dir = failed(tmp_path)
    change_plan(state_dir, renamed("Another"))
    ran = submit(state_dir, PLAN_DESIGN, *words)
    assert ran.status == status
    assert says in (ran.refusal.code if status == 1 else ran.err)
    assert RunState(state_dir).run.contests == ()


def test_a_first_hand_in_has_nothing_to_contest(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    assert code(submit(state_dir, PLAN_DESIGN, *CASE)) == "unknown-id"


def test_a_hand_in_at_the_last_round_does_not_decide_for_the_user(tmp_path: Path) -> None:
    state_dir = failed(tmp_path)
    for number in range(2, MAX_ROUNDS + 1):
        change_plan(state_dir, renamed(f"Name {number}"))
        submit(state_dir, PLAN_DESIGN)
        reviewed(state_dir, PLAN_DESIGN, FAILED)
        assert gate(state_dir, PLAN_DESIGN).status == (3 if number == MAX_ROUNDS else 0)
    change_plan(state_dir, renamed("Another"))
    assert code(submit(state_dir, PLAN_DESIGN)) == "round-open"
    refusal = only(gate(state_dir, PLAN_DESIGN, accept_findings=True).out, Refusal)
    assert refusal.code == "not-reviewed"
    assert leads(gate(state_dir, PLAN_DESIGN, grant_round=True)) == "plan-design-work"
    assert submit(state_dir, PLAN_DESIGN).status == 0


def written(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text, encoding="utf-8")


def committed(root: Path) -> None:
    git(str(root), "add", "--all")
    git(str(root), "commit", "-q", "-m", "by somebody")


def linked(root: Path) -> None:
    (root / LIMIT).unlink()
    (root / LIMIT).symlink_to("/etc/passwd")


def ignored(root: Path) -> None:
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "exclude").write_text("out.txt\n")
    (root / "out.txt").write_text("x")


SAME: Mapping[str, Callable[[Path], object]] = {
    "nothing": lambda root: None,
    "a commit of what was handed in": committed,
    "a file that git ignores": ignored,
    "a binary file that a tool writes": lambda root: (root / "cache.bin").write_bytes(b"\0\1"),
    "a file outside the project": lambda root: (root.parent / "note.txt").write_text("x"),
}
OTHER: Mapping[str, tuple[Callable[[Path], object], str]] = {
    "a file of the wave": (written(LIMIT, "LIMIT = 11\n"), LIMIT),
    "a file of the wave that is gone": (lambda root: (root / LIMIT).unlink(), LIMIT),
    "a file of the wave that becomes a link": (linked, LIMIT),
    "a large file of the wave": (lambda root: (root / LIMIT).write_bytes(b"x" * (5 << 20)), LIMIT),
    "a new file beside the wave": (written("src/extra.py", "x = 1\n"), "src/extra.py"),
    "a tracked file beside the wave": (written(README, "# Other\n"), README),
    "a tracked file beside the wave that is gone": (lambda root: (root / README).unlink(), README),
    "a file that was handed in beside the wave": (written("tool.py", "x = 2\n"), "tool.py"),
}


def wave(folder: Path) -> str:
    """Make a run whose wave is handed in, with a file outside of the plan, and has passed its review."""
    state_dir = building(folder)
    written(LIMIT, "LIMIT = 10\n")(project(state_dir))
    written("tool.py", "x = 1\n")(project(state_dir))
    assert submit(state_dir, IMPL_CODE).status == 0
    reviewed(state_dir, IMPL_CODE, PASSED)
    return state_dir


@pytest.mark.parametrize("name", SAME)
def test_a_wave_passes_as_it_was_handed_in(tmp_path: Path, name: str) -> None:
    state_dir = wave(tmp_path)
    SAME[name](project(state_dir))
    assert leads(gate(state_dir, IMPL_CODE)) == "impl-docs-work"


@pytest.mark.parametrize("name", OTHER)
def test_a_wave_that_was_changed_after_its_hand_in_does_not_pass(tmp_path: Path, name: str) -> None:
    state_dir = wave(tmp_path)
    by, file = OTHER[name]
    by(project(state_dir))
    refusal = only(gate(state_dir, IMPL_CODE).out, Refusal)
    assert (refusal.code, file in refusal.message) == ("not-reviewed", True)
    assert not passes(state_dir, IMPL_CODE)
    assert submit(state_dir, IMPL_CODE).status == 0
    reviewed(state_dir, IMPL_CODE, PASSED)
    assert leads(gate(state_dir, IMPL_CODE)) == "impl-docs-work"


@pytest.mark.parametrize("name", SAME)
def test_a_fix_of_a_wave_that_changes_nothing_is_refused(tmp_path: Path, name: str) -> None:
    state_dir = building(tmp_path)
    written(LIMIT, "LIMIT = 10\n")(project(state_dir))
    submit(state_dir, IMPL_CODE)
    reviewed(state_dir, IMPL_CODE, FAILED)
    gate(state_dir, IMPL_CODE)
    SAME[name](project(state_dir))
    assert code(submit(state_dir, IMPL_CODE)) == "nothing-changed"
    written(LIMIT, "LIMIT = 11\n")(project(state_dir))
    assert submit(state_dir, IMPL_CODE).status == 0


def test_a_copy_that_is_gone_lets_nothing_pass_and_the_work_can_be_handed_in_again(tmp_path: Path) -> None:
    state_dir = wave(tmp_path)
    (folder,) = {path.parent for path in Path(state_dir, "kept").rglob("manifest")}
    (folder / "manifest").unlink()
    assert code(gate(state_dir, IMPL_CODE)) == "not-reviewed"
    assert submit(state_dir, IMPL_CODE).status == 0


def test_submission_without_a_digest_still_passes(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    submit(state_dir, PLAN_DESIGN)
    reviewed(state_dir, PLAN_DESIGN, PASSED)
    bare = tuple(evolve(each, digest=None) for each in RunState(state_dir).run.submissions)
    change(state_dir, lambda run: evolve(run, submissions=bare))
    assert leads(gate(state_dir, PLAN_DESIGN)) == "plan-code-work"


def test_a_role_still_needs_its_turn(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_CODE)
    assert console.plan(state_dir, "submit", "plan-design").refusal.code == "phase-passed"
    assert console.plan(state_dir, "submit", "plan-docs").refusal.code == "out-of-order"
    assert console.plan(state_dir, "submit", "impl-code").refusal.code == "out-of-order"
