"""An upgrade from every state in which users leave an installation."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from lib.workflow.app.install.changes import ChangeKind, Resolution
from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.tree import Tree, digest
from lib.workflow.app.install.upgrade.stamp import unstamped
from lib.workflow.app.install.wanted import LOCAL, MANIFEST
from lib.workflow.app.install.work import Asked, install, uninstall

SKILL = ".claude/skills/deepthink/SKILL.md"
ROLE = ".claude/agents/developer.md"
SETTINGS = ".claude/settings.local.json"
NEW, UPDATED, MERGED, EDITED, KEPT = (
    ChangeKind.NEW,
    ChangeKind.UPDATED,
    ChangeKind.MERGED,
    ChangeKind.EDITED,
    ChangeKind.KEPT,
)


Harm: TypeAlias = Callable[[Path], Path | None]
"""Change to a project; returns the project if it is elsewhere now."""


def edit(path: Path, old: str, new: str) -> None:
    data = path.read_bytes()
    assert old.encode() in data
    path.write_bytes(data.replace(old.encode(), new.encode()))


def untouched(project: Path) -> None:
    """Leave everything as it was installed."""


def edited(project: Path) -> None:
    edit(project / SKILL, "# Deep", "My own words.\n\n# Deep")


def edited_at_the_end(project: Path) -> None:
    with (project / SKILL).open("a") as file:
        file.write("\nMy own words.\n")


def edited_where_we_change_it(project: Path) -> None:
    edit(project / SKILL, " -m skills.", " -X utf8 -m skills.")


def edited_after_the_upgrade(project: Path) -> None:
    kind_of(project, SKILL)
    edited(project)


def in_crlf(project: Path) -> None:
    edit(project / SKILL, "\n", "\r\n")


def edited_in_crlf(project: Path) -> None:
    edited(project)
    in_crlf(project)


def linked(project: Path) -> None:
    (project / SKILL).rename(project.parent / "mine.md")
    (project / SKILL).symlink_to(project.parent / "mine.md")


def linked_settings(project: Path) -> None:
    (project / SETTINGS).rename(project.parent / "mine.json")
    (project / SETTINGS).symlink_to(project.parent / "mine.json")


def without_manifest(project: Path) -> None:
    shutil.rmtree(project / ".stepscript")


def edited_without_manifest(project: Path) -> None:
    edited(project)
    without_manifest(project)


def moved(project: Path) -> Path:
    return project.rename(project.with_name("moved"))


def edited_and_moved(project: Path) -> Path:
    edited(project)
    return moved(project)


def cleaned(project: Path) -> None:
    """Remove what git ignores, as `git clean -fdX` does."""
    for name in (".claude/skills", ".claude/agents", ".stepscript"):
        shutil.rmtree(project / name)
    (project / SETTINGS).unlink()


def by_the_version_without_stamps(project: Path) -> None:
    """Leave what an older version wrote: no stamp in a file, no content in the manifest."""
    manifest = json.loads((project / MANIFEST).read_text())
    for item in manifest["files"]:
        data = unstamped((project / item["path"]).read_bytes())
        (project / item["path"]).write_bytes(data)
        item["hashes"] = [digest(data)]
        del item["base"]
    del manifest["skills"], manifest["prefix"]
    (project / MANIFEST).write_text(json.dumps(manifest))


def edited_after_that_version(project: Path) -> None:
    by_the_version_without_stamps(project)
    edited(project)


class Case(NamedTuple):
    """A state, the user's decision, and the kind of the change of one file."""

    harm: Harm
    resolution: Resolution | None
    path: str
    kind: ChangeKind
    later: ChangeKind = ChangeKind.SAME
    """Kind of the change by one more installation."""


OURS, THEIRS, MERGE = Resolution.OURS, Resolution.THEIRS, Resolution.MERGE
CASES = [
    Case(untouched, None, SKILL, UPDATED),
    Case(edited, None, SKILL, KEPT, KEPT),
    Case(edited, OURS, SKILL, EDITED, EDITED),
    Case(edited, THEIRS, SKILL, UPDATED),
    Case(edited, MERGE, SKILL, MERGED, EDITED),
    Case(edited_at_the_end, MERGE, SKILL, MERGED, EDITED),
    Case(edited_where_we_change_it, MERGE, SKILL, KEPT, KEPT),
    Case(edited_after_the_upgrade, None, SKILL, EDITED, EDITED),
    Case(edited_after_the_upgrade, MERGE, SKILL, EDITED, EDITED),
    Case(edited_after_the_upgrade, THEIRS, SKILL, UPDATED),
    Case(in_crlf, None, SKILL, UPDATED),
    Case(edited_in_crlf, MERGE, SKILL, MERGED, EDITED),
    Case(linked, THEIRS, SKILL, KEPT, KEPT),
    Case(linked_settings, None, SETTINGS, KEPT, KEPT),
    Case(moved, None, SKILL, UPDATED),
    Case(moved, None, SETTINGS, UPDATED),
    Case(edited_and_moved, None, SKILL, KEPT, KEPT),
    Case(edited_and_moved, MERGE, SKILL, MERGED, EDITED),
    Case(cleaned, None, SKILL, NEW),
    Case(cleaned, None, SETTINGS, NEW),
    Case(without_manifest, None, SKILL, UPDATED),
    Case(without_manifest, None, SETTINGS, UPDATED),
    Case(edited_without_manifest, MERGE, SKILL, KEPT, KEPT),
    Case(edited_without_manifest, OURS, SKILL, EDITED, EDITED),
    Case(by_the_version_without_stamps, None, SKILL, UPDATED),
    Case(edited_after_that_version, MERGE, SKILL, KEPT, KEPT),
    Case(edited_after_that_version, THEIRS, SKILL, UPDATED),
]


