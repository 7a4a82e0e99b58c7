"""The definition of each agent role: a Markdown file with front matter, named after the role."""

import os
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.markdown import read_front_matter, read_text
from lib.workflow.types import AgentRole, Tier
from lib.workflow.util.suggest import expected

FOLDER: Final = os.path.dirname(__file__)
LAUNCHED: Final = "launched.md"
"""The file of rules for every launched agent, whatever its role."""
KEYS: Final = ("name", "description", "tools", "tier")
K = TypeVar("K", bound=StrEnum)


class Tool(StrEnum):
    """The tools that a role may use, by the names that clients know best."""

    AGENT = "Agent"
    """The tool that launches agents."""
    ASK = "AskUserQuestion"
    BASH = "Bash"
    EDIT = "Edit"
    GLOB = "Glob"
    GREP = "Grep"
    READ = "Read"
    WEB_FETCH = "WebFetch"
    WEB_SEARCH = "WebSearch"
    WRITE = "Write"


class Definition(NamedTuple):
    """One role, ready to be written in a client's format."""

    role: AgentRole
    description: str
    """Its work, and when to use it."""
    tools: tuple[Tool, ...]
    tier: Tier
    text: str
    """The agent's instructions for its role."""


def read_definition(role: AgentRole, folder: str = FOLDER) -> Definition:
    """Return the definition of a role. Only the orchestrator launches agents and reaches the user.

    Raises WorkflowError, with file and part, for a definition that is malformed or gives a role more than that.
    """
    path = os.path.join(folder, f"{role}.md")
    front, text = read_front_matter(path)
    if tuple(front) != KEYS:
        raise WorkflowError(f"{path}: the front matter has {', '.join(front)}; write {', '.join(KEYS)}")
    if front["name"] != role:
        raise WorkflowError(f"{path}: name: {front['name']!r:.60} is not {role.value!r}, which the file is named after")
    if not text.strip():
        raise WorkflowError(f"{path}: text: is empty; describe how the role works")
    tools = tuple(_member(Tool, name.strip(), f"{path}: tools") for name in front["tools"].split(","))
    leads = role is AgentRole.ORCHESTRATOR
    beyond = [] if leads else [tool.value for tool in (Tool.AGENT, Tool.ASK) if tool in tools]
    if beyond:
        raise WorkflowError(f"{path}: tools: {', '.join(beyond)} belongs to the orchestrator alone; remove it")
    rules = "" if leads else f"\n\n{read_text(os.path.join(folder, LAUNCHED)).strip()}"
    tier = _member(Tier, front["tier"], f"{path}: tier")
    return Definition(role, front["description"], tools, tier, f"{text}{rules}")


def definitions(folder: str = FOLDER) -> Mapping[AgentRole, Definition]:
    """Return every role's definition. Raises WorkflowError for one that is missing or malformed."""
    return {role: read_definition(role, folder) for role in AgentRole}


def _member(kind: type[K], name: str, where: str) -> K:
    try:
        return kind(name)
    except ValueError:
        raise WorkflowError(
            f"{where}: {name!r:.60} is unknown; {expected(name, [item.value for item in kind])}"
        ) from None
