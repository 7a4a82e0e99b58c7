"""The definitions of the roles."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.errors import WorkflowError
from lib.workflow.types import AgentRole
from skills.agents.definitions import FOLDER, LAUNCHED, Tool, definitions, read_definition
from tests.wording import carries

WRITING = {Tool.EDIT, Tool.WRITE}


def test_every_role_has_a_file_and_every_file_a_role() -> None:
    files = {name for name in os.listdir(FOLDER) if name.endswith(".md")}
    assert files == {f"{role}.md" for role in AgentRole} | {LAUNCHED}
    assert list(definitions()) == list(AgentRole)


@pytest.mark.parametrize("role", AgentRole)
def test_only_the_orchestrator_launches_agents_and_reaches_the_user(role: AgentRole) -> None:
    leads = role is AgentRole.ORCHESTRATOR
    for tool in (Tool.AGENT, Tool.ASK):
        assert (tool in read_definition(role).tools) is leads


@pytest.mark.parametrize("role", AgentRole)
def test_a_definition_fits_the_clients_forms(role: AgentRole) -> None:
    definition = read_definition(role)
    assert 0 < len(definition.description) <= 400
    assert not set("<>") & set(definition.description)
    assert len(set(definition.tools)) == len(definition.tools)
    assert len(definition.text) < 2_000


def test_read_only_roles_cannot_write() -> None:
    for role in (AgentRole.EXPLORE, AgentRole.ORCHESTRATOR):
        assert not WRITING & set(read_definition(role).tools)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda text: text.replace("tools: Bash", "tools: Agent, Bash"),
            "tools: Agent",
        ),
        (lambda text: text.replace("tools: Bash", "tools: Task, Bash"), "'Task'"),
        (lambda text: text.replace("tools: Bash", "tools: Bsh"), "'Bsh' … 'Bash'"),
        (lambda text: text.replace("tier: fast", "tier: quick"), "'quick'"),
        (lambda text: text.replace("name: explore", "name: explorer"), "name: 'explorer' … 'explore'"),
        (lambda text: text.replace("tier: fast\n", ""), "name, description, tools; write"),
        (lambda text: text.replace("tier:", "model:"), "name, description, tools, model; write"),
        (lambda text: text[: text.rindex("---") + 3], "text:"),
        (lambda text: text.replace("description: L", "description:\nL"), ":3: 'description:' … `key: value`"),
    ],
)
def test_a_malformed_definition_is_refused_with_file_and_part(
    tmp_path: Path, change: Callable[[str], str], says: str
) -> None:
    for name in ("explore.md", LAUNCHED):
        shutil.copy(os.path.join(FOLDER, name), tmp_path)
    path = tmp_path / "explore.md"
    assert read_definition(AgentRole.EXPLORE, str(tmp_path)) == read_definition(AgentRole.EXPLORE)
    path.write_text(change(path.read_text()))
    with pytest.raises(WorkflowError) as caught:
        read_definition(AgentRole.EXPLORE, str(tmp_path))
    assert str(caught.value).startswith(str(path))
    assert carries(str(caught.value), says)
