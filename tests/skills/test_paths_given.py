"""A path is refused, or normalized, by every entry of every skill."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.testing.inprocess import run_module
from lib.workflow.testing.process import Ran
from skills.incoherence.commands import examples
from skills.incoherence.commands.table import TABLE
from skills.incoherence.files import run_store
from skills.incoherence.staging import begin
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import PLAN
from tests.tables.found import Found, ask

Give = Callable[[Path, str], tuple[int, str]]
"""A function that gives a path to one entry, and returns the exit status and the message."""
EVIL = [
    *("/etc/passwd", " /etc/passwd", "../x", " ../x", "a/../../x", ".git/config", " .git/config", ".GIT/x", "a/.git/x"),
    *("C:/x", "a\\b", "~/x", " a.py", "a.py ", "src/ a.py", "src /a.py", "a\u200b.py", "a\u202e.py", "a\nb", "", " "),
]


def flag(*words: str) -> Give:
    """Give the path by a flag of the plan's commands; it replaces X."""

    def give(folder: Path, path: str) -> tuple[int, str]:
        ran = console.plan(folder, *(word.replace("X", path) for word in words))
        return ran.status, ran.out + ran.err

    return give


def batch(**request: object) -> Give:
    def give(folder: Path, path: str) -> tuple[int, str]:
        text = json.dumps(request).replace('"X', json.dumps(path)[:-1])
        ran = console.plan(folder, "batch", given=f"[{text}]")
        return ran.status, ran.out + ran.err

    return give


def document(step: str, *words: str, given: Callable[[str], object]) -> Give:
    """Give the path in a JSON document of incoherence's commands."""

    def give(folder: Path, path: str) -> tuple[int, str]:
        place = folder / "sought"
        place.mkdir()
        begin(step, str(place))
        ran = ask(
            Found("skills.incoherence.commands.table", TABLE),
            ["--state-dir", str(place), *words],
            json.dumps(given(path)),
        )
        return ran.status, ran.printed + ran.said

    return give


def found(left: str, right: str = "README.md:1") -> object:
    pair = {"fact": "x", "left": left, "left_says": "x", "right": right, "right_says": "y"}
    return [{"dimension": "docs-code", "searched": "x", "found": [pair]}]


def survey(path: str) -> object:
    return {
        **json.loads(examples.SURVEY),
        "sources": [{"id": "S1", "kind": "code", "path": path}, {"id": "S2", "kind": "code", "path": "b"}],
    }


ENTRIES: dict[str, Give] = {
    "a file of a milestone": flag("set-milestone", "--name", "x", "--file", "X"),
    "one of several": flag("set-milestone", "--name", "x", "--file", "a.py", "--file", "X"),
    "a test of a milestone": flag("set-milestone", "--name", "x", "--test", "file:X"),
    "an intent": flag("set-intent", "--milestone", "M-001", "--behavior", "x", "--file", "X"),
    "a change": flag("set-change", "--intent-ref", "CI-M-001-001", "--diff", "x", "--file", "X"),
    "the place of a risk": flag("set-risk", "--risk", "x", "--mitigation", "y", "--anchor", "X:L1"),
    "a list in a batch": batch(command="set-milestone", name="x", files=["X"]),
    "a text in a batch": batch(command="set-intent", milestone="M-001", behavior="x", file="X"),
    "a source of a search": document("survey", "survey", "--survey-file", "-", given=survey),
    "a place that was found": document("format", "sweep", "--swept-file", "-", given=lambda path: found(f"{path}:1")),
    "the other place": document("format", "sweep", "--swept-file", "-", given=lambda path: found("a:1", f"{path}:1")),
    "a file of a rule": document("settle", "decide", "--decisions-file", "-", given=lambda path: [{"question": "Q-001", "rule": "x", "files": [path]}]),
    "a file of a task": document("plan", "plan", "--tasks-file", "-", given=lambda path: [{"wave": 1, "questions": ["Q-001"], "files": [path]}]),
}  # fmt: skip


@pytest.mark.parametrize("path", EVIL)
@pytest.mark.parametrize("entry", ENTRIES)
def test_path_that_leaves_the_project_or_imitates_another_is_refused(entry: str, path: str, tmp_path: Path) -> None:
    plan_store(str(tmp_path)).create(PLAN)
    status, said = ENTRIES[entry](tmp_path, path)
    assert status in (1, 2), said
    assert "internal" not in said
    assert plan_store(str(tmp_path)).load() == PLAN
    sought = run_store(str(tmp_path / "sought")).find() if (tmp_path / "sought").exists() else None
    assert sought is None or path.strip() not in {file for each in sought.questions for file in each.files} - {""}


def test_two_spellings_of_a_file_are_one(tmp_path: Path) -> None:
    plan_store(str(tmp_path)).create(PLAN)
    ran = console.plan(tmp_path, "set-milestone", "--name", "x", "--file", "./src//a.py", "--file", "src/a.py")
    assert ran.status == 0
    assert plan_store(str(tmp_path)).load().milestones[-1].files == ("src/a.py",)
    place = tmp_path / "sought"
    place.mkdir()
    begin("plan", str(place))
    (file,) = run_store(str(place)).load().questions[0].files[:1]
    questions = [each.id for each in run_store(str(place)).load().questions if file in each.files]
    tasks = [{"wave": 1, "questions": questions[:1], "files": [spelled]} for spelled in (file, f"./{file}")]
    ran_again = ask(Found("skills.incoherence.commands.table", TABLE), ["--state-dir", str(place), "plan", "--tasks-file", "-"], json.dumps(tasks))  # fmt: skip
    assert ran_again.status == 1
    assert file in ran_again.printed


def by_step(folder: str) -> Ran:
    return run_module("skills.doc_sync.sync", ("--step", "1", "--scope", folder))


def by_state(folder: str) -> Ran:
    return run_module("skills.planner.cli.plan", ("--state-dir", folder, "get"))


def by_refactoring(folder: str) -> Ran:
    return run_module("skills.refactor.refactor", ("--step", "1", "--scope", folder))


@pytest.mark.parametrize("use", [by_step, by_state, by_refactoring], ids=lambda use: use.__name__)
@pytest.mark.parametrize("folder", [" /etc", "x ", " ", "", "a\nb", "\u2003x"])
def test_a_folder_that_begins_or_ends_with_a_blank_is_wrong_usage(
    use: Callable[[str], Ran], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert use(folder).status == 2
    assert os.listdir(tmp_path) == []
