"""Paths that cannot be written: the message names the path and its replacement."""

import os
import stat
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from skills.planner.commands.beginning import init

NOTHING = "''"
KEEP = "rehearse {} --keep"
BUNDLE = "bundle --source git+https://example.org/stepscript"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (BUNDLE, ""),
        *(
            (words, name)
            for words in (BUNDLE, KEEP.format("problem-analysis"), KEEP.format("planner"))
            for name in ("file", "file/x", "/proc/x")
        ),
    ],
)
def test_unusable_folder_is_reported_by_the_name_that_was_given(
    words: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert main([*words.split(), name]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"stepscript: {name or NOTHING}: ")
    assert "Errno" not in said


@pytest.mark.parametrize("name", ["none/x.html", "folder", "link", "pipe"])
def test_unwritable_page_is_reported_by_the_name_that_was_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "pipe")
    init("run", "add rate limiting")
    assert main(["report", "--state-dir", "run", "--output", name]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"stepscript: {name}: ")
    assert (tmp_path / "link").is_symlink()
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
