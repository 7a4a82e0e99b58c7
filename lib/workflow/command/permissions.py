"""The permission that agents need: to run the commands of our packages, and no others; in the words of each client.

A command begins alike in every page, `PYTHON -I -m PACKAGE.`, as `Command` prints it. Every rule is made of that
beginning, so a rule fits what an agent is shown, whatever the interpreter is called.
"""

import json
import re
from collections.abc import Iterable
from typing import Final

from .command import Command, CommandError, launcher
from .quoting import join

CLAUDE_SIGNS: Final = "()*"
"""Characters that mean something in a rule of Claude Code, so no folder of an interpreter may have them."""
OPENCODE_SIGNS: Final = "*?"
"""The same for OpenCode."""
_HERE_DOCUMENT: Final = re.compile(r"(.*?)<< *(['\"])(\w+)\2 *\n(?:(?!\3\n).*\n)*\3")
"""A command with a here-document in which a shell fills nothing in."""


def opening(package: str) -> str:
    """How each command of a package begins."""
    return join((*launcher(package), "-m", f"{package}."))


def claude_rule(package: str) -> str | None:
    """A rule of Claude Code: `*` stands for any text ("Permissions"). None if no rule can say it."""
    begins = opening(package)
    return None if any(sign in begins for sign in CLAUDE_SIGNS) else f"Bash({begins}*)"


def gemini_policy(packages: Iterable[str]) -> str:
    """A policy file of Gemini CLI, in TOML.

    Its pattern is held against the command as a string of JSON ("Policy engine").
    """
    rules = (
        '[[rule]]\ntoolName = "run_shell_command"\n'
        f"commandRegex = {quoted(re.escape(json.dumps(opening(package), ensure_ascii=False)[1:-1]))}\n"
        'decision = "allow"\npriority = 100\n'
        for package in packages
    )
    return "\n".join(rules)


def opencode_settings(packages: Iterable[str]) -> str | None:
    """Settings of OpenCode, in JSON. None if no rule can say it.

    The last rule that fits a command holds ("Permissions").
    """
    openings = [opening(package) for package in packages]
    if any(sign in begins for begins in openings for sign in OPENCODE_SIGNS):
        return None
    return json.dumps({"permission": {"bash": {"*": "deny", **{f"{begins}*": "allow" for begins in openings}}}})


def is_ours(text: str, packages: Iterable[str]) -> bool:
    """Whether a shell line is one command of a package, as pages print it, and nothing besides.

    It may be given its standard input by a here-document whose delimiter is quoted.
    """
    found = _HERE_DOCUMENT.fullmatch(text.strip())
    try:
        command = Command.read((found[1] if found else text).strip())
    except CommandError:
        return False
    packages = [package for package in packages if command.module.startswith(f"{package}.")]
    return bool(packages) and command.launcher == launcher(command.module)


def quoted(text: str) -> str:
    """A text as a string of JSON, which is one of YAML (1.2) and a basic string of TOML (1.0) too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
