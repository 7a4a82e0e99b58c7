"""A run starts once; its context is written, checked and frozen."""

import json
import os
import re
from pathlib import Path

import pytest

from lib.workflow.ast.results import Operation
from lib.workflow.codec import codec
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from skills.planner.schema.context import ContextField
from skills.planner.schema.plan.document import Plan
from skills.planner.state.files import context_store, digest_of, plan_store, run_store
from tests.skills.planner import console
from tests.skills.planner.plans import PLAN

READY = {
    "task_spec": ("Sign tokens", "out-of-scope: rate limits"),
    "constraints": ("none",),
    "entry_points": ("src/auth.py:login",),
}


def write(state: str, **fields: tuple[str, ...]) -> None:
    for field, entries in fields.items():
        words = [word for entry in entries for word in ("--entry", entry)]
        assert console.plan(state, "set-context", field, *words).status == 0


def test_the_same_task_again_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    words = ("init", "--task", "Sign tokens", "--project-root", str(tmp_path))
    assert console.plan(folder, *words).result.operation is Operation.CREATED
    plan_store(str(folder)).change(lambda _: (PLAN, None))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert console.plan(folder, *words).result.operation is Operation.UNCHANGED
    assert console.plan(folder, *words[:3]).result.operation is Operation.UNCHANGED
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("words", [("--task", "Another"), ("--task", "Sign tokens", "--project-root", "/")])
def test_second_run_does_not_take_over_the_folder(state: str, words: tuple[str, ...]) -> None:
    assert console.plan(state, "init", *words).refusal.code == "state-exists"
    assert plan_store(state).load() == PLAN


@pytest.mark.parametrize("folder", [".git", ".claude", ".agents", ".codex"])
def test_run_in_a_folder_that_agents_cannot_write_is_refused(tmp_path: Path, folder: str) -> None:
    assert console.plan(tmp_path / folder / "run", "init", "--task", "x").refusal.code == "invalid-value"
    assert list(tmp_path.iterdir()) == []


def test_project_is_the_working_directory_unless_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    console.plan("run", "init", "--task", "x")
    assert run_store(str(tmp_path / "run")).load().project_root == os.getcwd()
    assert console.plan("other", "init", "--task", "x", "--project-root", "nowhere").refusal.code == "invalid-value"


@pytest.mark.parametrize(
    "words", [("list",), ("set-wave", "--milestone", "M-001"), ("set-context", "task_spec", "--entry", "x")]
)
def test_command_in_a_folder_without_a_run_is_refused_and_writes_nothing(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        ran = console.plan(folder, *words)
        assert ran.refusal.code == "missing-state"
        assert "--state-dir" in ran.refusal.fix
    assert list(tmp_path.iterdir()) == []


def test_refusal_without_a_run_names_the_command_that_starts_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (begin,) = re.findall("`(.*)`", console.plan(tmp_path / "none", "list").refusal.fix)
    assert run_here(Command.read(begin.replace("…", "'Sign tokens'"))).status == 0


def test_context_file_holds_all_nine_fields(state: str) -> None:
    for number, field in enumerate(ContextField):
        write(state, **{field: (f"entry {number}", "with, a comma\nand a line")})
    found = json.loads(Path(state, "context.json").read_bytes())
    assert list(found) == list(ContextField)
    assert len(found) == 9
    assert found["user_quotes"] == ["entry 7", "with, a comma\nand a line"]


def test_context_field_can_be_emptied(state: str) -> None:
    write(state, assumptions=("x",))
    assert console.plan(state, "set-context", "assumptions").status == 2
    assert console.plan(state, "set-context", "assumptions", "--no-entry").status == 0
    assert context_store(state).load().assumptions == ()


LACKING: dict[str, dict[str, tuple[str, ...]]] = {
    "no goal": {"task_spec": ("out-of-scope: x",)},
    "a goal of two lines": {"task_spec": ("a\nb", "out-of-scope: x")},
    "a goal that is not a sentence": {"task_spec": ("x" * 301, "out-of-scope: x")},
    "nothing out of scope": {"task_spec": ("Sign tokens", "out-of-scope: ")},
    "no constraint": {"constraints": ()},
    "no place to start": {"entry_points": ()},
}


@pytest.mark.parametrize("name", LACKING)
def test_a_context_that_says_too_little_is_not_frozen(state: str, name: str) -> None:
    write(state, **{field: entries for field, entries in {**READY, **LACKING[name]}.items() if entries})
    assert console.plan(state, "freeze-context").refusal.code == "incomplete-context"
    assert run_store(state).load().context_digest is None


def test_a_frozen_context_stays_as_it_is_and_freezing_again_answers_the_same(state: str) -> None:
    write(state, **READY)
    first = console.plan(state, "freeze-context")
    assert first.status == 0
    assert console.plan(state, "freeze-context") == first
    assert console.plan(state, "set-context", "task_spec", "--entry", "x").refusal.code == "frozen"
    assert run_store(state).load().context_digest == digest_of(context_store(state).load())


def test_refused_field_creates_no_context(state: str) -> None:
    write(state, **READY)
    assert console.plan(state, "freeze-context").status == 0
    context_store(state).remove()
    assert console.plan(state, "set-context", "task_spec", "--entry", "x").refusal.code == "frozen"
    assert context_store(state).find() is None


def test_context_edited_by_hand_after_freezing_is_refused(state: str) -> None:
    write(state, **READY)
    console.plan(state, "freeze-context")
    path = Path(state, "context.json")
    path.write_text(path.read_text(encoding="utf-8").replace("Sign", "Forge"), encoding="utf-8")
    assert console.plan(state, "freeze-context").refusal.code == "other-context"


def test_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = console.plan(tmp_path / "file" / "run", "init", "--task", "x")
    assert (ran.status, ran.refusal.code) == (1, "unwritable-state")


def test_the_plan_of_a_new_run_is_what_its_codec_writes(tmp_path: Path) -> None:
    console.plan(tmp_path / "run", "init", "--task", "Sign tokens")
    assert (tmp_path / "run" / "plan.json").read_text() == codec(Plan).dumps(Plan()) + "\n"