def kind_of(project: Path, path: str, resolution: Resolution | None = None) -> ChangeKind:
    asked = Asked((Agent.CLAUDE,), resolution=resolution)
    kinds = {change.path: change.kind for change in install(Tree(str(project)), asked, Scope.PROJECT)}
    assert kinds[ROLE] is not KEPT
    return kinds[path]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create an installation of an older version, by another Python."""
    folder = tmp_path / "project"
    folder.mkdir()
    with monkeypatch.context() as patch:
        patch.setenv("WORKFLOW_PYTHON", "/opt/old/python -P")
        install(Tree(str(folder)), Asked((Agent.CLAUDE,)), Scope.PROJECT)
    return folder


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.harm.__name__}-{case.resolution}")
def test_upgrade(case: Case, project: Path) -> None:
    project = case.harm(project) or project
    file = project / case.path
    before = file.read_bytes() if file.exists() else b""
    assert kind_of(project, case.path, case.resolution) is case.kind
    after = file.read_bytes()
    stays = case.kind in (KEPT, EDITED)
    assert (after == before) is stays
    assert (b"/opt/old/python" in after) is (stays and b"/opt/old/python" in before)
    assert (b"My own words." in after) is (b"My own words." in before and case.kind is not UPDATED)
    assert (b"\r\n" in after) is (b"\r\n" in before)
    assert kind_of(project, case.path) is case.later


@pytest.mark.parametrize("harm", [untouched, in_crlf, moved, cleaned, without_manifest, by_the_version_without_stamps])
def test_every_unchanged_file_is_removed_again(harm: Harm, project: Path) -> None:
    project = harm(project) or project
    uninstall(Tree(str(project)))
    assert [path for path in project.rglob("*") if path.is_file()] == []


def test_project_that_git_has_cleaned_is_installed_anew_and_leaves_no_trace(tmp_path: Path) -> None:
    project = tmp_path / "cleaned"
    project.mkdir()
    (project / ".claude").mkdir()
    own = b'{\n  "theme": "dark"\n}\n'
    (project / SETTINGS).write_bytes(own)
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    excludes = (project / ".git/info/exclude").read_bytes()
    for after in ("install", "nothing"):
        kind_of(project, SKILL)
        subprocess.run(["git", "clean", "-qfdX"], cwd=project, check=True)
        assert not (project / SKILL).exists()
        if after == "install":
            assert kind_of(project, SKILL) is NEW
            assert kind_of(project, SETTINGS) is ChangeKind.SAME
        uninstall(Tree(str(project)))
        assert (project / SETTINGS).read_bytes() == own
        assert (project / ".git/info/exclude").read_bytes() == excludes
        assert sorted(path.name for path in project.iterdir()) == [".claude", ".git"]


def test_additions_of_the_user_are_named_by_the_skill_and_never_touched(project: Path) -> None:
    own = (project / SKILL).with_name(LOCAL)
    own.write_text("Be brief.\n")
    assert f"`{LOCAL}`" in (project / SKILL).read_text()
    assert kind_of(project, SKILL) is UPDATED
    uninstall(Tree(str(project)))
    assert own.read_text() == "Be brief.\n"
    assert [path for path in project.rglob("*") if path.is_file()] == [own]


def test_choice_of_skills_and_prefix_is_known_without_a_manifest(project: Path) -> None:
    asked = Asked((Agent.CLAUDE,), ("deepthink", "planner"), "my-")
    uninstall(Tree(str(project)))
    install(Tree(str(project)), asked, Scope.PROJECT)
    without_manifest(project)
    done = install(Tree(str(project)), Asked(), Scope.PROJECT)
    assert {change.kind for change in done} == {ChangeKind.SAME}


def test_settings_behind_a_link_are_in_order_once_they_hold_the_entries(project: Path) -> None:
    linked_settings(project)
    assert kind_of(project, SETTINGS) is KEPT
    install(Tree(str(project.parent)), Asked((Agent.CLAUDE,)), Scope.PROJECT)
    shutil.copy(project.parent / SETTINGS, project.parent / "mine.json")
    assert kind_of(project, SETTINGS) is ChangeKind.SAME
