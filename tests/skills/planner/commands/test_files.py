"""Commands with unusable state files, and in hostile places."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.cli.table.run import main
from lib.workflow.codec import codec
from skills.planner.schema.plan.document import Plan
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import CODE, DOCS, PLAN

DECIDE = ("set-decision", "--decision", "x", "--reasoning", "y")


def spoiled(**parts: object) -> str:
    """Return PLAN's JSON with some parts replaced."""
    return json.dumps({**json.loads(codec(Plan).dumps(PLAN)), **parts})


CORRUPT = {
    "cut off": ('{"milestones": [', "1, column 17"),
    "no object": ("[]", ""),
    "empty": ("", "JSON"),
    "an unknown key": (spoiled(milestons=[]), "milestones"),
    "a version in quotes": (spoiled(version="2"), "version"),
    "milestones that are not a list": (spoiled(milestones="x"), "milestones"),
    "a path out of the project": (spoiled(milestones=[{"id": "M-001", "name": "x", "files": ["/etc/passwd"]}]), "[0]"),
    "a key twice": ('{"version": 1, "version": 2}', "'version'"),
}


@pytest.mark.parametrize("name", CORRUPT)
@pytest.mark.parametrize("words", [("list",), DECIDE, ("batch",)], ids=lambda words: str(words[0]))
def test_unusable_file_is_reported_with_its_path_and_kept(state: str, name: str, words: tuple[str, ...]) -> None:
    text, needle = CORRUPT[name]
    path = Path(state, "plan.json")
    path.write_text(text, encoding="utf-8")
    ran = console.plan(state, *words, given='[{"command": "list"}]')
    assert (ran.status, ran.refusal.code, ran.refusal.target) == (1, "corrupt-state", str(path))
    assert needle in ran.refusal.message
    assert ran.refusal.fix
    assert path.read_text(encoding="utf-8") == text


def test_broken_references_on_disk_are_reported_and_can_be_fixed_stepwise(state: str) -> None:
    broken = evolve(PLAN, milestones=(DOCS,), diagram_graphs=())
    plan_store(state).change(lambda _: (evolve(broken, waves=(*PLAN.waves, evolve(PLAN.waves[0], id="W-002"))), None))
    assert console.plan(state, "validate").refusal.code == "invalid-plan"
    assert console.plan(state, "remove", "--id", "W-001", "--version", "1").status == 0
    assert console.plan(state, *DECIDE).status == 0
    assert console.plan(state, "set-wave", "--milestone", "M-007").refusal.code == "broken-reference"
    assert console.plan(state, "remove", "--id", "W-002", "--version", "1").status == 0
    assert console.plan(state, "validate").status == 0


def test_unusable_file_of_another_kind_does_not_block_a_command(state: str) -> None:
    Path(state, "qr-plan-design.json").write_text("{", encoding="utf-8")
    assert console.plan(state, *DECIDE).status == 0


def test_call_without_a_state_directory_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(console.PLAN_HOME, ["list"]) == 2
    assert "--state-dir" in capsys.readouterr().err


def test_text_is_utf_8_in_any_locale_without_warnings(state: str, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('not this one')", encoding="utf-8")
    command = [sys.executable, "-P", "-W", "error", "-m", "skills.planner.cli.plan", "--state-dir", state]
    environment = {"LC_ALL": "C", "PATH": os.environ["PATH"]}
    ran = [
        subprocess.run([*command, *words], capture_output=True, cwd=tmp_path, env=environment, check=False)
        for words in (("set-decision", "--decision", "naïve → 好 😀", "--reasoning", "y"), ("get", "--id", "DL-002"))
    ]
    assert [(each.returncode, each.stderr) for each in ran] == [(0, b"")] * 2
    assert "naïve → 好 😀" in ran[1].stdout.decode("utf-8")
    assert plan_store(state).load().planning_context.decisions[1].decision == "naïve → 好 😀"


def test_validate_lists_everything_that_is_wrong_at_once(state: str) -> None:
    plan_store(state).change(lambda _: (evolve(PLAN, milestones=(evolve(CODE, code_changes=()), DOCS), waves=()), None))
    refusal = console.plan(state, "validate", "--phase", "plan-code").refusal
    lines = refusal.message.splitlines()
    assert refusal.target == "plan-code"
    assert [line.partition(":")[0] for line in lines] == ["M-001.waves", "CI-M-001-001.code_changes"]
