"""Lists on the pages: columns that a bar in a text does not shift, and texts that an agent gets once."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.codec import codec
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.testing.inprocess import run_here
from skills.incoherence import limits
from skills.incoherence.due import MODULE, STEPS
from skills.incoherence.files import run_store
from skills.incoherence.pages import facts
from skills.incoherence.pages.facts import Entries
from skills.incoherence.pages.rows import BEYOND
from skills.incoherence.record import Question, Run, Task
from skills.incoherence.staging import begin
from skills.incoherence.standing import Standing
from skills.incoherence.workflow import WORKFLOW

AGENTS = {
    "sweep": {"dimensions": "docs-code,docs-docs"},
    "dig": {"candidates": "C-001,C-002"},
    "apply": {"task": "T-001"},
}
LISTS: list[tuple[str, Callable[[StepContext], Entries]]] = [
    ("sweep", facts.sources),
    ("select", facts.candidates),
    ("dig", facts.examined),
    ("verdicts", facts.evidence),
    ("pose", facts.unasked),
    ("settle", facts.answers),
    ("apply", facts.task),
    ("collect", facts.delivered),
    ("close", facts.unseen),
]


def bars(value: object) -> object:
    """Return the document with a bar for each `x` of its long texts."""
    if isinstance(value, dict):
        return {key: bars(each) for key, each in value.items()}
    if isinstance(value, list):
        return [bars(each) for each in value]
    return value.replace("x", "|") if isinstance(value, str) and len(value) > 20 else value


@pytest.mark.parametrize(("step", "listed"), LISTS, ids=lambda value: getattr(value, "__name__", value))
def test_a_bar_in_a_text_does_not_shift_the_columns(
    step: str, listed: Callable[[StepContext], Entries], tmp_path: Path
) -> None:
    begin(step, str(tmp_path))
    context = WORKFLOW.context(step, {"state_dir": str(tmp_path), **AGENTS.get(step, {})})

    def columns() -> list[int]:
        rows = [row for _, text in listed(context) for row in text.split("\n") if not row.startswith(" ")]
        return [row.replace("\\|", "").count("|") for row in rows]

    before = columns()
    store = run_store(str(tmp_path))
    store.change(lambda run: (codec(Run).loads(json.dumps(bars(json.loads(codec(Run).dumps(run))))), None))
    assert before
    assert columns() == before


def page(folder: Path, step: str, **given: str) -> str:
    return run_here(Command(MODULE, flags({"step": STEPS.index(step) + 1, "state_dir": str(folder), **given}))).out


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Return the folder of a run with a batch of three questions."""
    begin("ask", str(tmp_path))

    def three(run: Run) -> tuple[Run, None]:
        first = run.questions[0]
        return evolve(run, questions=tuple(_of(first, n) for n in (1, 2, 3))), None

    run_store(str(tmp_path)).change(three)
    return tmp_path


def _of(question: Question, number: int) -> Question:
    candidate = question.candidates[number]
    return evolve(
        question,
        id=f"Q-00{number}",
        header=f"Header {number}",
        candidates=(candidate,),
        text=f"Question {number}?",
        options=("a", "b"),
    )


def answered(folder: Path, answers: dict[str, int | str]) -> str:
    command = Command(MODULE, flags({"step": STEPS.index("ask") + 1, "state_dir": str(folder), "answers_file": "-"}))
    return run_here(command, json.dumps(answers)).out


def test_questions_of_a_batch_are_on_one_page_and_their_method_on_the_first(asked: Path) -> None:
    first = page(asked, "ask")
    second = answered(asked, {"Header 1": 1, "Header 3": "as before, but for guests"})
    third = answered(asked, {"Header 2": 2})
    assert [[f"Question {n}?" in each for n in (1, 2, 3)] for each in (first, second, third)] == [
        [True, True, True],
        [False, True, False],
        [False, False, False],
    ]
    assert ["\n1. " in each for each in (first, second)] == [True, False]
    run = run_store(str(asked)).load()
    assert [each.answer for each in run.questions] == ["a", "b", "as before, but for guests"]


def test_answer_changes_until_a_rule_is_recorded(asked: Path) -> None:
    answered(asked, {"Header 1": 1, "Header 2": 1, "Header 3": 1})
    answered(asked, {"Header 2": 2})
    store = run_store(str(asked))
    assert [each.answer for each in store.load().questions] == ["a", "b", "a"]
    store.change(lambda run: (evolve(run, questions=tuple(evolve(q, rule="r") for q in run.questions)), None))
    assert "out-of-order" in answered(asked, {"Header 2": 1})
    assert [each.answer for each in store.load().questions] == ["a", "b", "a"]


