"""`python3 -m lib.workflow.command.permission_hook PACKAGE…`: a hook of Copilot CLI that permits our commands alone.

It reads what the client is about to do from standard input ("Hooks", `preToolUse`). About all else it says nothing: the
client decides as it would without it.
"""

import json
import sys
from collections.abc import Sequence
from typing import Final

from .permissions import is_ours

ALLOW: Final = '{"permissionDecision": "allow"}'
LONGEST: Final = 1 << 20
"""Characters of a call that are read."""


def decision(told: str, packages: Sequence[str]) -> str:
    """What the client is answered; nothing where the hook has no opinion."""
    try:
        call = json.loads(told)
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
