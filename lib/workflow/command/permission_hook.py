"""`python3 -m lib.workflow.command.permission_hook PACKAGE…`: a hook of Copilot CLI that permits only our commands.

It reads the client's next tool call from standard input ("Hooks", `preToolUse`). For any other call it prints nothing,
and the client decides as it would without the hook.
"""

import json
import sys
from collections.abc import Sequence
from typing import Final

from .permissions import is_ours

ALLOW: Final = '{"permissionDecision": "allow"}'
LONGEST: Final = 1 << 20
"""Maximum characters of a call that are read."""


def decision(hook_input: str, packages: Sequence[str]) -> str:
    """Return the answer for the client; empty if the hook has no opinion."""
    try:
        call = json.loads(hook_input)
        arguments = call["toolArgs"]
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
        command = given["command"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
    return ALLOW if isinstance(command, str) and is_ours(command, packages) else ""


def main(packages: Sequence[str]) -> int:
    """Answer one call."""
    print(decision(sys.stdin.read(LONGEST), packages))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
