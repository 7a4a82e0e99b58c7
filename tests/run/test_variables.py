"""Variables of the environment: an agent gets no secrets but those of its client, and those that its user passes."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from lib.workflow.command.quoting import join
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.clients.job import Job
from lib.workflow.run.clients.presets import CLIENTS, agent_of, own_variables
from lib.workflow.run.clients.variables import check_names, is_secret, visible, withheld
from lib.workflow.types import AgentRole

SECRETS = (
    "AWS_SECRET_ACCESS_KEY",
    "AWS_PROFILE",
    "GITHUB_TOKEN",
    "SSH_AUTH_SOCK",
    "DATABASE_URL",
    "NPM_TOKEN",
    "NPM_CONFIG__AUTH",
    "npm_config__authToken",
    "STRIPE_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "PGPASSWORD",
    "MYSQL_PWD",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE_CLIENT_ID",
    "SENTRY_DSN",
    "VAULT_ADDR",
    "GIT_ASKPASS",
    "DEPLOY_PAT",
)
HARMLESS = (
    *("PATH", "HOME", "PWD", "OLDPWD", "LANG", "TERM", "SHELL", "USER", "TMPDIR", "VIRTUAL_ENV", "WORKFLOW_PYTHON"),
    *("GIT_AUTHOR_NAME", "XAUTHORITY", "KEYTIMEOUT", "TOKENIZERS_PARALLELISM", "MONKEY", "STEPSCRIPT_RUN", "CI"),
    *("DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME", "NODE_EXTRA_CA_CERTS", "COMPASS_HOME", "PASSENGERS"),
)


@pytest.mark.parametrize("name", SECRETS)
def test_variable_with_the_name_of_a_secret_is_withheld(name: str) -> None:
    assert withheld({name: "x"}, ()) == (name,)


@pytest.mark.parametrize("name", HARMLESS)
def test_other_variable_is_passed(name: str) -> None:
    assert visible({name: "x"}, ()) == {name: "x"}


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("SERVICE", "https://user:pass@host/x", True),
        ("SERVICE", "https://:pass@host", True),
        ("SERVICE", "https://host:80/a@b", False),
        ("SERVICE", "https://user@host/x", False),
        ("HTTPS_PROXY", "http://user:pass@proxy:80", False),
        ("all_proxy", "socks5://user:pass@proxy:80", False),
    ],
)
def test_address_with_a_password_is_withheld_unless_it_is_a_proxy(name: str, value: str, hidden: bool) -> None:
    assert is_secret(name, value) is hidden


@pytest.mark.parametrize(
    ("named", "own"),
    [
        ("claude", {"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"}),
        ("claude --unrestricted", {"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"}),
        ("codex", {"OPENAI_API_KEY", "CODEX_API_KEY", "AZURE_OPENAI_API_KEY"}),
        ("gemini", {"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"}),
        ("copilot", {"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"}),
        (
            "opencode",
            {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "AZURE_OPENAI_API_KEY"},
        ),
        (
            "my-agent --quiet",
            {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "AZURE_OPENAI_API_KEY"},
        ),
    ],
)
def test_client_gets_the_secrets_that_belong_to_it(named: str, own: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.run.clients.presets.which", lambda name: name)
    more = ("CLAUDE_CODE_OAUTH_TOKEN", "CODEX_API_KEY", "AZURE_OPENAI_API_KEY", "GOOGLE_API_KEY", "GH_TOKEN")
    names = (*SECRETS, *more, "COPILOT_GITHUB_TOKEN")
    for name in names:
        monkeypatch.setenv(name, "x")
    agent = agent_of(named, packages=["skills"])
    assert {name for name in names if name in agent.environment} == own
    assert "PATH" in agent.environment


def test_provider_that_claude_is_switched_to_has_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CODE_USE_BEDROCK", raising=False)
    assert "AWS_*" not in own_variables("claude")
    monkeypatch.setenv("CLAUDE_CODE_USE_BEDROCK", "1")
    assert "AWS_*" in own_variables("claude")


def test_every_client_names_its_variables() -> None:
    for client in CLIENTS.values():
        check_names(client.variables)
        assert client.variables


@pytest.mark.parametrize("name", ["", "*", "A B", "A=B", "1A", "A**", "Ä", "A\n", "A" * 200])
def test_text_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="variable"):
        check_names([name])


@pytest.mark.parametrize(("passes", "names"), [((), []), (("NPM_*",), ["NPM_TOKEN"]), (("MY_KEY",), ["MY_KEY"])])
def test_program_is_started_with_what_its_user_passes(
    passes: tuple[str, ...], names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NPM_TOKEN", "MY_KEY"):
        monkeypatch.setenv(name, "x")
    script = tmp_path / "agent.py"
    script.write_text("import json, os; print(json.dumps([n for n in ('NPM_TOKEN', 'MY_KEY') if n in os.environ]))")
    monkeypatch.setenv("AGENT", str(script))
    code = "import os; exec(open(os.environ['AGENT']).read())"
    agent = agent_of(join((sys.executable, "-c", code)), passes=passes)
    attempt = Attempt(
        job=Job(key="1.1", role=AgentRole.EXPLORE, prompt="x"), number=1, folder=str(tmp_path), seconds=60
    )
    assert json.loads(asyncio.run(agent.work(attempt))) == names


def test_program_finds_its_working_folder_in_its_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", "/")  # a client such as OpenCode works there, whatever its working folder is
    agent = agent_of(join((sys.executable, "-c", "import os; print(os.environ['PWD'])")), cwd=str(tmp_path))
    attempt = Attempt(
        job=Job(key="1.1", role=AgentRole.EXPLORE, prompt="x"), number=1, folder=str(tmp_path), seconds=60
    )
    assert asyncio.run(agent.work(attempt)).strip() == str(tmp_path)
