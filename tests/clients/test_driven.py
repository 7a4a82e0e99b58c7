"""Each client's program knows the words that the driver starts it with, and the names of its models."""

import asyncio
import os
import re

import pytest

from lib.workflow.run.agents import Attempt
from lib.workflow.run.clients import CLIENTS, MODEL, agent_of
from lib.workflow.run.job import Job
from lib.workflow.types import AgentRole, Tier
from tests.clients.models import OTHERS, OURS, STEP, Claude, Codex, Gemini, Model, has_a_key, listening
from tests.clients.programs import BIN, Somebody, empty_home

pytestmark = pytest.mark.clients
SUBCOMMANDS = {"codex": ["exec"], "opencode": ["run"]}


@pytest.mark.parametrize("name", CLIENTS)
def test_every_flag_is_one_of_its_own(name: str, newcomer: Somebody) -> None:
    told = newcomer.runs(str(BIN / name), *SUBCOMMANDS.get(name, []), "--help")
    legal = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", told.stdout + told.stderr))
    words = (*CLIENTS[name].words[1:], *MODEL)
    assert [word for word in words if word.startswith("-") and word != "-" and word not in legal] == []
    assert list(words[: len(SUBCOMMANDS.get(name, []))]) == SUBCOMMANDS.get(name, [])


@pytest.mark.parametrize(
    ("name", "choice"),
    [("claude", "acceptEdits"), ("codex", "workspace-write"), ("gemini", "auto_edit")],
)
def test_the_mode_that_it_is_started_in_is_one_of_its_choices(name: str, choice: str, newcomer: Somebody) -> None:
    told = newcomer.runs(str(BIN / name), *SUBCOMMANDS.get(name, []), "--help")
    assert choice in CLIENTS[name].words
    assert choice in told.stdout


def test_gemini_clis_own_pages_name_the_models() -> None:
    page = BIN.parent / "@google" / "gemini-cli" / "bundle" / "docs" / "cli" / "cli-reference.md"
    named = set(re.findall(r"^\| `([a-z-]+)` +\| `gemini-", page.read_text(), re.MULTILINE))
    assert set(CLIENTS["gemini"].models.values()) <= named


@pytest.mark.parametrize(
    ("model", "command", "runs"),
    [
        (Claude(), OURS, True),
        (Claude(), OTHERS, False),
        (Gemini(), OURS, True),
        (Gemini(), OTHERS, False),
        (Codex(), OURS, True),  # others run in its sandbox
    ],
    ids=["claude, ours", "claude, another", "gemini, ours", "gemini, another", "codex, ours"],
)
def test_an_agent_of_the_driver_may_run_our_commands(
    model: Model, command: str, runs: bool, newcomer: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    name = model.asks[0]
    has_a_key(newcomer.home)
    newcomer.runs("git", "init", "-q")  # elsewhere Codex does nothing unless its user has trusted the folder
    (newcomer.folder / "agents").mkdir()
    with listening(model, command) as heard:
        environment = {
            **empty_home(newcomer.home),
            **model.reached(newcomer.home, heard.address),
            "PATH": os.environ["PATH"],
        }
        job = Job(key="1", role=AgentRole.DEVELOPER, prompt="Go on", tier=Tier.FAST)
        folder = str(newcomer.folder / "agents")
        attempt = Attempt(job=job, number=1, folder=folder, environment=environment)
        reply = asyncio.run(agent_of(name, cwd=str(newcomer.folder)).work(attempt))
    assert "done" in reply
    assert (STEP in heard.told[-1].replace("\\u003c", "<")) == runs
    assert not (newcomer.folder / "trace").exists()
