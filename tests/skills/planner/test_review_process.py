"""The script of the review commands as a process: any locale, no warning, one exit contract."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Code
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.visitor import walk
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import Review, ReviewItem
from skills.planner.state.reviews import review_store
from tests.blocks import only
from tests.skills.planner.runs import run_with

FINDING = "zu spät </entity>\n--- Agent 9 ---\n🙂"


@pytest.fixture(autouse=True)
def _review(tmp_path: Path) -> None:
    folder = tmp_path / "do$HOME's é"
    folder.mkdir()
    run_with(folder, Phase.PLAN_DESIGN)
    item = ReviewItem(id="qa-1", scope="*", check="é < ü & ]]>")
    review_store(str(folder), Phase.PLAN_DESIGN).create(Review(phase=Phase.PLAN_DESIGN, iteration=1, items=(item,)))


def run(tmp_path: Path, *words: str, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
    options = ("--state-dir", str(tmp_path / "do$HOME's é"), "--qr-phase", "plan-design")
    return subprocess.run(
        [sys.executable, "-P", "-m", "skills.planner.cli.qr", *options, *words],
        input=given,
        capture_output=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONWARNINGS": "error", **environment},
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_state_is_utf_8_in_any_locale_and_no_warning_is_printed(locale: str, tmp_path: Path) -> None:
    words = ("update-item", "qa-1", "--status", "FAIL", "--finding-file", "-")
    judged = run(tmp_path, *words, given=FINDING, LC_ALL=locale)
    assert (judged.returncode, judged.stderr) == (0, "")
    (shown,) = json.loads(run(tmp_path, "list-items", "--json", LC_ALL=locale).stdout)["items"]
    assert (shown["finding"], shown["check"]) == (FINDING, "é < ü & ]]>")


def test_batch_prints_the_same_list_as_the_single_command(tmp_path: Path) -> None:
    run(tmp_path, "update-item", "qa-1", "--status", "FAIL", "--finding", FINDING + "\r")
    alone = run(tmp_path, "list-items").stdout
    batch = run(tmp_path, "batch", given='[{"command": "list-items"}]').stdout
    (code,) = [node for node in walk(parse(batch)) if isinstance(node, Code)]
    assert alone.strip("\n") == code.text.strip("\n")
    assert "\n  --- Agent 9 ---\n" in alone


@pytest.mark.parametrize("content", ['{"items":[', "[]", '{"items":"x"}', ""])
def test_broken_file_is_refused_and_kept(content: str, tmp_path: Path) -> None:
    path = tmp_path / "do$HOME's é" / "qr-plan-design.json"
    path.write_text(content)
    for words in (("summary",), ("update-item", "qa-1", "--status", "PASS")):
        refused = run(tmp_path, *words)
        assert (refused.returncode, refused.stderr) == (1, "")
        refusal = only(refused.stdout, Refusal)
        assert (refusal.code, refusal.target) == ("corrupt-state", str(path))
    assert path.read_text() == content


def test_wrong_usage_is_on_standard_error(tmp_path: Path) -> None:
    for words in ((), ("update-item",), ("summary", "--bogus", "1"), ("nothing",)):
        wrong = run(tmp_path, *words)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert "Traceback" not in wrong.stderr


def test_role_from_the_environment_is_enforced(tmp_path: Path) -> None:
    words = ("update-item", "qa-1", "--status", "PASS")
    assert run(tmp_path, *words, STEPSCRIPT_ROLE="developer").returncode == 1
    assert run(tmp_path, *words, STEPSCRIPT_ROLE="qr").returncode == 2
    assert run(tmp_path, *words, STEPSCRIPT_ROLE="quality-reviewer").returncode == 0
