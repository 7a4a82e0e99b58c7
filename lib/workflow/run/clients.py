"""The agents' own programs: how each is started without a person, and the models that the tiers stand for."""

import shutil
from collections.abc import Mapping
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
    model: tuple[str, ...] = ()
    """The words that choose a model, `{model}` its name."""
    models: Mapping[Tier, str] = MappingProxyType({})
    """A tier without a name is left to what the user has set up."""


CLIENTS: Final[Mapping[str, Client]] = MappingProxyType(
    {
        "claude": Client(
            words=("claude", "-p", "--permission-mode", "acceptEdits", "--allowed-tools", "Bash({python} -P -m *)"),
            model=("--model", "{model}"),
            models=MappingProxyType({Tier.FAST: "haiku", Tier.STANDARD: "sonnet", Tier.STRONG: "opus"}),
        ),
        "codex": Client(words=("codex", "exec", "--sandbox", "workspace-write", "-")),
        "gemini": Client(words=("gemini", "--approval-mode", "auto_edit", "-p", FILE)),
        "copilot": Client(words=("copilot", "--allow-all-tools", "--silent", "-p", FILE)),
        "opencode": Client(words=("opencode", "run", "--auto", FILE)),
    }
)


def agent_of(named: str, cwd: str | None = None) -> CommandAgent:
    """The agent that is a client's name, or the words of a program. Raises ValueError for neither."""
    client = CLIENTS.get(named)
    try:
        words = client.words if client else split(named)
    except ShellError as error:
        raise ValueError(f"agent {named!r:.60}: {error}; name {', '.join(CLIENTS)}, or a program") from None
    if not words:
        raise ValueError(f"no agent is named; name {', '.join(CLIENTS)}, or a program with its arguments")
    if shutil.which(words[0]) is None:
        raise ValueError(f"agent {words[0]!r:.60} is no program here; name {', '.join(CLIENTS)}, or another program")
    return CommandAgent(words, client.model, client.models, cwd) if client else CommandAgent(words, cwd=cwd)
