"""Law 5: every printed command runs as it stands, with nothing to fill in. That each runs is in the proof."""

import re

import pytest

from lib.workflow.ast.parse import parse
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.testing.generate import HOSTILE
from tests.subjects import PROOF, WORKFLOWS, first, printed, run

PLACEHOLDER = re.compile(r"[<>{}]|\.\.\.|…|\bYOUR_|\bTODO\b")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_a_workflow_starts_from_the_root_folder_too(workflow: Workflow) -> None:
    command = first(workflow)
    PROOF.stage.ready(workflow, PROOF.targets.step(command))
    result = run(command)
    assert (result.returncode, result.stderr) == (0, "")
    assert parse(result.stdout) == PROOF.prints.of(command)


def test_no_command_has_anything_to_fill_in() -> None:
    ours = [command for command in printed() if command.module.startswith("skills.") and not told_hostile(command)]
    assert ours
    assert not [command for command in ours if PLACEHOLDER.search(str(command))]


def told_hostile(command: Command) -> bool:
    """Whether one of its words is a hostile text, which every command after it may carry on."""
    return any(text in word for word in command.words for text in HOSTILE)


def test_a_state_directory_of_any_name_arrives_as_it_is() -> None:
    taking = [command for command in printed() if "state_dir" in PROOF.targets.workflows[command.module].params]
    assert taking
    assert set("'$ é") < set(PROOF.stage.directory)
    assert all(PROOF.targets.values(command)["state_dir"] == PROOF.stage.directory for command in taking)
