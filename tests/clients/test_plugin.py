"""Each client accepts the bundle as a plugin, and has every skill of it."""

import json
from pathlib import Path

import pytest

from tests.clients.installed import NAMES, ROLES
from tests.clients.programs import BIN, Somebody

pytestmark = pytest.mark.clients
PLUGIN = "stepscript@stepscript-skills"


def test_claude_code_finds_no_fault_in_it(plugin: Path, newcomer: Somebody) -> None:
    data = json.loads(newcomer.asks("claude", "plugin", "validate", "--strict", "--json", str(plugin)))
    assert data["success"]
    assert set(data["provides"]["skills"]) == {f"stepscript:{name}" for name in NAMES}
    assert set(data["provides"]["agents"]) == {f"stepscript:{name}" for name in ROLES}
    assert [hook["event"] for hook in data["provides"]["hooks"]] == ["SessionStart"]


def test_claude_code_installs_it(plugin: Path, newcomer: Somebody) -> None:
    newcomer.asks("claude", "plugin", "marketplace", "add", str(plugin))
    newcomer.asks("claude", "plugin", "install", PLUGIN)
    listed = json.loads(newcomer.asks("claude", "plugin", "list", "--json"))
    assert [item["enabled"] for item in listed if item["id"] == PLUGIN] == [True]


def test_codex_installs_it_and_shows_its_model_every_skill(plugin: Path, newcomer: Somebody) -> None:
    newcomer.asks("codex", "plugin", "marketplace", "add", str(plugin))
    newcomer.asks("codex", "plugin", "add", PLUGIN)
    prompt = newcomer.asks("codex", "debug", "prompt-input", "hi")
    assert {name for name in NAMES if f"stepscript:{name}:" in prompt} == NAMES


def test_copilot_cli_installs_it(plugin: Path, newcomer: Somebody) -> None:
    newcomer.asks("copilot", "plugin", "marketplace", "add", str(plugin))
    newcomer.asks("copilot", "plugin", "install", PLUGIN)
    listed = json.loads(newcomer.asks("copilot", "skill", "list", "--json"))
    assert {skill["name"] for skill in listed} >= NAMES


def test_gemini_cli_installs_it_and_complains_of_nothing(plugin: Path, newcomer: Somebody) -> None:
    newcomer.asks("gemini", "extensions", "validate", str(plugin))
    newcomer.asks("gemini", "extensions", "install", str(plugin), "--consent")
    data = newcomer.runs(str(BIN / "gemini"), "skills", "list")
    assert {name for name in NAMES if f"\n{name} [Enabled]" in data.stdout} == NAMES
    assert "error" not in data.stderr.lower()
