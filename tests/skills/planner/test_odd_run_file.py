"""A run.json that is not a file, or is nested too deeply: commands that change the plan say so at once."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from skills.planner.phases import PLAN_DESIGN
from tests.skills.planner import console
from tests.skills.planner.reviewing import at_work

ODD: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "nested too deeply": lambda path: path.write_text("[" * 100_000),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_run_file_is_reported_and_not_waited_for(name: str, tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    path = Path(state_dir, "run.json")
    path.unlink()
    ODD[name](path)
    refusal = console.plan(state_dir, "set-overview", "--problem", "x", "--approach", "y").refusal
    assert refusal.severity != "fatal"
    assert "run.json" in f"{refusal.target} {refusal.message}"
