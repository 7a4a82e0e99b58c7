"""Programs of agents: how each is started without a person, its permissions, its variables, and its models by tier."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from ...command import Command, launcher
from ...command.permissions import claude_rule, gemini_policy, opencode_settings
from ...command.quoting import ShellError, join, split
from ...types import Tier
from ...util.search_path import which
from .agents import CommandAgent, RoleAgents
from .prices import prices_of
from .roles import UNRESTRICTED as UNRESTRICTED
from .roles import by_role
from .variables import PROVIDERS, visible, withheld

FILE: Final = "Read the file {prompt} and do what it says."


@frozen(kw_only=True)
class Grant:
    """The start options that let a client change files of the project and run our commands, and no others."""

    words: tuple[str, ...] = ()
    environment: Mapping[str, str] = MappingProxyType({})
    files: Mapping[str, str] = MappingProxyType({})
    """Contents by name. `{files}` in the words is their folder, where agents cannot write."""


@frozen(kw_only=True)
class Client:
    """One program. It reads its prompt from standard input, or from the file `{prompt}` in its words."""

    words: tuple[str, ...]
    limited: Callable[[tuple[str, ...], str], Grant | None]
    """Function that returns its grant for the commands of packages, and for a folder beside the working directory;
    None if it has no way to express it.
    """
    unlimited: tuple[str, ...]
    """Words that lift its limits."""
    variables: tuple[str, ...]
    """Variables with secrets that belong to it: names, or beginnings of names with `*`."""
    switched: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Further ones that belong to it if a variable is set, which chooses a provider."""
    prompt: tuple[str, ...] = ()
    """Last words, which name the prompt."""
    is_priced: bool = False
    """True if it reports the price of its work."""
    also: tuple[str, ...] = ()
    """Words that let it use the folder `{also}` too, which is outside of its working directory."""
    models: Mapping[Tier, str] = MappingProxyType({})
    """Model names of the program itself, valid for every user. A tier without one uses the model that the
    user configured.
    """


def _claude(packages: tuple[str, ...], also: str) -> Grant | None:
    rules = [claude_rule(package) for package in packages]
    said = [rule for rule in rules if rule is not None]
    words = ("--permission-mode", "acceptEdits", *(f"--allowed-tools={rule}" for rule in said))
    return Grant(words=words) if said == rules else None


def _codex(packages: tuple[str, ...], also: str) -> Grant:
    """Return the sandbox option: any command runs, but without the network and files outside the project."""
    return Grant(words=("--sandbox", "workspace-write"))


def _gemini(packages: tuple[str, ...], also: str) -> Grant:
    words = ("--approval-mode", "auto_edit", "--policy", "{files}/stepscript.toml")
    return Grant(words=words, files={"stepscript.toml": gemini_policy(packages)})


def _copilot(packages: tuple[str, ...], also: str) -> Grant:
    """Return a plugin with a hook: the client's own rules permit whole programs, such as Python with any code."""
    command = str(Command(HOOK, packages))
    hooks = {"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": command, "timeoutSec": 30}]}}
    plugin = {"name": "stepscript-permission", "version": "1.0.0", "description": "Permits the commands of stepscript"}
    return Grant(
        words=("--allow-tool=write", "--plugin-dir={files}"),
        files={"plugin.json": json.dumps({**plugin, "hooks": "hooks.json"}), "hooks.json": json.dumps(hooks)},
    )


def _opencode(packages: tuple[str, ...], also: str) -> Grant | None:
    settings = opencode_settings(packages, also)
    return None if settings is None else Grant(environment={"OPENCODE_CONFIG_CONTENT": settings})


CLAUDE_FORMAT: Final = ("--output-format", "json", "--settings", '{"verbose": false}')
"""Words that make it print the reply with its price, as one object whatever the user's own settings say."""
HOOK: Final = "lib.workflow.command.permission_hook"
MODEL: Final = ("--model", "{model}")
"""Words that choose a model, the same for all programs (tested in tests/clients)."""
CLIENTS: Final[Mapping[str, Client]] = MappingProxyType(
    {
        "claude": Client(
            words=("claude", "-p", *CLAUDE_FORMAT),
            limited=_claude,
            unlimited=("--permission-mode", "bypassPermissions"),
            also=("--add-dir={also}",),
            is_priced=True,
            variables=("ANTHROPIC_*", "CLAUDE_*"),
            switched=MappingProxyType(
                {
                    "CLAUDE_CODE_USE_BEDROCK": ("AWS_*",),
                    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_APPLICATION_CREDENTIALS",),
                }
            ),
            models=MappingProxyType({Tier.FAST: "haiku", Tier.STANDARD: "sonnet", Tier.STRONG: "opus"}),
        ),
        "codex": Client(
            words=("codex", "exec"),
            limited=_codex,
            unlimited=("--dangerously-bypass-approvals-and-sandbox",),
            variables=("AZURE_OPENAI_API_KEY", "CODEX_*", "OPENAI_*"),
            prompt=("-",),
            also=("--add-dir", "{also}"),
        ),
        "gemini": Client(
            words=("gemini",),
            limited=_gemini,
            unlimited=("--approval-mode", "yolo"),
            variables=("GEMINI_*", "GOOGLE_*"),
            also=("--include-directories", "{also}"),
            prompt=("-p", FILE),
            models=MappingProxyType({Tier.FAST: "flash", Tier.STANDARD: "auto", Tier.STRONG: "pro"}),
        ),
        "copilot": Client(
            words=("copilot", "--silent"),
            limited=_copilot,
            unlimited=("--allow-all",),
            variables=("COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"),
            also=("--add-dir", "{also}"),
            prompt=("-p", FILE),
        ),
        "opencode": Client(
            words=("opencode", "run"),
            limited=_opencode,
            unlimited=("--auto",),
            variables=("OPENCODE_*", *PROVIDERS),
        ),
    }
)


