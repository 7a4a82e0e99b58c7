"""Each client may run only our commands, unless its user lifts that limit."""

import json
import os
import re
from pathlib import Path

import pytest

from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.host import starter
from lib.workflow.app.install.wanted import Selection, wanted
from lib.workflow.command import LAUNCHER_VARIABLE
from lib.workflow.command.permissions import claude_rule, gemini_policy
from lib.workflow.run.clients.agents import CommandAgent
from lib.workflow.run.clients.client_files import written
from lib.workflow.run.clients.presets import CLIENTS, UNRESTRICTED, agent_of
from lib.workflow.state.run_dirs import user_folder

WIDE = ("--allow-all", "--auto", "--yolo", "yolo", "bypass", "dangerous", "danger-full-access", "--allow-tool=shell")
"""Options of the clients that allow more than our commands."""


@pytest.fixture(autouse=True)
def _everything_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.run.clients.presets.which", lambda name: name)


def command_line(agent: CommandAgent) -> str:
    """Return everything that a client is started with."""
    return "\n".join((*agent.words, *agent.environment.values(), *agent.files.values()))


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_is_limited_unless_it_is_said_to_be_unrestricted(name: str) -> None:
    limited = agent_of(name, packages=["skills"])
    lifted = agent_of(f"{name} {UNRESTRICTED}", packages=["skills"])
    assert [word for word in limited.words for wide in WIDE if wide in word] == []
    assert [word for word in lifted.words for wide in WIDE if wide in word] != []
    assert "-m *" not in command_line(limited)
    assert limited.words[0] == lifted.words[0] == name


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_may_use_the_run_directory_beside_a_worktree(name: str) -> None:
    also = "/p q/{model}/run"
    agent = agent_of(name, packages=["skills"], also=also)
    said = "\n".join((*agent.words, *agent.environment.values()))
    assert ("{also}" in said, agent.also) == (True, also) if name != "opencode" else also in said
    assert "{also}" not in command_line(agent_of(name, packages=["skills"]))


@pytest.mark.parametrize("python", ["'/p q/python' -P", "env X=1 /p/python -P"])
def test_a_run_and_an_installation_have_the_same_rule(python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, python)
    rule, policy = claude_rule("skills"), gemini_policy(["skills"])
    assert rule == f"Bash({python} -m skills.*)"
    started = claude_rule("skills", starter.path())
    installed = wanted(Selection(tuple(Agent)), Scope.USER)
    assert [entries.rules for entries in installed.entries if entries.rules] == [(started, rule)]
    assert [f"\n{policy}" in file.text for file in installed.files if file.path.endswith("stepscript.toml")] == [True]
    assert f"--allowed-tools={rule}" in agent_of("claude", packages=["skills"]).words
    assert [*agent_of("gemini", packages=["skills"]).files.values()] == [policy]


@pytest.mark.parametrize("name", ["claude", "opencode"])
def test_a_client_that_cannot_be_limited_is_not_started(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, "'/a*b/python' -P")
    with pytest.raises(ValueError, match=re.escape(UNRESTRICTED)):
        agent_of(name, packages=["skills"])
    assert agent_of(f"{name} {UNRESTRICTED}", packages=["skills"]).words[0] == name


def test_unrestricted_flag_is_refused_for_a_custom_program() -> None:
    with pytest.raises(ValueError, match="--unrestricted"):
        agent_of(f"my-agent --quiet {UNRESTRICTED}")


def test_files_are_where_no_agent_of_a_project_writes_and_are_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    files = agent_of("copilot", packages=["skills"]).files
    folder = Path(written(files))
    assert folder.is_relative_to(user_folder())
    assert json.loads((folder / "plugin.json").read_text())["hooks"] == "hooks.json"
    before = os.stat(folder / "hooks.json").st_ino
    assert written(files) == str(folder)
    assert os.stat(folder / "hooks.json").st_ino == before
    (folder / "hooks.json").write_text("{}")
    assert written(files) == str(folder)
    assert (folder / "hooks.json").read_text() == files["hooks.json"]
    assert written({**files, "hooks.json": "{}"}) != str(folder)
