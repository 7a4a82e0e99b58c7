"""`python3 -m skills.planner.session`: as a client's session starts, which run of this project is unfinished.

At most three lines; none where nothing is unfinished. What they say goes into an agent's context, and a repository may
bring a state folder of somebody else's: nothing of a run is quoted, and one that was begun elsewhere is passed over.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError, UsageError
from lib.workflow.homes import NAME, runs_folder, user_folder
from lib.workflow.output import DONE, printed, ready

from .due import Due, due
from .runs import unfinished
from .state.run_state import RunState

EVENT: Final = "SessionStart"
_GIVEN: Final = re.compile(NAME)


def lines(folder: str) -> tuple[str, ...]:
    """What is said in a folder of the project that it belongs to."""
    waiting = tuple(_waiting(runs_folder(folder)))
    if not waiting:
        return ()
    state, found, command = waiting[0]
    more = f" It is the last of {len(waiting)} that are unfinished." if waiting[1:] else ""
    return (
        f"The planner has an unfinished run in this project: {os.path.basename(state.state_dir)}; {found.why}.{more}",
        f"To go on with it: {command}",
        "Do so if the user wants that run continued; any other request comes first.",
    )


def _waiting(runs: str) -> Iterator[tuple[RunState, Due, Command]]:
    """The runs that were begun in the project, each with what is due; the last at work first."""
    project = os.path.realpath(os.path.dirname(os.path.dirname(runs)))
    homes = (project, os.path.realpath(user_folder()))
    for state in unfinished(project):
        place = os.path.realpath(state.state_dir)
        begun = os.path.realpath(state.run.project_root)
        own = _is_in(begun, project) and any(_is_in(place, home) for home in homes)
        if not (own and _GIVEN.fullmatch(os.path.basename(place))):
            continue
        try:
            found = due(state)
        except RefusedError:  # a file of the run is broken: its own commands say so
            continue
        command = found.command(place)
        if command:
            yield state, found, command


def _is_in(path: str, folder: str) -> bool:
    return f"{path}{os.sep}".startswith(os.path.join(folder, ""))


def main(words: Sequence[str] = ()) -> int:
    """Prints them, by `--json` in the form of Gemini CLI. Whatever is wrong, a session starts as it would without."""
    ready()
    try:
        said = lines(os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())
    except (OSError, RefusedError, UsageError):
        return DONE
    if said and "--json" in words:
        import json  # other clients take lines

        said = (json.dumps({"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": "\n".join(said)}}),)
    return printed("\n".join(said), DONE) if said else DONE


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
