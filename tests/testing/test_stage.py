"""The state directory in which steps are tried."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated, Literal

import pytest

from lib.workflow.command import Command
from lib.workflow.core import Arg, Outcome, State, StepContext, StepDef, Workflow
from lib.workflow.testing.generate import generate_inputs
from lib.workflow.testing.stage import Stage
from tests.subjects import PROOF
from tests.workflows.review.workflow import WORKFLOW as REVIEW

ANALYSIS = PROOF.targets.workflows["skills.problem_analysis.analyze"]
STAGING = """
import os

def stage(workflow, step_id, directory):
    with open(os.path.join(directory, step_id), "w") as file:
        file.write(workflow.name)
"""


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage() as made:
        yield made
    assert not os.path.exists(os.path.dirname(made.directory))


def test_a_workflow_without_a_path_gets_no_directory(stage: Stage) -> None:
    stage.ready(ANALYSIS, "gate")
    assert not stage.given(ANALYSIS)
    assert not os.path.exists(stage.directory)


def test_a_stage_is_in_memory_where_the_system_has_a_folder_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, place in ((tmp_path, tmp_path), (tmp_path / "none", Path(gettempdir()))):
        monkeypatch.setattr("lib.workflow.testing.stage.MEMORY", str(folder))
        with Stage() as stage:
            assert Path(stage.root).parent == place.resolve()


def test_each_step_finds_the_directory_empty(stage: Stage) -> None:
    stage.ready(REVIEW, "plan")
    Path(stage.directory, "old").write_bytes(b"1")
    assert stage.contents() == {"old": b"1"}
    stage.ready(REVIEW, "work")
    assert not stage.contents()
    assert stage.given(REVIEW) == {"state_dir": os.path.join(stage.directory, "state_dir")}


def test_a_package_says_what_its_steps_find_there_each_time(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "staged" / "inner").mkdir(parents=True)
    (tmp_path / "staged" / "staging.py").write_text(STAGING)
    monkeypatch.syspath_prepend(tmp_path)
    within = Workflow(
        "staged", *REVIEW.steps.values(), module="staged.inner.run", params=REVIEW.params, tags=REVIEW.tags
    )
    stage.ready(within, "work")
    assert stage.contents() == {"work": b"staged"}
    place, number = Path(stage.directory), os.stat(stage.directory).st_ino
    (place / "work").write_bytes(b"changed")
    (place / "made" / "within").mkdir(parents=True)
    (place / "made" / "file").touch()
    (place / "link").symlink_to(tmp_path)
    stage.ready(within, "work")
    assert stage.contents() == {"work": b"staged"}
    assert os.stat(stage.directory).st_ino == number  # a run knows a copy of its folder by that
    (place / "work").unlink()
    stage.ready(within, "work")
    assert stage.contents() == {"work": b"staged"}
    assert (tmp_path / "staged").is_dir()
    del sys.modules["staged.staging"], sys.modules["staged"]


def test_a_path_of_a_workflow_is_one_in_the_directory(stage: Stage) -> None:
    def read(context: StepContext, guide: Annotated[str, Arg(path=True)]) -> tuple[Literal[Outcome.OK], State]:
        return Outcome.OK, {}

    step = StepDef(id="read", title="Read", actions="Read.", handler=read, next={Outcome.OK: None})
    reading = Workflow("reading", step, module="skills.reading")
    stage.ready(reading, "read")
    assert stage.given(reading) == {"guide": os.path.join(stage.directory, "guide")}
    assert not stage.contents()
    (case,) = generate_inputs(reading, stage)
    assert (case.values["guide"], case.id) == (stage.given(reading)["guide"], "reading-1-read")


def test_a_command_is_shown_the_same_in_every_run(stage: Stage) -> None:
    words = ("--state-dir", stage.directory, f"--guide={stage.directory}/a b")
    assert stage.shown(Command("a.b", words)) == "a.b --state-dir STAGE '--guide=STAGE/a b'"
