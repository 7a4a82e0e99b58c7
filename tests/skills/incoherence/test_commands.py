"""Refusals of the commands on a run, each before anything is written."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import EntityResult, Operation, Refusal
from skills.incoherence import limits
from skills.incoherence.commands import examples
from skills.incoherence.commands.table import TABLE
from skills.incoherence.files import run_store
from skills.incoherence.pages.dimensions import read_dimensions
from skills.incoherence.record import Run, Verdict
from skills.incoherence.staging import begin
from skills.incoherence.standing import Standing
from tests.blocks import only
from tests.tables.found import Found, ask

TABLES = Found("skills.incoherence.commands.table", TABLE)
PAIR = {"fact": "x", "left": "a:1", "left_says": "x", "right": "b:1", "right_says": "y"}
CHOSEN = [
    {"dimension": "docs-code", "sources": [f"S{n}" for n in range(limits.MAX_SOURCES)]},
    {"dimension": "limits", "sources": ["S0"]},
]
SWEPT = {"dimension": "docs-code", "searched": "x", "found": []}
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
    ("format", ("sweep", "--swept-file", "-"), [{**SWEPT, "found": [PAIR] * 6}], (2, "")),
    ("format", ("sweep", "--swept-file", "-"), [{**SWEPT, "slips": [PAIR] * 9}], (2, "")),
    ("format", ("sweep", "--swept-file", "-"), [{**SWEPT, "slips": [{**PAIR, "right_says": "not run: x"}]}], (2, "")),
    ("format", ("sweep", "--swept-file", "-"), [{**SWEPT, "dimension": "doc-code"}], (1, "unknown-id")),
    ("format", ("sweep", "--swept-file", "-"), [SWEPT] * 2, (1, "not-now")),
    ("format", ("sweep", "--swept-file", "-"), [], (2, "")),
    ("format", ("select", "--choices-file", "-"), [], (1, "not-now")),
    ("select", ("sweep", "--swept-file", "-"), [SWEPT], (1, "not-now")),
    ("select", ("select", "--choices-file", "-"), [{"candidate": "C-001", "dive": True, "why": "x"}], (1, "not-now")),
    ("select", ("select", "--choices-file", "-"), [{"candidate": f"C-{n:03d}", "dive": True, "why": "x"} for n in range(1, 31)], (1, "not-now")),
    ("dig", ("report", "--evidence-file", "-"), [{"candidate": "C-030", "evidence": "dropped"}], (1, "not-now")),
    ("dig", ("report", "--evidence-file", "-"), [{"candidate": "C-001", "evidence": "x"}, {"candidate": "C-030", "evidence": "x"}], (1, "not-now")),
    ("dig", ("report", "--evidence-file", "-"), [{"candidate": "C-001", "evidence": "x" * 401}], (2, "")),
    ("dig", ("report", "--evidence-file", "-"), [{"candidate": "C-001", "evidence": "x"}] * 2, (1, "not-now")),
    ("dig", ("report", "--evidence-file", "-"), [], (2, "")),
    ("dig", ("judge", "--verdicts-file", "-"), [], (1, "not-now")),
    ("verdicts", ("judge", "--verdicts-file", "-"), [{"candidate": "C-001", "verdict": "wrong", "reason": "x"}], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [POSED] * 13, (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [POSED] * 2, (1, "not-now")),
    ("pose", ("pose", "--questions-file", "-"), [POSED, {**POSED, "candidates": ["C-002"]}], (1, "not-now")),
    ("pose", ("pose", "--questions-file", "-"), [POSED, {**POSED, "header": "Another"}], (1, "not-now")),
    ("pose", ("pose", "--questions-file", "-"), [{**POSED, "options": ["one"]}], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [{**POSED, "header": "more than twelve"}], (2, "")),
    ("pose", ("pose", "--questions-file", "-"), [{**POSED, "candidates": ["C-030"]}], (1, "not-now")),
    ("ask", ("pose", "--questions-file", "-"), [POSED], (1, "not-now")),
    ("ask", ("decide", "--decisions-file", "-"), [], (1, "not-now")),
    ("launch", ("decide", "--decisions-file", "-"), [{"question": "Q-001", "rule": "too late", "files": []}], (1, "not-now")),
    ("settle", ("judge", "--verdicts-file", "-"), [{"candidate": "C-001", "verdict": "coherent", "reason": "too late"}], (1, "not-now")),
    ("verdicts", ("correct", "C-099", "--change-file", "-"), {"old": "x", "new": "y"}, (1, "unknown-id")),
    ("verdicts", ("correct", "C-001", "--change-file", "-"), {"old": "nowhere", "new": "y"}, (1, "not-now")),
    ("verdicts", ("correct", "C-001", "--change-file", "-"), {"old": "What", "new": "y"}, (1, "not-now")),
    ("verdicts", ("correct", "C-001", "--change-file", "-"), {"old": "$OUTPUT", "new": "y" * 400}, (2, "")),
    ("settle", ("correct", "Q-001", "--change-file", "-"), {"old": "$OUTPUT", "new": "y"}, (1, "not-now")),
    ("next", ("correct", "T-001", "--change-file", "-"), {"old": "$OUTPUT", "new": "y"}, (1, "not-now")),
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
        ("format", ("sweep", "--swept-file", "-"), json.dumps([SWEPT])),
        ("dig", ("report", "--evidence-file", "-"), examples.EVIDENCE),
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


@pytest.mark.parametrize(
    ("step", "name", "read"),
    [
        ("verdicts", "C-001", lambda run: run.candidates[0].evidence),
        ("ask", "Q-001", lambda run: run.questions[0].text),
        ("collect", "T-001", lambda run: run.tasks[0].report),
    ],
)
def test_recorded_line_can_be_corrected(
    tmp_path: Path, step: str, name: str, read: Callable[[Run], str | None]
) -> None:
    begin(step, str(tmp_path))
    change = json.dumps({"old": "$OUTPUT", "new": "413"})
    assert did(tmp_path, ("correct", name, "--change-file", "-"), change) is Operation.UPDATED
    text = read(run_store(str(tmp_path)).load())
    assert text is not None
    assert "`places` and 413 x" in text


def test_verdict_can_change_until_a_question_is_about_it(tmp_path: Path) -> None:
    begin("pose", str(tmp_path))
    given = json.dumps([{"candidate": "C-001", "verdict": "coherent", "reason": "staff alone"}])
    assert did(tmp_path, ("judge", "--verdicts-file", "-"), given) is Operation.UPDATED
    run = run_store(str(tmp_path)).load()
    assert [each.id for each in run.candidates if each.verdict is Verdict.COHERENT] == ["C-001"]


def test_rule_can_change_until_tasks_are_planned(tmp_path: Path) -> None:
    begin("plan", str(tmp_path))
    given = json.dumps([{"question": "Q-001", "rule": "5 MB", "files": ["a.md"]}])
    assert did(tmp_path, ("decide", "--decisions-file", "-"), given) is Operation.UPDATED
    assert run_store(str(tmp_path)).load().questions[0].rule == "5 MB"


def test_candidate_that_its_sweep_put_last_can_be_selected(tmp_path: Path) -> None:
    begin("dimensions", str(tmp_path))
    did(tmp_path, ("choose", "--sweeps-file", "-"), json.dumps(CHOSEN))
    swept = [{**SWEPT, "found": [PAIR], "more": [PAIR]}, {**SWEPT, "dimension": "limits"}]
    did(tmp_path, ("sweep", "--swept-file", "-"), json.dumps(swept))
    given = json.dumps([{"candidate": each, "dive": True, "why": "x"} for each in ("C-001", "C-002")])
    assert did(tmp_path, ("select", "--choices-file", "-"), given) is Operation.UPDATED
    assert len(run_store(str(tmp_path)).load().to_dive()) == 2


def slipped(folder: Path, pairs: int, words: str = "src/forms.py") -> Run:
    """Begin a run whose only candidates are slips, and pose them."""
    begin("dimensions", str(folder))
    did(folder, ("choose", "--sweeps-file", "-"), json.dumps(CHOSEN))
    slip = {**PAIR, "left_says": words, "right_says": words}
    swept = [{**SWEPT, "slips": [slip] * pairs}, {**SWEPT, "dimension": "limits", "slips": [slip] * pairs}]
    did(folder, ("sweep", "--swept-file", "-"), json.dumps(swept))
    did(folder, ("pose", "--questions-file", "-"), "[]")
    return run_store(str(folder)).load()


def test_slips_are_confirmed_by_one_question(tmp_path: Path) -> None:
    run = slipped(tmp_path, 2)
    (asked,) = run.questions
    assert asked.candidates == ("C-001", "C-002", "C-003", "C-004")
    assert [f"{n}) a:1" in asked.text for n in (1, 2, 3, 4, 5)] == [True] * 4 + [False]
    assert run.to_pose() == ()


def test_slips_that_do_not_fit_one_question_get_another(tmp_path: Path) -> None:
    run = slipped(tmp_path, limits.MAX_SLIPS, "x" * limits.MAX_LINE)
    assert len(run.questions) > 1
    assert len({each.header for each in run.questions}) == len(run.questions)
    assert sorted(name for each in run.questions for name in each.candidates) == [each.id for each in run.candidates]
    assert max(len(each.text) for each in run.questions) <= limits.MAX_ASKED


def test_entries_are_shown_together_without_empty_fields(tmp_path: Path) -> None:
    begin("select", str(tmp_path))
    shown = ask(TABLES, ["--state-dir", str(tmp_path), "show", "C-001,docs-docs,S0"])
    entries = [json.loads(line) for line in shown.printed.strip().split("\n")]
    assert [each.get("id", each.get("dimension")) for each in entries] == ["C-001", "docs-docs", "S0"]
    assert "verdict" not in entries[0]
