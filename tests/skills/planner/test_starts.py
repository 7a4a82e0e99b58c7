"""Law 12 for the planner's commands: each imports only what it uses."""

import os
from pathlib import Path

import pytest

from skills.planner.modules import EXECUTOR
from skills.planner.next_step import EXEC_INIT
from skills.planner.orchestrator.executor_steps import executor
from skills.planner.staging import begin
from tests.starts import imported

HEAVY = frozenset({"lxml", "pathlib", "dataclasses", "difflib", "hashlib", "shutil", "subprocess", "tempfile"})
SCHEMA = "skills.planner.schema"
ELSEWHERE = frozenset({f"{SCHEMA}.run", f"{SCHEMA}.review.document"})
"""Schemas of other files than plan.json."""
CALLS = (("get", "--id", "M-001"), ("set-decision", "--decision", "x", "--reasoning", "y"), ("validate",))


@pytest.mark.parametrize("words", CALLS, ids=lambda words: str(words[0]))
def test_a_command_on_the_plan_imports_no_more_than_the_plan(state: str, words: tuple[str, ...]) -> None:
    modules = imported("-m", "skills.planner.cli.plan", "--state-dir", state, *words)
    assert not modules & (HEAVY | ELSEWHERE)
    drawing = {name for name in modules if name.startswith(("skills.planner.diagrams.", "skills.planner.diffs."))}
    assert bool(drawing) == (words[0] == "validate")


def test_executor_that_starts_again_neither_applies_the_wave_nor_reads_the_plan(tmp_path: Path) -> None:
    begin(executor(), EXEC_INIT, os.fspath(tmp_path))
    words = ("-m", EXECUTOR, "--step", "1", "--state-dir", os.fspath(tmp_path))
    applying, again = imported(*words), imported(*words)
    needless = {f"{SCHEMA}.plan.document", "skills.planner.commands.submission", "subprocess", "tempfile"}
    assert needless <= applying
    assert not again & needless
