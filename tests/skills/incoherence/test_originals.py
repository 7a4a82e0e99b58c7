"""Originals of a task's files are copied before its agent changes them."""

import os
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command, flags
from lib.workflow.state.run_folder import make_run
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from lib.workflow.util.output import DONE, REFUSED
from skills.incoherence.due import MODULE, STEPS
from skills.incoherence.files import run_store
from skills.incoherence.pages.orders import copied
from skills.incoherence.record import Run, Task
from skills.incoherence.staging import begin
from skills.incoherence.standing import Progress
from skills.incoherence.workflow import WORKFLOW
from tests.blocks import only


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Create a project with a run whose first wave can be launched."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("old")
    folder = tmp_path / ".stepscript" / "runs" / "1128-7e57"
    make_run(str(folder))
    begin("launch", str(folder))
    plan(folder, ("src/a.py", "src/new.py"))
    return folder


def plan(run: Path, *files: tuple[str, ...]) -> None:
    """Replace the tasks: one a wave, with these files."""

    def planned(record: Run) -> tuple[Run, None]:
        rules = (record.questions[0].id,)
        tasks = tuple(Task(id=f"T-{n:03d}", wave=n, questions=rules, files=names) for n, names in enumerate(files, 1))
        here = evolve(record.sources[0], path=".")
        return evolve(record, sources=(here, *record.sources[1:]), tasks=tasks), None

    run_store(str(run)).change(planned)


def printed(run: Path, step: str = "launch") -> Ran:
    return run_here(Command(MODULE, flags({"step": STEPS.index(step) + 1, "state_dir": str(run)})))


def contents(run: Path) -> dict[str, str]:
    """Return the copies by path."""
    folder = run / "before"
    return {each.relative_to(folder).as_posix(): each.read_text() for each in folder.rglob("*.py")}


def test_dispatch_copies_the_files_of_the_wave_once(run: Path) -> None:
    assert printed(run).status == DONE
    assert contents(run) == {"T-001/src/a.py": "old"}
    (run.parents[2] / "src" / "a.py").write_text("changed")
    (run.parents[2] / "src" / "new.py").write_text("made by the agent")
    assert printed(run).status == DONE
    assert contents(run) == {"T-001/src/a.py": "old"}


def test_next_wave_copies_its_files_as_the_first_one_has_left_them(run: Path) -> None:
    plan(run, ("src/a.py",), ("src/a.py", "src/new.py"))
    printed(run)
    (run.parents[2] / "src" / "a.py").write_text("by wave 1")
    (run.parents[2] / "src" / "new.py").write_text("by wave 1")

    def accepted(record: Run) -> tuple[Run, None]:
        first, second = record.tasks
        return evolve(record, tasks=(evolve(first, progress=Progress.ACCEPTED), second)), None

    run_store(str(run)).change(accepted)
    assert printed(run, "next").status == DONE
    later = {"T-002/src/a.py": "by wave 1", "T-002/src/new.py": "by wave 1"}
    assert contents(run) == {"T-001/src/a.py": "old", **later}


def test_files_of_a_changed_plan_are_copied_too(run: Path) -> None:
    (run.parents[2] / "src" / "b.py").write_text("other")
    printed(run)
    plan(run, ("src/b.py",))
    printed(run)
    assert contents(run) == {"T-001/src/a.py": "old", "T-001/src/b.py": "other"}


def test_a_link_out_of_the_project_is_refused(run: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret.py"
    secret.write_text("secret")
    os.symlink(secret, run.parents[2] / "src" / "new.py")
    ran = printed(run)
    assert ran.status == REFUSED
    assert only(ran.out, Refusal).code == "outside"
    assert "secret" not in contents(run).values()


def test_without_the_project_nothing_is_copied_and_the_page_says_so(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    begin("launch", str(elsewhere))
    monkeypatch.chdir(elsewhere)
    assert printed(elsewhere).status == DONE
    assert not (elsewhere / "before").exists()
    said = [
        str(copied(WORKFLOW.context("launch", {"state_dir": str(folder)}))).replace(str(folder), "")
        for folder in (run, elsewhere)
    ]
    assert said[0] != said[1]
