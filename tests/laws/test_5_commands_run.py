"""Law 5: every printed command runs as it stands: from anywhere, whatever lies there, with nothing to fill in."""

import re

import pytest

from lib.workflow.ast.parse import parse
from lib.workflow.cli import read_call
from lib.workflow.command import Command
from tests.subjects import HOMES, HOSTILE_DIR, WORKFLOWS, commands_in, first, printed, run

PLACEHOLDER = re.compile(r"[<>{}]|\.\.\.|…|\bYOUR_|\bTODO\b")


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder whose own modules have our names, and break whoever imports them."""
    folder = tmp_path_factory.mktemp("trap")
    for name in ("skills/__init__.py", "lib/__init__.py", "tests/__init__.py", "json.py", "attrs.py"):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("raise SystemExit('a module of the working directory was imported')\n")
    return str(folder)


@pytest.mark.parametrize("command", printed(), ids=str)
def test_every_command_runs_from_the_root_and_from_a_folder_that_shadows_us(command: Command, trap: str) -> None:
    for folder in ("/", trap):
        result = run(command, folder)
        assert (result.returncode, result.stderr) == (0, "")
        assert parse(result.stdout) == printed()[command]


def test_every_command_names_a_step_that_its_target_has() -> None:
    commands = {inner for document in printed().values() for inner in commands_in(document)}
    assert commands <= printed().keys()
    assert {first(workflow) for workflow in WORKFLOWS} <= printed().keys()


@pytest.mark.parametrize("command", [c for c in printed() if c.module.startswith("skills.")], ids=str)
def test_no_command_has_anything_to_fill_in(command: Command) -> None:
    assert not PLACEHOLDER.search(str(command))


def test_a_state_directory_of_any_name_arrives_as_it_is() -> None:
    taking = [command for command in printed() if "state_dir" in HOMES[command.module].params]
    assert taking
    for command in taking:
        assert read_call(HOMES[command.module], command.words).context.workflow_params["state_dir"] == HOSTILE_DIR
