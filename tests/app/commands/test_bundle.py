"""A bundle has only what others can install, and its commands can be copied."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from tests.plugins.sites import installed

Captured = pytest.CaptureFixture[str]
LOCAL = "file:///home/me/a%20b"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Enter a folder whose name needs quotes, with other packages of skills installed."""
    folder = tmp_path / "it's here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for _ in installed("site", monkeypatch):
        yield folder


@pytest.mark.usefixtures("work")
def test_commands_are_quoted(capsys: Captured) -> None:
    assert main(["bundle", "new", "--source", "stepscript"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "marketplace add" in line or "extensions" in line]
    assert len(lines) == 4
    assert {shlex.split(line)[-1] for line in lines} == {str(Path("new").resolve())}


def test_copy_from_a_folder_of_this_machine_needs_an_address(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("lib.workflow.app.commands.bundle.origin", lambda _: LOCAL)
    assert main(["bundle", "new"]) == 2
    assert "--source" in capsys.readouterr().err
    assert list(work.iterdir()) == []


def test_packages_of_others_are_in_it_with_their_sources_or_named(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert (
        main(["bundle", "all", "--source", "stepscript", "--source", "Tidy @ git+https://example.org/t", "--json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert "tidy" in data["packages"]
    launcher = (work / "all/scripts/launcher.sh").read_text()
    assert "uv tool install stepscript --with 'Tidy @ git+https://example.org/t'\n" in launcher
    monkeypatch.setattr("lib.workflow.app.commands.bundle.origin", lambda _: LOCAL)
    assert main(["bundle", "less", "--source", "stepscript", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["packages"] == ["skills"]
    assert "tidy" in data["left_out"]
    assert "example.org" not in (work / "less/scripts/launcher.sh").read_text()


@pytest.mark.parametrize("source", ["a b", "x; y", "nobody @ git+https://example.org/n", "-e ."])
@pytest.mark.usefixtures("work")
def test_unusable_source_is_refused(source: str, capsys: Captured) -> None:
    assert main(["bundle", "new", "--source", source]) == 2
    assert "--source" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "file", "status"), [("egg", "PKG-INFO", 0), ("dist", "RECORD", 1)])
def test_bundle_has_the_licence_of_the_installation_or_is_refused(
    name: str, file: str, status: int, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = work / f"site/stepscript-0.0.1.{name}-info"  # what a build leaves, or an installation without its licence
    record.mkdir(parents=True)
    for each in {file, "METADATA"}:
        (record / each).write_text("Metadata-Version: 2.1\nName: stepscript\nVersion: 0.0.1\n")
    monkeypatch.syspath_prepend(str(work / "site"))
    assert main(["bundle", "new", "--source", "stepscript"]) == status
    assert (work / "new/LICENSE").exists() is (status == 0)
