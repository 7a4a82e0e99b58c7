"""Each client's program accepts the words that the driver starts it with, and the names of its models."""

import asyncio
import os
import re
import shlex
import sys

import pytest

from lib.workflow.command import LAUNCHER_VARIABLE, Command
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.clients.job import Job
from lib.workflow.run.clients.presets import CLIENTS, MODEL, UNRESTRICTED, agent_of
from lib.workflow.run.spending.usage import usages
from lib.workflow.types import AgentRole
from tests.clients.models import (
    OTHERS,
    OURS,
    STEP,
    Claude,
    Codex,
    Copilot,
    Gemini,
    Model,
    OpenCode,
    has_a_key,
    listening,
)
from tests.clients.programs import BIN, Somebody, empty_home

pytestmark = pytest.mark.clients
SUBCOMMANDS = {"codex": ["exec"], "opencode": ["run"]}


def started(name: str) -> tuple[str, ...]:
    """Return the words that a client is started with, limited and not."""
    limited, lifted = (agent_of(each, packages=["skills"], also="/x") for each in (name, f"{name} {UNRESTRICTED}"))
    return (*limited.words[1:], *lifted.words[1:], *MODEL)


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("name", CLIENTS)
def test_every_flag_is_known_to_the_client(name: str, newcomer: Somebody) -> None:
    request = newcomer.runs(str(BIN / name), *SUBCOMMANDS.get(name, []), "--help")
    legal = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", request.stdout + request.stderr))
    words = [word.partition("=")[0] for word in started(name)]
    assert [word for word in words if word.startswith("-") and word != "-" and word not in legal] == []
    assert list(words[: len(SUBCOMMANDS.get(name, []))]) == SUBCOMMANDS.get(name, [])


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("claude", "acceptEdits"),
        ("claude", "bypassPermissions"),
        ("codex", "workspace-write"),
        ("gemini", "auto_edit"),
        ("gemini", "yolo"),
    ],
)
def test_permission_mode_is_known_to_the_client(name: str, choice: str, newcomer: Somebody) -> None:
    request = newcomer.runs(str(BIN / name), *SUBCOMMANDS.get(name, []), "--help")
    assert choice in started(name)
    assert choice in request.stdout


def test_gemini_clis_own_pages_name_the_models() -> None:
    page = BIN.parent / "@google" / "gemini-cli" / "bundle" / "docs" / "cli" / "cli-reference.md"
    named = set(re.findall(r"^\| `([a-z-]+)` +\| `gemini-", page.read_text(), re.MULTILINE))
    assert set(CLIENTS["gemini"].models.values()) <= named


PIP = f"{shlex.quote(sys.executable)} -P -m pip --version"
CODE = f"{shlex.quote(sys.executable)} -P -c 'print(1)'"
LIMITED = (Claude(), Gemini(), Copilot(), OpenCode())
NAMED = {model.asks[0]: model for model in (*LIMITED, Codex())}


def replied(model: Model, command: str, user: Somebody, named: str) -> str:
    """Return the client's reply to its model about a command that it wanted as an agent of the driver."""
    has_a_key(user.home)
    user.runs("git", "init", "-q")  # elsewhere Codex does nothing unless its user has trusted the folder
    (user.folder / "agents").mkdir()
    with listening(model, command) as heard:
        environment = {
            **empty_home(user.home),
            **model.reached(user.home, heard.address),
            "PATH": os.environ["PATH"],
            **{name: os.environ[name] for name in (LAUNCHER_VARIABLE,) if name in os.environ},
        }
        job = Job(key="1", role=AgentRole.DEVELOPER, prompt="Go on", tier=None)
        attempt = Attempt(job=job, number=1, folder=str(user.folder / "agents"), environment=environment)
        agent = agent_of(named, cwd=str(user.folder), packages=["skills"])
        assert "done" in asyncio.run(agent.work(attempt))
    return next(request for request in reversed(heard.requests) if model.done in request).replace("\\u003c", "<")


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("python", ["", "env X=1 {python} -P"], ids=["this interpreter", "env"])
def test_an_agent_of_the_driver_may_run_our_commands(
    name: str, python: str, newcomer: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    if python:
        monkeypatch.setenv(LAUNCHER_VARIABLE, python.format(python=sys.executable))
    command = str(Command("skills.deepthink.think", ("--step", "1")))
    assert command.startswith("env ") is bool(python)
    assert STEP in replied(NAMED[name], command, newcomer, name)


@pytest.mark.parametrize("model", LIMITED, ids=lambda model: model.asks[0])
@pytest.mark.parametrize(
    "command", [OTHERS, PIP, CODE, f"{OURS} && {OTHERS}"], ids=["another", "pip", "code", "a chain"]
)
def test_an_agent_of_the_driver_may_run_no_others(model: Model, command: str, newcomer: Somebody) -> None:
    request = replied(model, command, newcomer, model.asks[0])
    assert STEP not in request
    assert "pip 2" not in request
    assert not (newcomer.folder / "trace").exists()


@pytest.mark.parametrize("model", [*LIMITED, Codex()], ids=lambda model: model.asks[0])
def test_an_agent_whose_limits_are_lifted_may_run_others(model: Model, newcomer: Somebody) -> None:
    if os.geteuid() == 0 and isinstance(model, Claude):
        pytest.skip("Claude Code refuses root without limits")
    replied(model, OTHERS, newcomer, f"{model.asks[0]} {UNRESTRICTED}")
    assert (newcomer.folder / "trace").exists()


def test_claude_reports_its_price_whatever_its_user_has_set(newcomer: Somebody) -> None:
    (newcomer.home / ".claude").mkdir(parents=True)
    (newcomer.home / ".claude" / "settings.json").write_text('{"verbose": true}')
    replied(Claude(), OURS, newcomer, "claude")
    (used,) = usages(str(newcomer.folder)).values()
    assert used.reported
    assert used.dollars
    assert not used.estimated
