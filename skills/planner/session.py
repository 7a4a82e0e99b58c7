"""`python3 -m skills.planner.session`: names the unfinished run of this project when a client's session starts.

It prints at most three lines; none if no run is unfinished. They go into an agent's context, and a repository may bring
a folder of runs. So nothing of a run is quoted, and runs that this user has not started are skipped. A client waits
for it, so it reads little.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError, UsageError
from lib.workflow.state.consent import is_marked
from lib.workflow.state.run_dirs import NAME, latest_folders, runs_folder
from lib.workflow.util.output import DONE, printed, ready

from .next_step import NextStep, due
from .state.run_state import RunState

EVENT: Final = "SessionStart"
SECONDS: Final = 0.1
"""Time limit for reading runs; later ones are not named."""
SMALL: Final = 256 << 10
"""Most bytes of a run's files that are read here."""
_GIVEN: Final = re.compile(NAME)


def lines(folder: str) -> tuple[str, ...]:
    """Return the lines for the project of a folder."""
    waiting = tuple(islice(_waiting(folder), 2))
    if not waiting:
        return ()
    state, found, command = waiting[0]
    more = " It is the last of several unfinished runs." if waiting[1:] else ""
    return (
        f"The planner has an unfinished run in this project: {os.path.basename(state.state_dir)}; {found.why}.{more}",
        f"To continue it: {command}",
        "Continue it only if the user wants that; any other request comes first.",
    )


def _waiting(folder: str) -> Iterator[tuple[RunState, NextStep, Command]]:
    """Yield the runs that this user has started for the project, each with its next step; the last changed first."""
    end = time.monotonic() + SECONDS
    project = os.path.realpath(os.path.dirname(os.path.dirname(runs_folder(folder))))
    for path in latest_folders(folder):
        if time.monotonic() > end:
            return
        if _GIVEN.fullmatch(os.path.basename(path)) and is_marked(path) and _is_small(path):
            state = RunState(os.path.realpath(path))
            found = _due(state, project)
            command = found.command(state.state_dir) if found else None
            if found and command:
                yield state, found, command


def _is_small(run: str) -> bool:
    with os.scandir(run) as entries:
        files = [entry for entry in islice(entries, 100) if entry.name.endswith(".json")]
        return sum(entry.stat(follow_symlinks=False).st_size for entry in files) <= SMALL


def _due(state: RunState, project: str) -> NextStep | None:
    """Return the next step of the run; None if it is another project's, or broken. Its own commands report that."""
    try:
        return due(state) if state.is_yours and state.run.project_root == project else None
    except RefusedError:
        return None


def main(words: Sequence[str] = ()) -> int:
    """Print the lines; with `--json` in the format of Gemini CLI. Errors are ignored: a session always starts."""
    ready()
    try:
        said = lines(os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())
    except (OSError, RefusedError, UsageError):
        return DONE
    if said and "--json" in words:
        said = (json.dumps({"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": "\n".join(said)}}),)
    return printed("\n".join(said), DONE) if said else DONE


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
