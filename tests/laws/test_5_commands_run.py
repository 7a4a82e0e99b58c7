"""Law 5: every printed command runs unchanged, without placeholders. The proof runs each of them."""

import re
from pathlib import Path

import pytest

from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import InvokeAfter
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.testing.generate import HOSTILE
from lib.workflow.testing.inprocess import run_here
from tests.subjects import PROOF, WORKFLOWS, first, printed, run

PLACEHOLDER = re.compile(r"[<>{}]|\.\.\.|…|\bYOUR_|\bTODO\b")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_a_workflow_starts_from_the_root_folder_too(workflow: Workflow, monkeypatch: pytest.MonkeyPatch) -> None:
    command = first(workflow)
    PROOF.stage.ready(workflow, PROOF.targets.step(command))
    monkeypatch.chdir("/")
    result = run_here(command, PROOF.targets.given(command))
    assert (result.status, result.errors) == (0, "")
    assert parse(result.out) == PROOF.prints.of(command)


def test_run_with_a_relative_state_directory_continues_from_another_folder(tmp_path: Path) -> None:
    words = ("--step", "1", "--task", "add rate limiting", "--state-dir", "st")
    begun = run(Command("skills.planner.orchestrator.planner", words), cwd=str(tmp_path))
    assert (begun.returncode, begun.stderr) == (0, "")
    after = parse(begun.stdout).blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert after.invoke
    assert run(after.invoke.command).returncode == 0


def test_no_command_has_anything_to_fill_in() -> None:
    ours = [command for command in printed() if command.module.startswith("skills.") and not told_hostile(command)]
    assert ours
    assert not [command for command in ours if PLACEHOLDER.search(str(command))]


def told_hostile(command: Command) -> bool:
    """Return True if one of its words is a hostile text, which every later command may carry on."""
    return any(text in word for word in command.words for text in HOSTILE)


def test_state_directory_with_a_hostile_name_arrives_unchanged() -> None:
    given = {command: PROOF.stage.given(PROOF.targets.workflows[command.module]) for command in printed()}
    taking = [command for command, paths in given.items() if "state_dir" in paths]
    assert taking
    assert set("'$ é") < set(PROOF.stage.directory)
    assert all(PROOF.targets.values(command)["state_dir"] == given[command]["state_dir"] for command in taking)
