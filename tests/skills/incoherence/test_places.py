"""Default folder of a run, and the messages of `stepscript` about it."""

import os
import re
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.state.run_dirs import NAME
from lib.workflow.state.run_folder import make_run
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import option
from lib.workflow.util.output import DONE, WAITING
from skills.incoherence.due import MODULE
from skills.incoherence.staging import begin
from tests.blocks import only

FIRST = Command(MODULE, ("--step", "1"))


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a repository; the working directory is a folder in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path / "docs")
    return tmp_path


def begun() -> str:
    """Return the folder that a first step names, in every command."""
    document = parse(run_here(FIRST).out)
    (invoke,) = (node for node in walk(document) if isinstance(node, Invoke))
    folder = option(invoke.command, "--state-dir")
    assert folder in render(document).partition("survey --survey-file")[0]
    return folder


def hold(folder: Path | str, step: str) -> None:
    """Make a run in a folder, in which the step is next."""
    make_run(str(folder))
    begin(step, str(folder))


def test_folder_of_an_unstarted_run_is_stable_and_not_created(project: Path) -> None:
    folder = Path(begun())
    assert folder.parent == project / ".stepscript" / "runs"
    assert re.fullmatch(NAME, folder.name)
    assert begun() == str(folder)
    assert not folder.exists()


@pytest.mark.parametrize("step", ["dimensions", "ask"])
def test_unfinished_run_is_continued_on_another_day(step: str) -> None:
    folder = Path(begun())
    before = folder.with_name(f"0101{folder.name[4:]}")
    hold(before, step)
    ran = run_here(FIRST)
    refusal = only(ran.out, Refusal)
    assert (ran.status, refusal.code) == (1, "out-of-order")
    assert "--state-dir" in refusal.fix
    assert refusal.invoke is not None
    assert option(refusal.invoke.command, "--state-dir") == str(before)
    assert run_here(refusal.invoke.command).status in (DONE, WAITING)


def test_finished_run_gets_a_successor_and_a_broken_run_is_skipped() -> None:
    folder = Path(begun())
    hold(folder, "close")
    broken = folder.with_name(f"0101{folder.name[4:]}")
    hold(broken, "ask")
    (broken / "incoherence.json").write_text("{")
    assert begun() == f"{folder}.2"


def test_later_step_requires_the_state_directory() -> None:
    assert run_here(Command(MODULE, ("--step", "3"))).status == 2


@pytest.mark.parametrize("step", ["dimensions", "select", "ask", "close"])
def test_status_names_the_next_command_and_the_report_the_findings(
    step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = begun()
    hold(folder, step)
    assert main(["status"]) == 0
    said = capsys.readouterr().out
    assert os.path.basename(folder) in said
    (command,) = (line.strip() for line in said.splitlines() if MODULE in line)
    assert run_here(Command.read(command)).status in (DONE, WAITING)
    assert main(["report", "--state-dir", folder]) == 0
    made = Path(capsys.readouterr().out.strip()).read_text()
    assert ("C-001" in made) == (step != "dimensions")
