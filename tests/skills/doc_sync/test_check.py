"""The command line of the check, and its reference."""

import json
import os
import re
from pathlib import Path

import pytest

from lib.workflow.errors import UsageError
from skills.doc_sync.audit.findings import FindingKind
from skills.doc_sync.audit.pages import MAX_BYTES
from skills.doc_sync.audit.presence import JUNCTION, MAX_FILES
from skills.doc_sync.check import accepts, main
from skills.doc_sync.report import MAX_LINES
from tests.skills.doc_sync.folders import INDEX, made
from tests.skills.doc_sync.test_audit import HOME
from tests.subjects import ROOT
from tests.wording import carries

CONVENTIONS = Path(ROOT, "skills", "doc_sync", "conventions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["--no-such"], ["a", "b"], ["--folder"], ["/nonexistent"], [__file__]])
def test_wrong_usage_is_said_on_standard_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err


def test_folder_without_files_has_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([os.fspath(tmp_path)]) == 1
    made(tmp_path, {".gitignore": "a/\n", "a/b.md": "b"})
    assert main([os.fspath(tmp_path / "a")]) == 1
    assert "missing-index" in capsys.readouterr().out


def test_files_are_named_as_seen_from_where_the_command_was_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, {"a/b/c.md": "[x](y)", "a/README.md": "a", "a/CLAUDE.md": f"{INDEX}| `b`, `README.md` | x |\n"})
    monkeypatch.chdir(tmp_path)
    for directory, shown in (("a", "a/b/c.md"), ("./a/", "a/b/c.md"), ("a/b/..", "a/b/c.md")):
        assert main([directory]) == 1
        assert capsys.readouterr().out.splitlines()[1].startswith(f"{shown}:1: dead-link: ")


def test_a_folder_that_is_given_from_the_root_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {"README.md": "[x](y)"})
    assert main([os.fspath(tmp_path)]) == 1
    summary, line = capsys.readouterr().out.splitlines()
    assert carries(summary, f"1 … {tmp_path} … 1 … 1 dead-link")
    assert line.startswith("README.md:1: dead-link: ")


@pytest.mark.parametrize(("pages", "links"), [(1, 874), (80, 2), (150, 9), (300, 9)])
def test_many_findings_are_grouped_and_counted_and_the_rarest_kind_is_never_lost(
    pages: int, links: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "".join(f"[a](#none{n})\n" for n in range(links))
    made(tmp_path, HOME | {f"a/{n}.md": text for n in range(pages)} | {"z/z.md": "[a](none.md)"})
    main([os.fspath(tmp_path)])
    summary, *lines = capsys.readouterr().out.splitlines()
    assert f"{pages * links} dead-anchor" in summary
    assert len(lines) < MAX_LINES
    assert any(line.startswith("z/z.md:1: dead-link: ") for line in lines)
    assert main([os.fspath(tmp_path), "--all"]) == 1
    assert sum(": dead-anchor: " in line for line in capsys.readouterr().out.splitlines()) == pages * links


def test_folders_are_listed_with_what_each_has_and_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, {"README.md": "a", "a/b.txt": "b", ".c/d.txt": "d"})
    assert main([os.fspath(tmp_path), "--folders", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["folders"]
    assert [(row["folder"], row["files"], row["index"], row["needs_index"]) for row in rows] == [
        ("", 1, False, True),
        ("a", 1, False, False),
    ]
    assert main([os.fspath(tmp_path), "--folders"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 + 1


def test_printed_command_is_accepted_for_any_folder_name() -> None:
    accepts(["--folders", "--", "-it's $HOME"])
    with pytest.raises(UsageError):
        accepts(["--fix"])


def test_the_reference_names_every_kind_and_every_number() -> None:
    table = re.findall(r"^\| `([a-z-]+)` \| .", CONVENTIONS, re.MULTILINE)
    assert table == list(FindingKind)
    assert f" {JUNCTION} " in CONVENTIONS
    assert f" {MAX_FILES} " in CONVENTIONS
    assert f"larger than {MAX_BYTES >> 20} MiB" in CONVENTIONS
