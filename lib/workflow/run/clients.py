"""The agents' own programs: how each is started without a person, and the models that the tiers stand for."""

import shutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from ..shell import ShellError, split
from ..types import Tier
from .agents import CommandAgent

FILE: Final = "Read the file {prompt} and do what it says."


@frozen(kw_only=True)
class Client:
    """One program. It reads its prompt from standard input, or from the file that `{prompt}` names in its words."""

    words: tuple[str, ...]
    models: Mapping[Tier, str] = MappingProxyType({})
    """Names that the program itself gives to its models, whatever its user may use. A tier without one is left to what
    the user has set up, here or there."""


MODEL: Final = ("--model", "{model}")
"""The words that choose a model: each of the programs has them (tried: tests/clients)."""
CLIENTS: Final[Mapping[str, Client]] = MappingProxyType(
    {
        "claude": Client(
            words=("claude", "-p", "--permission-mode", "acceptEdits", "--allowed-tools", "Bash({python} -m *)"),
            models=MappingProxyType({Tier.FAST: "haiku", Tier.STANDARD: "sonnet", Tier.STRONG: "opus"}),
        ),
        "codex": Client(words=("codex", "exec", "--sandbox", "workspace-write", "-")),
        "gemini": Client(
            words=(
                *("gemini", "--approval-mode", "auto_edit"),
                *("--allowed-tools", "run_shell_command({python} -m)", "-p", FILE),
            ),
            models=MappingProxyType({Tier.FAST: "flash", Tier.STANDARD: "auto", Tier.STRONG: "pro"}),
        ),
        "copilot": Client(words=("copilot", "--allow-all-tools", "--silent", "-p", FILE)),
        "opencode": Client(words=("opencode", "run", "--auto", FILE)),
    }
)


def agent_of(named: str, chosen: Iterable[str] = (), cwd: str | None = None) -> CommandAgent:
    """The agent that is a client's name, or the words of a program. `chosen` are models for tiers, `fast=NAME`.

    Raises ValueError for what is neither, and for a model that a program takes no word of.
    """
    client = CLIENTS.get(named)
    try:
        words = client.words if client else split(named)
    except ShellError as error:
        raise ValueError(f"agent {named!r:.60}: {error}; name {', '.join(CLIENTS)}, or a program") from None
    if not words:
        raise ValueError(f"no agent is named; name {', '.join(CLIENTS)}, or a program with its arguments")
    models = dict(map(_model, chosen))
    if models and not client and not any(MODEL[1] in word for word in words):
        raise ValueError(f"agent {words[0]!r:.60} is told of no model; write {MODEL[1]} where its words take one")
    if shutil.which(words[0]) is None:
        raise ValueError(f"agent {words[0]!r:.60} is no program here; name {', '.join(CLIENTS)}, or another program")
    return CommandAgent(words, MODEL if client else (), {**(client.models if client else {}), **models}, cwd)


def _model(text: str) -> tuple[Tier, str]:
    tier, _, name = text.partition("=")
    if tier not in set(Tier) or not name or name.startswith("-"):
        raise ValueError(f"model {text!r:.60} is no TIER=NAME; tiers: {', '.join(Tier)}")
    return Tier(tier), name
