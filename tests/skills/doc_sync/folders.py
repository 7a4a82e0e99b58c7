"""Folders made for a test, and the check's findings in them."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from skills.doc_sync.check import main

INDEX = "| open | when |\n|---|---|\n"


def made(root: Path, files: Mapping[str, str]) -> Path:
    """Fill the folder and return it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def found(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, int, str]]:
    """Return file, line and kind of every finding."""
    status = main([os.fspath(folder), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert status == (1 if report["findings"] else 0)
    return [(item["file"], item["line"], item["kind"]) for item in report["findings"]]
