"""`python3 -m skills.planner.session`: as a client's session starts, which run of this project is unfinished.

At most three lines; none where nothing is unfinished. What they say goes into an agent's context, so nothing of a run
is quoted: its folder's name, where the planner has given it, and a command.
"""

import os
import re
from typing import Final

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError, UsageError

from .due import due
from .runs import unfinished

_GIVEN: Final = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9-]{1,32}-[0-9a-f]{6}(\.\d+)?")
"""The name of a run's folder as the planner gives it."""


def lines(root: str) -> tuple[str, ...]:
    """What is said of the project that the folder belongs to."""
    waiting = []
    for state in unfinished(root):
        name = os.path.basename(state.state_dir)
        if _GIVEN.fullmatch(name) and not os.path.islink(state.state_dir):
            try:
                found = due(state)
                command = found.command(os.path.realpath(state.state_dir))
            except (RefusedError, UsageError):
                continue
            if command:
                waiting.append((name, found.why, command))
    if not waiting:
        return ()
    name, why, command = waiting[0]
    more = f"; {len(waiting) - 1} more: {Command('skills.planner.status')}" if waiting[1:] else ""
    opening = f"A run of the planner is unfinished in this project: {name} ({why})."
    ask = f"Ask the user whether to go on with it before you do{more}."
    return (opening, f"The command that continues it: {command}", ask)


def main() -> int:
    """Prints them. Whatever is wrong, a session starts as it would without."""
    try:
        for line in lines(os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()):
            print(line)
    except (OSError, ValueError):
        return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
