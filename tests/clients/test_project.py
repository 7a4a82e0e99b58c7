"""Each client finds every skill and every role in a project in which they were just installed."""

import json
import tomllib
from pathlib import Path

import pytest

from tests.clients.installed import NAMES, ROLES
from tests.clients.programs import BIN, Somebody

pytestmark = pytest.mark.clients


@pytest.mark.parametrize("part", [".claude", ".claude/skills", ".claude/agents"])
def test_claude_code_validates_the_installed_files(part: str, member: Somebody) -> None:
    assert json.loads(member.asks("claude", "plugin", "validate", "--strict", "--json", part))["success"]


def test_codex_shows_its_model_every_skill(member: Somebody) -> None:
    prompt = member.asks("codex", "debug", "prompt-input", "hi")
    assert {name for name in NAMES if f"/{name}/SKILL.md" in prompt} == NAMES


def test_gemini_cli_has_every_skill_enabled_and_complains_of_nothing(member: Somebody) -> None:
    output = member.runs(str(BIN / "gemini"), "skills", "list")
    assert {name for name in NAMES if f"\n{name} [Enabled]" in output.stdout} == NAMES
    assert "error" not in output.stderr.lower()


def test_copilot_cli_has_every_skill_enabled(member: Somebody) -> None:
    listed = json.loads(member.asks("copilot", "skill", "list", "--json"))
    assert {skill["name"] for skill in listed if skill["enabled"] and skill["source"] == "project"} == NAMES


def test_opencode_finds_every_skill(member: Somebody) -> None:
    listed = json.loads(member.asks("opencode", "debug", "skill"))
    assert {skill["name"] for skill in listed} >= NAMES


@pytest.mark.parametrize("name", sorted(ROLES))
def test_opencode_knows_every_role_and_lets_none_launch_agents(name: str, member: Somebody) -> None:
    role = json.loads(member.asks("opencode", "debug", "agent", name))
    assert (role["mode"], role["tools"]["bash"], role["tools"]["task"]) == ("subagent", True, False)


def test_the_roles_of_codex_are_complete(project: Path) -> None:
    for name in ROLES:
        role = tomllib.loads((project / ".codex" / "agents" / f"{name}.toml").read_text())
        assert role.keys() == {"name", "description", "developer_instructions"}
        assert role["name"] == name
