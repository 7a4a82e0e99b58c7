"""Trees that were made to mislead the check, or to make it run something."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lib.workflow.state import git
from skills.doc_sync.audit import git as audit_git
from skills.doc_sync.audit.pages import MAX_BYTES
from skills.doc_sync.check import main
from tests.skills.doc_sync.folders import INDEX, found, made
from tests.skills.doc_sync.test_audit import HOME

FORGED = "a.md:7: dead-link: x"


@pytest.mark.parametrize("name", ["a\nb.md:1: prose: c", FORGED, "\udcff.md", "--json", "\u202egpj.md", "a'\"$x`.md"])
def test_file_name_is_printed_on_one_line_and_forges_no_finding(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, HOME)
    (tmp_path / name).write_text("[a](none.md)\n" if name.endswith(".md") else "a")
    assert main([os.fspath(tmp_path)]) == 1
    _, *lines = capsys.readouterr().out.splitlines()
    kinds = [line.split(": ")[1] for line in lines]
    assert sorted(kinds) == (["dead-link", "missing-entry"] if name.endswith(".md") else ["missing-entry"])
    assert all(line.isprintable() for line in lines)
    assert not any(line.startswith("a.md:7:") for line in lines)


@pytest.mark.parametrize(
    "target", ["none\nb.md:1: prose: c", "none%0Ab.md:1:%20prose:%20c", "x" * 5000, "%FF%00", "#" * 300, "?", "%"]
)
def test_a_link_forges_no_finding(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {"README.md": f"[a](<{target}>)"})
    main([os.fspath(tmp_path)])
    assert all(
        line.startswith("README.md:1: dead-") and len(line) < 500 for line in capsys.readouterr().out.splitlines()[1:]
    )


def test_a_page_that_cannot_be_read_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = made(tmp_path / "outside", {"secret.md": "[a](none.md)"})
    inside = made(tmp_path / "inside", HOME | {"large.md": "a" * (MAX_BYTES + 1)})
    (inside / "latin.md").write_bytes(b"gr\xfc\xdfe")
    (inside / "link.md").symlink_to(outside / "secret.md")
    (inside / "gone.md").symlink_to(inside / "none.md")
    rows = "".join(f"| `{name}` | x |\n" for name in ("gone.md", "large.md", "latin.md", "link.md", "README.md"))
    (inside / "CLAUDE.md").write_text(INDEX + rows)
    unreadable = [(name, 1, "unreadable") for name in ("gone.md", "large.md", "latin.md", "link.md")]
    assert found(inside, capsys) == unreadable


def test_targets_behind_a_linked_folder_are_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(
        tmp_path,
        HOME | {"a/b.md": "# b", "README.md": "[b](c/b.md)", "CLAUDE.md": f"{INDEX}| `README.md`, `a`, `c` | x |\n"},
    )
    (tmp_path / "c").symlink_to("a")
    assert found(tmp_path, capsys) == []


def test_a_repositorys_own_settings_run_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {"README.md": "[a](x)"})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "core.hooksPath", "core.pager", "core.sshCommand"):
        subprocess.run(["git", "-C", tmp_path, "config", name, program], check=True)
    assert found(tmp_path, capsys) == [("CLAUDE.md", 1, "missing-entry"), ("README.md", 1, "dead-link")]
    assert not (tmp_path / "ran").exists()


def test_the_callers_git_directory_is_not_the_one_that_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, HOME)
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    assert found(tmp_path, capsys) == []


DEEP = {
    "quotes": "".join(f"{'> ' * level}a\n" for level in range(200)),
    "lists": "".join(f"{'  ' * level}- a\n" for level in range(200)),
    "emphasis": "*a _b " * 200 + "[a](none.md)" + " b_ a*" * 200,
}
FLAT = {"brackets": "[" * 3000, "stars": "*a " * 3000, "cells": "|" * 3000 + "\n" + "|-" * 3000, "dashes": "- " * 40}


@pytest.mark.parametrize(
    ("text", "kind"), [*((t, "unreadable") for t in DEEP.values()), *((t, "dead-link") for t in FLAT.values())]
)
def test_too_deep_nesting_is_a_finding(
    text: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, HOME | {"README.md": f"{text}\n\n[a](none.md)"})
    assert [found_kind for _, _, found_kind in found(tmp_path, capsys)] == [kind]


def test_missing_git_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert main([os.fspath(tmp_path)]) == 2
    assert "git" in capsys.readouterr().err


@pytest.mark.parametrize(("where", "limit", "value"), [(audit_git, "MAX_FILES", 1), (git, "TIME", 0)])
def test_beyond_its_limits_it_refuses(
    where: ModuleType,
    limit: str,
    value: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(where, limit, value)
    assert main([os.fspath(made(tmp_path, HOME))]) == 2
    assert capsys.readouterr().out == ""


def test_repository_that_git_cannot_read_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {".git": "gitdir: /nonexistent\n"})
    assert main([os.fspath(tmp_path)]) == 2
    assert capsys.readouterr().out == ""


def test_check_runs_as_a_process_in_any_locale(tmp_path: Path) -> None:
    made(tmp_path, HOME | {"größe.txt": "a"})
    run = subprocess.run(
        [sys.executable, "-P", "-m", "skills.doc_sync.check", "."],
        capture_output=True, cwd=tmp_path, encoding="utf-8", env={"LC_ALL": "C", "PATH": os.environ["PATH"]}, check=False,
    )  # fmt: skip
    line = run.stdout.splitlines()[1]
    assert (run.returncode, line.split(": ")[:2]) == (1, ["CLAUDE.md:1", "missing-entry"])
    assert "größe.txt" in run.stdout
