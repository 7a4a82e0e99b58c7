"""Refusals of the commands on a run, each before anything is written."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import EntityResult, Operation, Refusal
from skills.incoherence import limits
from skills.incoherence.commands import examples
from skills.incoherence.commands.table import TABLE
from skills.incoherence.dimensions import read_dimensions
from skills.incoherence.files import run_store
from skills.incoherence.record import Run
from skills.incoherence.staging import begin
from skills.incoherence.standing import Standing
from tests.blocks import only
from tests.tables.found import Found, ask

TABLES = Found("skills.incoherence.commands.table", TABLE)
PAIR = {"fact": "x", "left": "a:1", "left_says": "x", "right": "b:1", "right_says": "y"}
POSED = json.loads(examples.QUESTIONS)[0]


def refused(folder: Path, words: tuple[str, ...], given: object) -> tuple[int, str]:
    """Return status and code of a command, which must change nothing."""
    before = run_store(str(folder)).find()
    answer = ask(TABLES, ["--state-dir", str(folder), *words], given if isinstance(given, str) else json.dumps(given))
    assert run_store(str(folder)).find() == before
    if answer.status != 1:
        return answer.status, ""
    block = only(answer.printed, Refusal)
    return answer.status, block.code


ROWS: list[tuple[str, tuple[str, ...], object, tuple[int, str]]] = [
    ("dimensions", ("choose", "--sweeps-file", "-"), [{"dimension": "docs-code", "sources": ["S0"]}], (2, "")),
    ("dimensions", ("choose", "--sweeps-file", "-"), [{"dimension": "docs-cod", "sources": ["S0"]}] * 2, (2, "")),
    ("dimensions", ("choose", "--sweeps-file", "-"), json.loads(examples.SWEEPS), (1, "not-now")),
    ("format", ("close-sweep", "docs-code", "--swept-file", "-"), {"searched": "x", "found": [PAIR] * 6}, (2, "")),
    ("format", ("close-sweep", "doc-code", "--swept-file", "-"), {"searched": "x", "found": []}, (1, "unknown-id")),
    ("format", ("select", "--choices-file", "-"), [], (1, "not-now")),
    ("select", ("close-sweep", "docs-code", "--swept-file", "-"), {"searched": "x", "found": []}, (1, "not-now")),
    ("select", ("select", "--choices-file", "-"), [{"candidate": "C-001", "dive": True, "why": "x"}], (1, "not-now")),
    ("select", ("select", "--choices-file", "-"), [{"candidate": f"C-{n:03d}", "dive": True, "why": "x"} for n in range(1, 31)], (1, "not-now")),
    ("dig", ("report", "C-030", "--evidence-file", "-"), "dropped", (1, "not-now")),
    ("dig", ("report", "C-001", "--evidence-file", "-"), "x" * 401, (2, "")),
    ("dig", ("judge", "--verdicts-file", "-"), [], (1, "not-now")),
    ("verdicts", ("judge", "--verdicts-file", "-"), [{"candidate": "C-001", "verdict": "wrong", "reason": "x"}], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [POSED] * 4, (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [POSED] * 2, (1, "not-now")),
    ("pose", ("pose", "--questions-file", "-"), [{**POSED, "options": ["one"]}], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [{**POSED, "header": "more than twelve"}], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [{**POSED, "candidates": ["C-030"]}], (1, "not-now")),
    ("ask", ("pose", "--questions-file", "-"), [POSED], (1, "not-now")),
    ("ask", ("decide", "--decisions-file", "-"), [], (1, "not-now")),
    ("plan", ("answer", "Q-001", "--words-file", "-"), "too late", (1, "not-now")),
    ("plan", ("plan", "--tasks-file", "-"), [{"wave": 2, "questions": ["Q-001"], "files": ["a"]}], (1, "not-now")),
    ("plan", ("plan", "--tasks-file", "-"), [{"wave": 1, "questions": ["Q-001"], "files": ["no rule's"]}], (1, "not-now")),
    ("plan", ("plan", "--tasks-file", "-"), [{"wave": 1, "questions": ["Q-001"], "files": ["a"]}] * 2, (1, "not-now")),
    ("launch", ("check", "--checks-file", "-"), [], (1, "not-now")),
    ("collect", ("deliver", "T-001", "--outcome", "done", "--said-file", "-"), "twice", (1, "not-now")),
    ("collect", ("plan", "--tasks-file", "-"), [{"wave": 1, "questions": ["Q-001"], "files": ["a"]}], (1, "not-now")),
]  # fmt: skip


@pytest.mark.parametrize(("step", "words", "given", "expected"), ROWS, ids=[f"{r[0]} {r[1][0]}" for r in ROWS])
def test_input_that_does_not_fit_the_run_is_refused(
    tmp_path: Path, step: str, words: tuple[str, ...], given: object, expected: tuple[int, str]
) -> None:
    begin(step, str(tmp_path))
    assert refused(tmp_path, words, given) == expected


@pytest.mark.parametrize("depth", list(limits.Depth))
def test_the_depth_of_the_survey_limits_dimensions_and_candidates(tmp_path: Path, depth: limits.Depth) -> None:
    def of_depth(run: Run) -> tuple[Run, Run]:
        return (after := evolve(run, depth=depth)), after

    for step, words, most in (
        ("dimensions", ("choose", "--sweeps-file", "-"), depth.sweeps),
        ("select", ("select", "--choices-file", "-"), depth.dives),
    ):
        folder = tmp_path / step
        folder.mkdir()
        begin(step, str(folder))
        run = run_store(str(folder)).change(of_depth)
        for given, accepted in ((most + 1, False), (most, True)):
            sweeps = [{"dimension": each.id, "sources": [s.id for s in run.sources]} for each in read_dimensions()]
            choices = [
                {"candidate": each.id, "dive": n < given, "why": "x"} for n, each in enumerate(run.of(Standing.FOUND))
            ]
            document = json.dumps(sweeps[:given] if step == "dimensions" else choices)
            answer = ask(TABLES, ["--state-dir", str(folder), *words], document)
            assert (answer.status == 0) is accepted, step


def did(folder: Path, words: tuple[str, ...], given: str) -> Operation:
    answer = ask(TABLES, ["--state-dir", str(folder), *words], given)
    block = only(answer.printed, EntityResult)
    return block.operation


@pytest.mark.parametrize(
    ("step", "words", "given"),
    [
        ("survey", ("survey", "--survey-file", "-"), examples.SURVEY),
        ("format", ("close-sweep", "docs-code", "--swept-file", "-"), examples.SWEPT),
        ("dig", ("report", "C-001", "--evidence-file", "-"), examples.EVIDENCE),
        ("ask", ("answer", "Q-001", "--words-file", "-"), examples.WORDS),
        ("apply", ("deliver", "T-001", "--outcome", "blocked", "--said-file", "-"), "a test fails"),
    ],
)
def test_the_same_once_more_changes_nothing(tmp_path: Path, step: str, words: tuple[str, ...], given: str) -> None:
    begin(step, str(tmp_path))
    assert did(tmp_path, words, given) in (Operation.CREATED, Operation.UPDATED)
    before = run_store(str(tmp_path)).load()
    assert did(tmp_path, words, given) is Operation.UNCHANGED
    assert run_store(str(tmp_path)).load() == before


@pytest.mark.parametrize("there", [False, True])
def test_git_ignores_only_folders_that_the_run_created(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "new" / "run"
    if there:
        folder.mkdir(parents=True)
    assert did(folder, ("survey", "--survey-file", "-"), examples.SURVEY) is Operation.CREATED
    assert (folder / ".gitignore").exists() is not there


def test_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    words = ["--state-dir", str(tmp_path / "file" / "run"), "survey", "--survey-file", "-"]
    block = only(ask(TABLES, words, examples.SURVEY).printed, Refusal)
    assert block.code == "unwritable-state"


def test_second_run_in_a_used_folder_is_refused(tmp_path: Path) -> None:
    begin("dimensions", str(tmp_path))
    assert refused(tmp_path, ("survey", "--survey-file", "-"), examples.SURVEY) == (1, "state-exists")


def test_no_agent_answers_for_the_user(tmp_path: Path) -> None:
    begin("ask", str(tmp_path))
    words = ("--role", "general-purpose", "answer", "Q-001", "--words-file", "-")
    assert refused(tmp_path, words, "4 MiB") == (1, "wrong-role")


def test_task_whose_check_fails_twice_has_failed(tmp_path: Path) -> None:
    for _ in range(limits.MAX_TRIES):
        begin("collect", str(tmp_path)) if not run_store(str(tmp_path)).find() else deliver(tmp_path)
        waiting = run_store(str(tmp_path)).load().tasks
        checks = [{"task": each.id, "good": False, "why": "README.md:60"} for each in waiting]
        assert did(tmp_path, ("check", "--checks-file", "-"), json.dumps(checks)) is Operation.UPDATED
    run: Run = run_store(str(tmp_path)).load()
    assert {each.progress for each in run.tasks} == {"failed"}
    assert run.wave() is None


def deliver(folder: Path) -> None:
    for task in run_store(str(folder)).load().tasks:
        did(folder, ("deliver", task.id, "--outcome", "done", "--said-file", "-"), "again")
