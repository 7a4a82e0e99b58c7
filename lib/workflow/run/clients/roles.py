"""The clients of each role: `codex,claude` or `developer=codex:MODEL`, the preferred one first."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen

from ...command.quoting import ShellError, split
from ...types import AgentRole
from ...util.structs import Struct

NAMES: Final = ("claude", "codex", "gemini", "copilot", "opencode")
"""The clients' programs."""
UNRESTRICTED: Final = "--unrestricted"
"""Word after a client's name that lifts its limits: its agents then run any program, as their user."""
_ROLE: Final = re.compile(r"([a-z-]{1,40})=")
_MODEL: Final = re.compile(r"[A-Za-z0-9][\w./:@+-]{0,200}")
MOST: Final = 5
"""Maximum clients of a role."""


@frozen(kw_only=True)
class Choice(Struct):
    """One client, or one program, that can do the work of a role."""

    agent: str
    """The client's name, with `--unrestricted` if its limits are lifted; or the words of a program."""
    model: str = ""
    """Model for all work of the role."""

    @property
    def client(self) -> str:
        """Return the name of the program."""
        try:
            words = split(self.agent)
        except ShellError:
            return self.agent
        return os.path.basename(words[0]) if words else self.agent


def role_of(text: str) -> tuple[AgentRole | None, str]:
    """Return the role that a text is for, or None for all roles, and the rest of the text.

    Raises ValueError for an unknown role.
    """
    found = _ROLE.match(text)
    if found is None:
        return None, text
    if found[1] not in set(AgentRole):
        raise ValueError(f"{found[1]!r:.60} is not a role; roles: {', '.join(AgentRole)}")
    return AgentRole(found[1]), text[found.end() :]


def choices(text: str) -> tuple[Choice, ...]:
    """Return the clients that a text names, or the one program. Raises ValueError if it names too many."""
    parts = [_client(part.strip()) for part in text.split(",")]
    clients = tuple(part for part in parts if part is not None)
    if len(clients) != len(parts):
        return (Choice(agent=text),)
    if len(clients) > MOST or len({each.agent for each in clients}) != len(clients):
        raise ValueError(f"agents {text!r:.100}: name at most {MOST} clients, each once")
    return clients


def _client(text: str) -> Choice | None:
    """Return the client that a text names with its model; None for other programs."""
    named, _, rest = text.partition(" ")
    name, colon, model = named.partition(":")
    if name not in NAMES or rest.strip() not in ("", UNRESTRICTED):
        return None
    if colon and not is_model(model):
        raise ValueError(f"{model!r:.60} is not the name of a model; write {name}:MODEL")
    return Choice(agent=f"{name} {UNRESTRICTED}" if rest.strip() else name, model=model)


def is_model(name: str) -> bool:
    """Return True for a name that a model can have: no option, and nothing that a shell expands."""
    return _MODEL.fullmatch(name) is not None


def by_role(agent: str, agents: Iterable[str]) -> Mapping[AgentRole | None, tuple[Choice, ...]]:
    """Return the clients of each role that has its own, and under None those of all others.

    Args:
        agent: The clients of all roles.
        agents: The clients of single roles, `ROLE=CLIENTS`.
    """
    found: dict[AgentRole | None, tuple[Choice, ...]] = {None: choices(agent)}
    for text in agents:
        role, rest = role_of(text)
        if role is None or role in found:
            raise ValueError(f"agents {text!r:.100}: write ROLE=CLIENT, once for each role")
        found[role] = choices(rest)
    return found


def spelled(agent: str, lifted: bool) -> str:
    """Return the clients of a text, with their limits lifted if `lifted`."""
    if not lifted:
        return agent
    role, rest = role_of(agent)
    parts = [f"{part.strip()} {UNRESTRICTED}" for part in rest.split(",")]
    return f"{role}={','.join(parts)}" if role else ",".join(parts)
