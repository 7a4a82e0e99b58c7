"""Texts of an installation: skill files with commands that run here, and roles in each client's format."""

import re
from collections.abc import Callable
from typing import Final

from ...command import Command
from ...command.permissions import quoted
from ...command.quoting import join
from .host import starter
from .sources import Role, Skill

WRITING: Final = ("Edit", "Write")
_COMMAND: Final = re.compile(r"\bpython3 -m ([A-Za-z_][\w.]*\w)")


def skill_text(skill: Skill, command: Callable[[str], str], note: str = "") -> str:
    """Return the skill file with `command(MODULE)` in place of each `python3 -m MODULE`, and a note at its end."""
    front = [f"name: {skill.name}", f"description: {quoted(skill.description)}"]
    if skill.license:
        front.append(f"license: {quoted(skill.license)}")
    own = f"{skill.package}."

    def named(match: re.Match[str]) -> str:
        return command(match[1]) if match[1].startswith(own) else match[0]

    body = _COMMAND.sub(named, skill.body)
    return "\n".join(["---", *front, "---", "", body, *(["", note] if note else []), ""])


def here(module: str, words: tuple[str, ...] = (), quiet: bool = False) -> str:
    """Return the command of a module on this machine: the launcher, and the command as steps print it.

    Args:
        module: The module.
        words: Its words.
        quiet: If true, nothing but its output is printed, also if it cannot be started.
    """
    return f"{join((starter.path(), *(['--quiet'] if quiet else [])))} {Command(module, words)}"


def claude_role(role: Role) -> str:
    """Return a role for Claude Code, and for Cursor, which reads the same format."""
    return _page(role, f"tools: {', '.join(role.tools)}")


def plain_role(role: Role) -> str:
    """Return a role for clients with other names of tools: all tools stay allowed."""
    return _page(role)


def opencode_role(role: Role) -> str:
    """Return a role for OpenCode: it launches no agents, and without write tools it cannot edit."""
    denied = ["task"] if any(tool in WRITING for tool in role.tools) else ["edit", "task"]
    return _page(role, "mode: subagent", "permission:", *(f"  {what}: deny" for what in denied))


def codex_role(role: Role) -> str:
    """Return a role for Codex, in TOML."""
    fields = {"name": role.name, "description": role.description, "developer_instructions": role.text}
    return "".join(f"{key} = {quoted(value)}\n" for key, value in fields.items())


def _page(role: Role, *more: str) -> str:
    front = [f"name: {role.name}", f"description: {quoted(role.description)}", *more]
    return "\n".join(["---", *front, "---", "", role.text.strip(), ""])