def unpriced(agent: str, agents: Iterable[str], settings: Iterable[str]) -> tuple[str, ...]:
    """Return the programs of a run's agents whose price is unknown: they report none, and the settings have none."""
    found = (each.client for some in by_role(agent, agents).values() for each in some)
    prices = prices_of(settings)
    return tuple(dict.fromkeys(name for name in found if name not in prices and not _is_priced(name)))


def _is_priced(name: str) -> bool:
    return name in CLIENTS and CLIENTS[name].is_priced


def own_variables(named: str) -> tuple[str, ...]:
    """Return the variables with secrets that a client gets; any other program gets the keys of providers of models."""
    client = CLIENTS.get(named.split(" ")[0])
    if client is None:
        return PROVIDERS
    more = (names for switch, names in client.switched.items() if os.environ.get(switch))
    return (*client.variables, *(name for names in more for name in names))


def withheld_from(agent: str, agents: Iterable[str], passes: Iterable[str]) -> tuple[str, ...]:
    """Return the names of this process's variables that no agent of a run gets."""
    passed = tuple(passes)
    found = [each.agent for some in by_role(agent, agents).values() for each in some]
    hidden = [set(withheld(os.environ, own_variables(named), passed)) for named in found]
    return tuple(sorted(set.intersection(*hidden)))


def agent_of(
    named: str,
    chosen: Iterable[str] = (),
    cwd: str | None = None,
    packages: Iterable[str] = (),
    passes: Iterable[str] = (),
    also: str = "",
) -> CommandAgent:
    """Return the agent for a client's name, or for the words of a program.

    Args:
        named: `claude`, or `claude --unrestricted`, or the words of a program.
        chosen: Models for tiers, `fast=NAME`.
        cwd: Working directory.
        packages: Packages whose commands a client may run.
        passes: Variables that it gets although they may hold secrets.
        also: A folder outside of the working directory that agents use too; empty for none.

    Raises:
        ValueError: If it is neither, a program has no word for the model, or a client cannot be limited.
    """
    try:
        words = split(named)
    except ShellError as error:
        raise ValueError(f"agent {named!r:.60}: {error}; name {', '.join(CLIENTS)}, or a program") from None
    if not words:
        raise ValueError(f"no agent is given; name {', '.join(CLIENTS)}, or a program with its arguments")
    client = CLIENTS.get(words[0]) if words[1:] in ((), (UNRESTRICTED,)) else None
    if client is None and UNRESTRICTED in words[1:]:
        raise ValueError(f"{UNRESTRICTED} is for {', '.join(CLIENTS)}; give your own program its own arguments")
    models = dict(map(_model, chosen))
    if models and not client and not any(MODEL[1] in word for word in words):
        raise ValueError(f"agent {words[0]!r:.60} has no argument for the model; write {MODEL[1]} where it belongs")
    if which(words[0]) is None:
        others = ", ".join(name for name in CLIENTS if name != words[0])
        raise ValueError(f"agent {words[0]!r:.60} is not installed; install it, or name {others} or a program")
    environment = visible(os.environ, own_variables(named), passes)
    if client is None:
        return CommandAgent(words, models=models, cwd=cwd, environment=environment)
    grant = Grant(words=client.unlimited) if words[1:] else client.limited(tuple(packages), also)
    if grant is None:
        raise ValueError(
            f"{words[0]} cannot permit a path with the characters of {join(launcher())}; move the interpreter, set "
            f"WORKFLOW_PYTHON, or start it with {UNRESTRICTED}, which lets it run any program"
        )
    return CommandAgent(
        (*client.words, *grant.words, *(client.also if also and not words[1:] else ()), *client.prompt),
        MODEL,
        {**client.models, **models},
        cwd,
        {**environment, **grant.environment},
        grant.files,
        also,
    )


def agents_of(
    agent: str,
    agents: Iterable[str],
    chosen: Iterable[str],
    cwd: str | None,
    packages: Iterable[str],
    passes: Iterable[str] = (),
    also: str = "",
) -> RoleAgents:
    """Return the agents of all roles.

    Args:
        agent: The clients of all roles, or the words of a program.
        agents: The clients of single roles, `ROLE=CLIENT`.
        chosen: Models for tiers, `fast=NAME`. A role's own model goes before them.
        cwd: Working directory.
        packages: Packages whose commands a client may run.
        passes: Variables that they get although they may hold secrets.
        also: A folder outside of the working directory that agents use too; empty for none.

    Raises:
        ValueError: As `agent_of`, and for an unknown role.
    """
    models, given, passed = tuple(chosen), tuple(packages), tuple(passes)
    return RoleAgents(
        {
            role: tuple(
                agent_of(
                    each.agent,
                    [f"{tier}={each.model}" for tier in Tier] if each.model else models,
                    cwd,
                    given,
                    passed,
                    also,
                )
                for each in found
            )
            for role, found in by_role(agent, agents).items()
        }
    )


def _model(text: str) -> tuple[Tier, str]:
    tier, _, name = text.partition("=")
    if tier not in set(Tier) or not name or name.startswith("-"):
        raise ValueError(f"model {text!r:.60} is not TIER=NAME; tiers: {', '.join(Tier)}")
    return Tier(tier), name