@pytest.mark.parametrize("answers", [{"Header 4": 1}, {"Header 1": 3}, {"Header 1": "x" * (limits.MAX_TEXT + 1)}])
def test_answer_that_fits_no_question_changes_nothing(asked: Path, answers: dict[str, int | str]) -> None:
    before = run_store(str(asked)).load()
    assert answered(asked, answers) == ""
    assert run_store(str(asked)).load() == before


def test_list_that_is_too_long_ends_in_one_command_for_the_rest(tmp_path: Path) -> None:
    begin("verdicts", str(tmp_path))
    run = run_store(str(tmp_path)).load()
    printed = page(tmp_path, "verdicts")
    on_page = [each.id for each in run.to_judge() if f"    {each.id} | " in printed]
    rest = [each.id for each in run.to_judge() if each.id not in on_page]
    assert on_page
    assert rest
    assert f"show {','.join(rest)}" in printed
    shown = run_here(Command("skills.incoherence.state", ("--state-dir", str(tmp_path), "show", ",".join(rest))))
    assert shown.out.count("evidence") == len(rest)


def test_report_names_what_was_not_looked_into(tmp_path: Path) -> None:
    begin("close", str(tmp_path))
    store = run_store(str(tmp_path))

    def put_last(run: Run) -> tuple[Run, None]:
        *others, last = run.candidates
        return evolve(run, candidates=(*others, evolve(last, why=BEYOND))), None

    store.change(put_last)
    dropped = [each for each in store.load().candidates if each.standing is Standing.DROPPED]
    printed = page(tmp_path, "close")
    assert f"{dropped[-1].id} | " in printed
    assert f"{', '.join(each.id for each in dropped[:-1])}: " in printed


def test_report_counts_what_became_of_the_contradictions(tmp_path: Path) -> None:
    begin("close", str(tmp_path))
    store = run_store(str(tmp_path))

    def some(run: Run) -> tuple[Run, None]:
        kept, failed, *others = run.questions
        changed = (evolve(kept, files=()), evolve(failed, files=(*failed.files, "other.md")), *others)
        return evolve(run, questions=changed), None

    store.change(some)
    counted = facts.counts(WORKFLOW.context("close", {"state_dir": str(tmp_path)}))
    every = len(store.load().contradictions())
    assert [int(number) for number in re.findall(r"\b\d+\b", counted)[:5]] == [every, 0, every - 2, 1, 1]
    assert counted.endswith("(C-002)")


def test_agent_that_fixes_a_slip_gets_the_words_of_both_places(tmp_path: Path) -> None:
    begin("apply", str(tmp_path))
    store = run_store(str(tmp_path))

    def slip(run: Run) -> tuple[Run, None]:
        first, second, *others = run.candidates
        found = evolve(first.found, left_says="the form.py of old", right_says="forms.py")
        return evolve(run, candidates=(evolve(first, found=found, standing=Standing.SLIP), second, *others)), None

    store.change(slip)
    lines = [line for _, line in facts.task(of_task(tmp_path, "T-001"))]
    assert [sum(words in line for line in lines) for words in ("the form.py of old", "forms.py")] == [1, 1]


def test_a_task_shows_the_slips_of_its_own_files_and_those_of_no_file_of_the_rule(tmp_path: Path) -> None:
    begin("apply", str(tmp_path))

    def slips(run: Run) -> tuple[Run, None]:
        lefts = ("src/a.py:1", "src/b.py:2", "./src/a.py:3")
        every = tuple(
            evolve(each, standing=Standing.SLIP, found=evolve(each.found, left=left))
            for each, left in zip(run.candidates, lefts, strict=False)
        )
        files = ("src/a.py", "src/b.py")
        rule = evolve(run.questions[0], candidates=tuple(each.id for each in every), files=files)
        tasks = tuple(Task(id=f"T-{n}", wave=1, questions=(rule.id,), files=(name,)) for n, name in enumerate(files))
        return evolve(run, candidates=every, questions=(rule,), tasks=tasks), None

    run_store(str(tmp_path)).change(slips)
    shown = ["\n".join(line for _, line in facts.task(of_task(tmp_path, name))) for name in ("T-0", "T-1")]
    assert [[f"{left} says" in text for left in ("src/a.py:1", "src/b.py:2", "./src/a.py:3")] for text in shown] == [
        [True, False, True],
        [False, True, True],
    ]


def of_task(folder: Path, name: str) -> StepContext:
    return WORKFLOW.context("apply", {"state_dir": str(folder), "task": name})
