"""Refusals to drive a run. Nothing was done, and the run can still be resumed."""

import os
from collections.abc import Iterable

from ...errors import RefusedError
from ...state.consent import command
from .entry import SESSIONS, Entry


def _command(run: str, verb: str, *flags: str) -> str:
    """Return a command about a run, to copy and run from any folder."""
    return command(verb, os.path.dirname(os.path.abspath(run)), *flags)


class BusyRunError(RefusedError):
    """Raised if another process drives the run."""

    def __init__(self, run: str, past: Iterable[Entry] = (), more: str = "") -> None:
        begun = [entry for entry in past if entry.event in SESSIONS]
        drives = (
            f"process {begun[-1].number} has driven it since {begun[-1].at[:19]}Z"
            if begun
            else "another process drives it"
        )
        fix = f"Watch it:  {_command(run, 'status', '--watch')}\nEnd it:  {_command(run, 'cancel')}"
        super().__init__("busy-run", os.path.dirname(os.path.abspath(run)), f"{drives}{more}", fix)


class ChangedWorkflowError(RefusedError):
    """Raised if the steps of a run's workflow have changed since it was last driven."""

    def __init__(self, run: str, changed: Iterable[str]) -> None:
        why = f"these steps of its workflow have changed since the run was last driven: {', '.join(sorted(changed))}"
        fix = (
            "Check out the version that drove it, then resume it. If the change is intended, "
            "continue with the new steps:\n"
            f"  {_command(run, 'resume', '--changed')}\n"
            f"Or give up the run:  {_command(run, 'cancel')}"
        )
        super().__init__("changed-workflow", os.path.dirname(os.path.abspath(run)), why, fix)


class MisfitError(RefusedError):
    """Raised if the record of a run does not fit the run."""

    def __init__(self, key: str, problem: str) -> None:
        fix = (
            "Nothing was changed. Resume it with the workflow and the version of stepscript that "
            "started it, or start a "
            "new run."
        )
        super().__init__("record-does-not-fit", f"activity {key}", problem, fix)
