"""A project that was copied or moved: its runs are noticed, and go on in their new folder once the user agrees."""

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from skills.planner.modules import EXECUTOR, PLAN, PLANNER, RESUME
from skills.planner.schema.phase import Phase
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.run import PassedGate, Run
from skills.planner.session import lines
from skills.planner.simulation.plan import PLAN as BUILT
from skills.planner.simulation.plan import approve
from skills.planner.simulation.project import LIMIT
from skills.planner.state.files import change_run, run_store
from tests.security.repositories import git

CHANGE = "CC-M-001-001"
NAME = "0101-aaaa"
Captured = pytest.CaptureFixture[str]


@pytest.fixture(params=[".stepscript/runs/" + NAME, "state/" + NAME], ids=["in-its-place", "elsewhere-in-it"])
def project(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project with a run whose first wave is being built, and enter it."""
    folder = tmp_path / "one"
    (folder / ".stepscript" / "runs").mkdir(parents=True)
    run = folder / str(request.param)
    run.parent.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    approve(str(run), str(folder), "limits", _checked(BUILT, folder.with_name("witness")))
    change_run(str(run), lambda held: evolve(held, building=held.waves[0]))
    return folder


def _checked(plan: Plan, witness: Path) -> Plan:
    first = evolve(plan.milestones[0], tests=(f"command:touch {witness}",))
    return evolve(plan, milestones=(first, *plan.milestones[1:]))


def _passed(run: Run) -> Run:
    """Return the run with its last wave built and reviewed."""
    building = run.waves[-1]
    gates = (
        PassedGate(phase=phase, wave=building.wave, plan_digest="0" * 64)
        for phase in (Phase.IMPL_CODE, Phase.IMPL_DOCS)
    )
    return evolve(run, building=building, gates=(*run.gates, *gates))


def run_in(project: Path) -> Path:
    """Return the run of a project."""
    (found,) = project.rglob(NAME)
    return found


def apply(run: Path) -> Ran:
    return run_here(Command(PLAN, ("--state-dir", str(run), "apply", "--id", CHANGE)))


def copied(project: Path) -> Path:
    return Path(shutil.copytree(project, project.with_name("two")))


def moved(project: Path) -> Path:
    return project.rename(project.with_name("two"))


@pytest.mark.parametrize("away", [copied, moved])
def test_copied_run_is_noticed_and_continues_by_the_printed_command(
    away: Callable[[Path], Path], project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert apply(run_in(project)).status == 0
    (project / LIMIT).unlink()
    two = away(project)
    run = run_in(two)
    monkeypatch.chdir(two)
    refusal_of_copy = Refusal(code="none", target="", message="", fix="")
    for command in (
        Command(EXECUTOR, ("--step", "2", "--state-dir", str(run))),
        Command(PLANNER, ("--step", "3", "--state-dir", str(run))),
        Command(RESUME, ("--state-dir", str(run))),
        Command(PLAN, ("--state-dir", str(run), "apply", "--id", CHANGE)),
        Command(PLAN, ("--state-dir", str(run), "compare")),
    ):
        ran = run_here(command)
        assert ran.status == 1, (command, ran)
        (refusal,) = (node for node in walk(parse(ran.out)) if isinstance(node, Refusal))
        assert (ran.status, refusal.code) == (1, "not-yours")
        assert str(project) in refusal.message
        refusal_of_copy = refusal
    assert lines(str(two)) == ()
    assert not list(two.rglob(LIMIT))
    agrees = shlex.split(refusal_of_copy.fix.partition(":  ")[2])
    assert agrees[1:] == ["trust", str(run)]
    assert main(agrees[1:]) == 1  # nobody can be asked
    said = capsys.readouterr().err
    assert str(two) in said
    assert "touch" in said
    assert main([*agrees[1:], "--yes"]) == 0
    assert run_store(str(run)).load().project_root == str(two)
    assert apply(run).status == 0
    assert (two / LIMIT).is_file()
    assert not (project / LIMIT).exists()
    assert run_here(Command(RESUME, ("--state-dir", str(run)))).status == 0
    if run.parent.name == "runs":
        assert str(run) in lines(str(two))[1]


def test_a_run_that_was_copied_beside_itself_is_noticed(project: Path) -> None:
    run = run_in(project)
    shutil.copytree(run, run.with_name("0101-bbbb"))
    assert apply(run).status == 0
    (project / LIMIT).unlink()
    assert apply(run.with_name("0101-bbbb")).status == 1
    assert not (project / LIMIT).exists()


def test_planted_run_is_not_resumed_by_the_same_task(project: Path) -> None:
    """Check a name that a repository can guess, because it follows from the task."""
    begun = run_here(Command(PLANNER, ("--step", "1", "--task", "planted")))
    (planted,) = (each for each in Path(".stepscript", "runs").iterdir() if each.name not in (NAME, ".gitignore"))
    assert planted.name in begun.out
    (planted / "begun-here").unlink()
    again = run_here(Command(PLANNER, ("--step", "1", "--task", "planted")))
    assert f"{planted.name}.2" in again.out
    assert os.path.isfile(f"{planted}.2/begun-here")


def test_folder_with_a_plan_but_no_run_is_refused(project: Path) -> None:
    (project / "planted").mkdir()
    shutil.copy(run_in(project) / "plan.json", project / "planted")
    ran = run_here(Command(PLAN, ("--state-dir", "planted", "init", "--task", "x")))
    assert (ran.status, "state-exists" in ran.out) == (1, True)


@pytest.mark.parametrize("root", ["/proc/self/cwd", "{}/../one", "{}/src", "/"])
def test_a_project_root_other_than_the_folder_that_holds_the_run_is_refused(root: str, project: Path) -> None:
    run = run_in(project)
    (project / "src").mkdir()
    change_run(str(run), lambda held: evolve(held, project_root=root.format(project)))
    assert apply(run).status == 1
    assert run_here(Command(EXECUTOR, ("--step", "2", "--state-dir", str(run)))).status == 1
    assert not (project / LIMIT).exists()


def test_run_started_in_a_subfolder_belongs_to_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")
    assert run_here(Command(PLANNER, ("--step", "1", "--task", "below"))).status == 0
    runs = project / ".stepscript" / "runs"
    (run,) = (each for each in runs.iterdir() if each.name not in (NAME, ".gitignore"))
    assert run_store(str(run)).load().project_root == str(project)
    words = ("--state-dir", str(run.with_name("x")), "init", "--task", "x", "--project-root", ".")
    assert run_here(Command(PLAN, words)).status == 1


def test_the_checks_of_a_run_are_started_when_the_user_has_agreed(project: Path) -> None:
    run, witness = run_in(project), project.with_name("witness")
    change_run(str(run), _passed)
    (run / "begun-here").unlink()
    last = Command(EXECUTOR, ("--step", "10", "--state-dir", str(run)))
    assert (run_here(last).status, witness.exists()) == (1, False)
    assert main(["trust", str(run), "--yes"]) == 0
    assert (run_here(last).status, witness.exists()) == (0, True)


def test_the_checks_of_a_run_that_the_repository_tracks_are_not_started(project: Path) -> None:
    """Check files of a started run that a checkout overwrites, because git treats ignored files as unowned."""
    run, witness = run_in(project), project.with_name("witness")
    change_run(str(run), _passed)
    git(project, "init", "-q")
    git(project, "add", "--force", str(run / "plan.json"))
    last = Command(EXECUTOR, ("--step", "10", "--state-dir", str(run)))
    refused = run_here(last)
    assert (refused.status, "tracked-run" in refused.out, witness.exists()) == (1, True, False)
    git(project, "rm", "-q", "--cached", str(run / "plan.json"))
    assert (run_here(last).status, witness.exists()) == (0, True)
