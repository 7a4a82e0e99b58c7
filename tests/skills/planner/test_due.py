"""The next step is computed from the state alone; any other is refused with the right one."""

import json
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Element
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Complete, Invoke, InvokeAfter
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from skills.planner.next_step import INIT, STEPS, Block, due
from skills.planner.session import lines
from skills.planner.staging import ITEMS
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner.runs import WORKFLOW, aborted, change, planner, staged

FORWARDED = {
    (due, asked)
    for due in STEPS[2:]
    for asked in STEPS[2:]
    if (due.endswith(Block.VERIFY) and STEPS.index(due) == STEPS.index(asked) + 1)
    or (due.endswith(Block.WORK) and STEPS.index(due) == STEPS.index(asked) + 4)
}
"""Pairs that forward: a divided review is verified, and passed work is followed by the next phase's."""
OUT_OF_ORDER = [
    (step, asked)
    for step in STEPS[2:]
    for asked in STEPS[2:]
    if asked != step and not asked.endswith(Block.ROUTE) and (step, asked) not in FORWARDED
]
"""Steps without gates, which can be asked as long as their review exists."""


def test_first_step_without_a_task_is_wrong_usage() -> None:
    ran = run_here(Command("skills.planner.orchestrator.planner", ("--step", "1")))
    assert (ran.status, ran.out) == (2, "")
    assert ran.errors.startswith("--task ")


def test_the_fourteen_steps_are_those_of_the_workflow() -> None:
    assert list(WORKFLOW.steps) == list(STEPS)
    assert len(STEPS) == 14


@pytest.mark.parametrize("step", STEPS[2:])  # the second also asks for the depth, of a frozen context
def test_next_step_follows_from_the_state(step: str, tmp_path: Path) -> None:
    assert due(RunState(staged(tmp_path, step))).step == step


@pytest.mark.parametrize(("step", "asked"), OUT_OF_ORDER)
def test_any_other_step_is_refused_with_the_next_command(step: str, asked: str, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, step)
    ran = planner(asked, state_dir)
    assert ran.status == 1
    refusal = only(ran.out, Refusal)
    assert refusal.invoke is not None
    assert refusal.invoke.command.words[:2] == ("--step", str(STEPS.index(step) + 1))
    assert run_here(refusal.invoke.command).status in (0, 3)


@pytest.mark.parametrize(("step", "asked"), sorted(FORWARDED))
def test_step_with_nothing_to_do_prints_the_page_of_the_next_one(step: str, asked: str, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, step)
    assert planner(asked, state_dir).out == planner(step, state_dir).out


def test_resume_prints_the_next_command(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-code-work")
    data = parse(run_here(Command("skills.planner.resume", ("--state-dir", state_dir))).out)
    (command,) = [node.command for node in walk(data) if isinstance(node, Invoke)]
    assert command.words == ("--step", "7", "--state-dir", state_dir)


def test_resume_finds_the_projects_newest_unfinished_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for task in ("first", "second"):
        assert run_here(Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", task))).status == 0
    data = parse(run_here(Command("skills.planner.resume")).out)
    assert [node.children for node in walk(data) if isinstance(node, Element) and node.tag == "task"]
    runs = (tmp_path / ".stepscript" / "runs").iterdir()
    (second,) = [path for path in runs if RunState(str(path)).run.task == "second"]
    assert str(second) in str(data)
    change(str(second), aborted)
    assert "first" in str(parse(run_here(Command("skills.planner.resume")).out))


def test_temporary_files_in_a_run_do_not_hide_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".stepscript").mkdir()
    assert run_here(Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", "x"))).status == 0
    (run,) = (tmp_path / ".stepscript" / "runs").iterdir()
    (run / ".run.json.1-00.tmp").symlink_to(run / "gone")
    assert str(run) in run_here(Command("skills.planner.resume")).out
    assert str(run) in lines(str(tmp_path))[1]


def test_resume_without_a_run_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_here(Command("skills.planner.resume"))
    refusal = only(ran.out, Refusal)
    assert (ran.status, refusal.code) == (1, "no-run")


def test_resume_of_a_finished_run_prints_complete(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-code-work")
    change(state_dir, aborted)
    data = parse(run_here(Command("skills.planner.resume", ("--state-dir", state_dir))).out)
    assert isinstance(data.blocks[-1], Complete)


def test_same_task_resumes_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    once, again = (
        run_here(Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", "x"))) for _ in "12"
    )
    assert once == again
    assert (tmp_path / ".stepscript" / ".gitignore").read_text() == "*\n"
    assert len(list((tmp_path / ".stepscript" / "runs").iterdir())) == 1


@pytest.mark.parametrize("words", [(), ("--task", "other")])
def test_a_folder_that_holds_no_such_run_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    state_dir = staged(tmp_path, INIT) if words else str(tmp_path / "none")
    ran = run_here(Command("skills.planner.orchestrator.planner", ("--step", "1", "--state-dir", state_dir, *words)))
    assert ran.status == 1
    assert isinstance(parse(ran.out).blocks[0], Refusal)


def test_a_step_without_a_state_directory_is_wrong_usage() -> None:
    ran = run_here(Command("skills.planner.orchestrator.planner", ("--step", "3")))
    assert (ran.status, ran.out) == (2, "")
    assert "--state-dir" in ran.errors


def test_status_says_where_a_run_is_as_block_and_as_json(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-docs-qr-route")
    block = only(run_here(Command("skills.planner.status", ("--state-dir", state_dir))).out, Element)
    data = json.loads(run_here(Command("skills.planner.status", ("--state-dir", state_dir, "--json"))).out)
    assert (data["phase"], data["round"], data["failed"], data["waits_for_user"]) == ("plan-docs", 5, ITEMS, True)
    assert dict(block.attributes)["phase"] == "plan-docs"
    assert data["phases_passed"] == ["plan-design", "plan-code"]


def test_page_of_a_run_ends_with_the_next_command(tmp_path: Path) -> None:
    ran = planner("plan-design-work", staged(tmp_path, "plan-design-work"))
    assert isinstance(parse(ran.out).blocks[-1], InvokeAfter)
