"""Consent: a run goes on unasked only on the machine that started it, because a journal names a program to start."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs.found_runs import find
from lib.workflow.app.runs.standings import spec_at
from lib.workflow.codec import codec
from lib.workflow.run.engine import Spec
from lib.workflow.run.journal.journal import Entry, Event, line_of
from lib.workflow.state import consent
from lib.workflow.state.run_dirs import user_folder

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project with an unfinished run whose agent leaves a file behind."""
    folder = tmp_path / "one"
    (folder / ".stepscript").mkdir(parents=True)
    monkeypatch.chdir(folder)
    agent = f"sh -c 'touch {tmp_path / 'started'}; exit 1'"
    assert main(["run", "problem-analysis", "x", "--agent", agent, "--attempts", "1"]) == 3
    (tmp_path / "started").unlink()
    assert main(["answer", os.path.basename(os.path.dirname(find(None))), "1", "--no-resume"]) == 0
    return folder


def journal() -> Path:
    return Path(find(None), "journal.jsonl")


def as_it_is(project: Path) -> None:
    pass


def planted(project: Path) -> None:
    """Turn the journal into one that another user has written."""
    Path(find(None), consent.MARK).unlink()


def copied(project: Path) -> None:
    shutil.copytree(project, project.with_name("two"))
    os.chdir(project.with_name("two"))


def another_agent(project: Path) -> None:
    spec = spec_at(find(None))
    first = Entry(event=Event.BEGUN, text=codec(Spec).dumps(evolve(spec, agent=f"{spec.agent} ")))
    journal().write_text("\n".join((line_of(first), *journal().read_text().splitlines()[1:], "")))


def another_key(project: Path) -> None:
    Path(user_folder(), "trust", "key").unlink()


@pytest.mark.parametrize("named", [False, True], ids=["unnamed", "named"])
@pytest.mark.parametrize(
    ("change", "goes_on"),
    [(as_it_is, True), (planted, False), (copied, False), (another_agent, False), (another_key, False)],
)
def test_run_from_elsewhere_resumes_only_with_the_flag_that_the_refusal_names(
    change: Callable[[Path], None], goes_on: bool, named: bool, project: Path, capsys: Captured
) -> None:
    change(project)
    started = project.with_name("started")
    name = [os.path.basename(os.path.dirname(find(None)))] if named else []
    assert main(["resume", *name]) == (3 if goes_on else 1)
    said = capsys.readouterr().err
    assert started.exists() == goes_on
    if not goes_on:
        assert os.path.dirname(find(None)) in said
        assert "sh -c" in said
        assert "--trust" in said
        assert main(["resume", *name, "--trust"]) == 3
        assert started.exists()
        assert main(["resume", *name]) == 3  # from now on it is trusted


@pytest.mark.parametrize(("said", "status"), [("y\n", 3), ("n\n", 130)])
def test_at_a_terminal_the_user_is_asked(
    said: str, status: int, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    planted(project)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: said.strip())
    assert main(["resume"]) == status
    assert project.with_name("started").exists() == (status == 3)
