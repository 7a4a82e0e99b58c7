"""Files of the distribution that another one has overwritten are named, with that distribution."""

import base64
import hashlib
import sys
from pathlib import Path

import pytest

from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.distribution import changed_files, origin, sharing
from lib.workflow.app.install.doctor.examine import examine
from lib.workflow.app.install.doctor.findings import State
from lib.workflow.app.install.host.environment import repairing_line
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import Asked, install

OURS = ("lib/__init__.py", "skills/__init__.py", "stepscript/cli.py")


def record(site: Path, name: str, files: tuple[str, ...]) -> None:
    """Record the files of a distribution as pip does, with the hashes of their current content."""
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256((site / file).read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{file},sha256={digest},{(site / file).stat().st_size}\n")
    (folder / "RECORD").write_text("".join([*lines, f"{folder.name}/RECORD,,\n"]))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a site directory with our distribution, before all others on the import path."""
    folder = tmp_path / "site"
    for file in OURS:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("")
    record(folder, "stepscript", OURS)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return folder


def test_unchanged_files_give_no_finding(site: Path) -> None:
    assert (changed_files(), sharing()) == ((), {})


def test_a_file_that_was_overwritten_or_removed_is_named(site: Path) -> None:
    (site / OURS[0]).write_text("raise SystemExit('another')\n")
    (site / OURS[2]).unlink()
    assert changed_files() == (OURS[0], OURS[2])


def test_another_distribution_that_brings_a_file_of_ours_is_named(site: Path) -> None:
    (site / "skills/other.py").write_text("")
    record(site, "another", (OURS[1], "skills/other.py"))
    assert sharing() == {"another 1.0": (OURS[1],)}
    assert changed_files() == ()


def test_doctor_reports_what_is_wrong_and_how_to_fix_it(site: Path, tmp_path: Path) -> None:
    trees = [Tree(str(tmp_path / name)) for name in ("project", "home")]
    for tree in trees:
        Path(tree.root).mkdir()
    install(trees[0], Asked((Agent.CLAUDE,)), Scope.PROJECT)
    (site / OURS[1]).write_text("another\n")
    (alone,) = (each for each in examine(*trees) if each.state is State.BAD and each.subject == "files")
    assert alone.fix == repairing_line(origin())
    record(site, "another", (OURS[1],))
    bad = [each for each in examine(*trees) if each.state is State.BAD and each.subject == "files"]
    assert [OURS[1] in each.what for each in bad] == [True, True]
    assert "another 1.0" in bad[1].what
    assert {each.fix for each in bad} == {bad[0].fix}
    assert bad[0].fix.startswith("uv tool install ")
