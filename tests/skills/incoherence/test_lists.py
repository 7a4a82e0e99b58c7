"""Lists on the pages: columns that a bar in a text does not shift, and texts that an agent gets once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.codec import codec
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.testing.inprocess import run_here
from skills.incoherence import facts
from skills.incoherence.due import MODULE, STEPS
from skills.incoherence.facts import Entries
from skills.incoherence.files import run_store
from skills.incoherence.record import Question, Run
from skills.incoherence.staging import begin
from skills.incoherence.workflow import WORKFLOW

AGENTS = {"sweep": {"dimension": "docs-code"}, "dig": {"candidate": "C-001"}, "apply": {"task": "T-001"}}
LISTS: list[tuple[str, Callable[[StepContext], Entries]]] = [
    ("dimensions", facts.sources),
    ("sweep", facts.places),
    ("select", facts.candidates),
    ("verdicts", facts.evidence),
    ("pose", facts.unasked),
    ("settle", facts.answers),
    ("plan", facts.rules),
    ("launch", facts.open_tasks),
    ("apply", facts.task),
    ("collect", facts.delivered),
    ("collect", facts.rules_of_wave),
    ("next", facts.states),
    ("close", facts.outcome),
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
    return evolve(question, id=f"Q-00{number}", candidates=(candidate,), text=f"Question {number}?", options=("a", "b"))


def test_each_question_of_a_batch_is_printed_once_and_its_method_with_the_first(asked: Path) -> None:
    first = page(asked, "ask")
    second = page(asked, "ask", answer="Q-001:1")
    third = page(asked, "ask", answer="Q-002:1")
    rules = page(asked, "ask", answer="Q-003:2")
    for number in (1, 2, 3):
        assert [f"Question {number}?" in each for each in (first, second, third, rules)].count(True) == 1
    assert ["\n1. " in each for each in (first, second, third)] == [True, False, False]


def test_evidence_is_printed_with_the_verdicts_and_shown_again_on_request(tmp_path: Path) -> None:
    begin("pose", str(tmp_path))
    store = run_store(str(tmp_path))
    store.change(lambda run: (evolve(run, candidates=run.candidates[:2]), None))
    name, other = (each.id for each in store.load().candidates)
    assert f"show {name}" not in page(tmp_path, "pose")
    posed = Question(id="Q-001", candidates=(other,), header="a", text="b?", options=("c", "d"), answer="c", rule="e")
    store.change(lambda run: (evolve(run, questions=(posed,)), None))
    evidence = store.load().candidates[0].evidence
    assert evidence is not None
    later = page(tmp_path, "pose")
    assert evidence not in later
    assert f"show {name}" in later
    shown = run_here(Command("skills.incoherence.state", ("--state-dir", str(tmp_path), "show", name)))
    assert "evidence" in shown.out
