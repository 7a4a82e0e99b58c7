"""The doctor finds each fault that keeps the skills from working, and names its fix."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.doctor.examine import examine
from lib.workflow.app.install.doctor.findings import Finding, State
from lib.workflow.app.install.host import starter
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import Asked, install
from lib.workflow.command.quoting import join
from tests.plugins.sites import only

Patch = pytest.MonkeyPatch


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Tree, Tree]:
    """Create a project with everything installed, and a home folder without."""
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    install(Tree(str(tmp_path / "project")), Asked((Agent.CLAUDE,)), Scope.PROJECT)
    return Tree(str(tmp_path / "project")), Tree(str(tmp_path / "home"))


def found(trees: tuple[Tree, Tree], state: State) -> list[Finding]:
    return [finding for finding in examine(*trees) if finding.state is state]


def test_sound_installation_has_no_bad_finding(trees: tuple[Tree, Tree]) -> None:
    assert found(trees, State.BAD) == []


def no_program(project: Path, patch: Patch) -> None:
    patch.setenv("WORKFLOW_PYTHON", "/nowhere/python")


def no_launcher(project: Path, patch: Patch) -> None:
    patch.setenv("WORKFLOW_PYTHON", "python; true")


def torn(project: Path, patch: Patch) -> None:
    """Install another package with a workflow that cannot be read."""
    folder = project / "torn_project"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "flow.py").write_text("WORKFLOW = (\n")
    patch.syspath_prepend(str(project))
    only("torn_project", patch)


def namesake(project: Path, patch: Patch) -> None:
    """Let PYTHONPATH lead to a package of the same name."""
    (project / "lib").mkdir()
    (project / "lib" / "__init__.py").touch()
    patch.setenv("PYTHONPATH", str(project))


def shadowed(project: Path, patch: Patch) -> None:
    """Put a package of the same name first on the path of a launcher that heeds PYTHONPATH."""
    namesake(project, patch)
    patch.setenv("WORKFLOW_PYTHON", join([sys.executable, "-P"]))


def no_folder(project: Path, patch: Patch) -> None:
    (project / ".stepscript").rename(project / "away")
    (project / ".stepscript").touch()


def not_installed(project: Path, patch: Patch) -> None:
    shutil.rmtree(project / ".claude")
    (project / ".stepscript" / "install.json").unlink()


def forged(project: Path, patch: Patch) -> None:
    (project / ".stepscript" / "install.json").write_text("{}}")


def incomplete(project: Path, patch: Patch) -> None:
    (project / ".claude" / "skills" / "planner" / "SKILL.md").unlink()


def no_launcher_file(project: Path, patch: Patch) -> None:
    Path(starter.path()).unlink()


def dead_python(project: Path, patch: Patch) -> None:
    """Install by a Python that is removed later."""
    patch.setenv("WORKFLOW_PYTHON", "/nowhere/bin/python -I")
    install(Tree(str(project)), Asked(), Scope.PROJECT)
    patch.delenv("WORKFLOW_PYTHON")


@pytest.mark.parametrize(
    ("harm", "subject"),
    [
        (no_program, "interpreter"),
        (no_launcher, "interpreter"),
        (torn, "workflows"),
        (shadowed, "imports"),
        (no_folder, "state"),
        (not_installed, "skills"),
        (forged, "skills (project)"),
        (incomplete, "skills (project)"),
        (no_launcher_file, "skills (project)"),
        (dead_python, "skills (project)"),
    ],
)
def test_fault_is_found_with_the_command_that_fixes_it(
    harm: Callable[[Path, Patch], None], subject: str, trees: tuple[Tree, Tree], monkeypatch: Patch
) -> None:
    harm(Path(trees[0].root), monkeypatch)
    bad = found(trees, State.BAD)
    assert subject in [finding.subject for finding in bad]
    assert all(finding.fix for finding in bad)


def test_python_that_is_gone_is_named_with_the_line_that_fixes_it(trees: tuple[Tree, Tree], monkeypatch: Patch) -> None:
    dead_python(Path(trees[0].root), monkeypatch)
    (gone,) = [each for each in found(trees, State.BAD) if "/nowhere/bin/python" in each.what]
    assert gone.fix == f"stepscript install --project {trees[0].root}"
    install(trees[0], Asked(), Scope.PROJECT)
    assert found(trees, State.BAD) == []


def edited(project: Path, patch: Patch) -> None:
    (project / ".claude" / "skills" / "planner" / "SKILL.md").write_text("mine")


def of_the_same_name(project: Path, patch: Patch) -> None:
    (project / "skills.py").touch()


@pytest.mark.parametrize(
    ("change", "subject"), [(edited, "skills (project)"), (of_the_same_name, "imports"), (namesake, "imports")]
)
def test_changes_of_the_user_give_only_notes(
    change: Callable[[Path, Patch], None], subject: str, trees: tuple[Tree, Tree], monkeypatch: Patch
) -> None:
    change(Path(trees[0].root), monkeypatch)
    assert subject in [finding.subject for finding in found(trees, State.NOTE)]
    assert found(trees, State.BAD) == []


def test_folder_that_cannot_be_read_hides_no_other_finding(trees: tuple[Tree, Tree], monkeypatch: Patch) -> None:
    path = trees[1].place(".stepscript/install.json")

    def read(tree: Tree, name: str) -> bytes | None:
        if tree is trees[1]:
            raise PermissionError(13, "Permission denied", path)
        return whole(tree, name)

    whole = Tree.read
    before = list(examine(*trees))
    monkeypatch.setattr(Tree, "read", read)
    after = list(examine(*trees))
    assert [each for each in after if each.state is State.BAD] == after[-1:]
    assert (path in after[-1].what, path in after[-1].fix) == (True, True)
    assert {each.subject for each in before} - {each.subject for each in after} == set()
