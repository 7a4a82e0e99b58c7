"""Fixtures of state directories."""

import os
from pathlib import Path

import pytest

from lib.workflow.state.consent import mark
from skills.planner.schema.run import Run
from skills.planner.state.files import plan_store, run_store
from tests.skills.planner.plans import PLAN


@pytest.fixture
def state(tmp_path: Path) -> str:
    """Create a state directory that holds PLAN."""
    folder = tmp_path / "a b'c$HOME é"
    folder.mkdir()
    run_store(str(folder)).create(Run(id="run", task="Sign tokens", project_root=os.path.realpath(tmp_path)))
    mark(str(folder), os.path.realpath(tmp_path))
    plan_store(str(folder)).create(PLAN)
    return str(folder)
