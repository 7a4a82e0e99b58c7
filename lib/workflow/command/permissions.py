"""Permissions to run only our packages' commands, in the words of each client.

All printed commands begin alike, `PYTHON -I -m PACKAGE.`, as `Command` prints them. Each rule uses that beginning, so
it fits the printed commands of any interpreter.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from .command import Command, CommandError, launcher
from .quoting import join

CLAUDE_SIGNS: Final = "()*"
"""Special characters in a rule of Claude Code; an interpreter's folder must not have them."""
OPENCODE_SIGNS: Final = "*?"
"""Special characters in a rule of OpenCode."""
_HERE_DOCUMENT: Final = re.compile(r"(.*?)<< *(['\"])(\w+)\2 *\n(?:(?!\3\n).*\n)*\3")
"""Pattern of a command with a here-document in which a shell expands nothing."""


def opening(package: str, program: str = "") -> str:
    """Return the beginning of each command of a package; `program` is a path that comes first, if any."""
    return join((*filter(None, [program]), *launcher(package), "-m", f"{package}."))


def claude_rule(package: str, program: str = "") -> str | None:
    """Return a rule of Claude Code, or None if no rule can express it; arguments as for `opening`.

    In a rule, `*` matches any text (documentation of Claude Code, "Permissions").
    """
    begins = opening(package, program)
    return None if any(sign in begins for sign in CLAUDE_SIGNS) else f"Bash({begins}*)"


def gemini_policy(packages: Sequence[str], programs: Sequence[str] = ("",)) -> str:
    """Return a policy file of Gemini CLI, in TOML, with a rule for each package and each program (see `opening`).

    Gemini matches its pattern against the command as a JSON string ("Policy engine").
    """
    openings = [opening(package, program) for program in programs for package in packages]
    rules = (
        '[[rule]]\ntoolName = "run_shell_command"\n'
        f"commandRegex = {quoted(re.escape(json.dumps(begins, ensure_ascii=False)[1:-1]))}\n"
        'decision = "allow"\npriority = 100\n'
        for begins in openings
    )
    return "\n".join(rules)


def opencode_settings(packages: Iterable[str], also: str = "") -> str | None:
    """Return settings of OpenCode, in JSON, or None if no rule can express it.

    The last rule that matches a command applies ("Permissions"). `also` is a folder outside of the working directory
    that its tools may use; empty for none.
    """
    openings = [opening(package) for package in packages]
    if any(sign in text for text in (*openings, also) for sign in OPENCODE_SIGNS):
        return None
    rules = {"bash": {"*": "deny", **{f"{begins}*": "allow" for begins in openings}}}
    if also:
        rules["external_directory"] = {f"{also}/**": "allow"}
    return json.dumps({"permission": rules})


def is_ours(text: str, packages: Iterable[str]) -> bool:
    """Return True if a shell line is exactly one command of a package, as pages print it.

    A here-document with a quoted delimiter may give its standard input.
    """
    found = _HERE_DOCUMENT.fullmatch(text.strip())
    try:
        command = Command.read((found[1] if found else text).strip())
    except CommandError:
        return False
    packages = [package for package in packages if command.module.startswith(f"{package}.")]
    return bool(packages) and command.launcher == launcher(command.module)


def quoted(text: str) -> str:
    """Return a text as a JSON string, which is also valid in YAML 1.2 and a basic string of TOML 1.0."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
