"""Every first command runs in Codex's sandbox, which protects `.git`, `.codex` and `.agents` from writes."""

import os
from pathlib import Path

import pytest

from tests.clients.installed import NAMES, first_command
from tests.clients.programs import BIN, Somebody
from tests.subjects import ROOT

pytestmark = pytest.mark.clients
SANDBOX = (str(BIN / "codex"), "sandbox", "-c", 'sandbox_mode="workspace-write"', "--", "bash", "-c")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_first_command_of_an_installed_skill_runs(name: str, member: Somebody) -> None:
    skill = member.folder / ".agents" / "skills" / name / "SKILL.md"
    assert "<step_header" in member.runs(*SANDBOX, first_command(skill, member.folder)).stdout


@pytest.mark.parametrize("name", sorted(NAMES))
def test_first_command_of_a_plugin_runs_if_the_package_is_installed(
    name: str, plugin: Path, newcomer: Somebody
) -> None:
    command = first_command(plugin / "skills" / name / "SKILL.md", newcomer.folder)
    has_it = f"STEPSCRIPT_PYTHON={ROOT}/.venv/bin/python"
    assert "<step_header" in newcomer.runs(*SANDBOX, f"{has_it} {command}").stdout


def test_missing_package_prints_the_install_command(plugin: Path, newcomer: Somebody) -> None:
    command = first_command(plugin / "skills" / "planner" / "SKILL.md", newcomer.folder)
    output = newcomer.runs("bash", "-c", f"PATH={os.defpath} {command}", status=3)
    assert "uv tool install stepscript" in output.stdout
