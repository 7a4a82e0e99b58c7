"""The clients that skills are installed for, and their folders (tested with the clients in tests/clients)."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import frozen

from .sources import Role
from .texts import claude_role, codex_role, opencode_role, plain_role


class Agent(StrEnum):
    """A client, by the name of its program."""

    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    COPILOT = "copilot"
    OPENCODE = "opencode"
    CURSOR = "cursor"


class Scope(StrEnum):
    """The users of an installation."""

    PROJECT = "project"
    """All users of one project."""
    USER = "user"
    """One user, in every project."""


@frozen
class Places:
    """The paths of one client, below the project or the home folder. `{}` in a path is replaced by a name."""

    roles: Mapping[Scope, str]
    role_text: Callable[[Role], str]
    skills: str = ".agents/skills"
    settings: Mapping[Scope, str] = MappingProxyType({})
    """File with hooks, and with permissions unless `policy` has one; never a file that a team shares."""
    words: tuple[str, ...] = ()
    """Words for a hook's command, so that its output fits the client."""
    policy: Mapping[Scope, str] = MappingProxyType({})
    """A file of ours with the permission."""


def _both(path: str, user: str | None = None) -> Mapping[Scope, str]:
    return MappingProxyType({Scope.PROJECT: path, Scope.USER: user or path})


PLACES: Final[Mapping[Agent, Places]] = MappingProxyType(
    {
        Agent.CLAUDE: Places(
            _both(".claude/agents/{}.md"),
            claude_role,
            ".claude/skills",
            # paths of one machine's interpreter belong into the file that is not committed
            _both(".claude/settings.local.json", ".claude/settings.json"),
        ),
        Agent.CODEX: Places(_both(".codex/agents/{}.toml"), codex_role),
        Agent.GEMINI: Places(
            _both(".gemini/agents/{}.md"),
            plain_role,
            # it ignores policies of a project, and all its settings there are shared
            settings=MappingProxyType({Scope.USER: ".gemini/settings.json"}),
            words=("--json",),
            policy=MappingProxyType({Scope.USER: ".gemini/policies/stepscript.toml"}),
        ),
        Agent.COPILOT: Places(_both(".github/agents/{}.agent.md", ".copilot/agents/{}.agent.md"), plain_role),
        Agent.OPENCODE: Places(_both(".opencode/agents/{}.md", ".config/opencode/agents/{}.md"), opencode_role),
        Agent.CURSOR: Places(_both(".cursor/agents/{}.md"), claude_role),
    }
)
