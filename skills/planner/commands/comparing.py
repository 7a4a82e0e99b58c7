"""Commands that show what the documentation of a wave has changed, to its writer and its reviewers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.util.suggest import expected

from ..modules import PLAN
from ..phases import row_of
from ..schema.phase import Phase
from ..state.run_state import RunState

if TYPE_CHECKING:
    from ..execution.differences import Difference

MAX_SHOWN: Final = 6000
"""Most characters of diffs on a page. Files beyond that are named, and shown one by one."""


def compare(
    state_dir: str,
    file: Annotated[str | None, Flag(description="show only this file, in full")] = None,
) -> Node:
    """Show what has changed since the wave's code passed.

    Compares each file of the wave with the snapshot from the gate of the code review, then lists everything else that
    git finds changed.
    """
    from ..execution import differences, project_files, snapshots  # the other commands on the plan do not pay for them

    state = RunState(state_dir)
    state.check_consent()
    names = project_files.wave_files(state)
    if file is not None and file not in names:
        raise RefusedError("unknown-file", file, "it is not a file of the wave", expected(file, names))
    building = state.run.building
    attributes = {"wave": building.wave if building else None, "lap": str(building.lap) if building else None}
    if snapshots.copies(state) is None:
        return Element(
            "compared", attributes, "No snapshot exists: no code was built in this wave; `git diff` shows all changes."
        )
    shown = [*_shown(state, differences.differences(state, file), None if file else MAX_SHOWN)]
    return Element("compared", attributes, [*shown, *([] if file else _beyond(state, names))])


def difference(
    state_dir: str,
    phase: Annotated[Phase, Flag(positional=True, description="the phase")],
    since: Annotated[int | None, Flag(min=0, description="the round (default: the last finished one)")] = None,
    only: Annotated[str | None, Flag(description="only this entity or file")] = None,
) -> Node:
    """Show what has changed since a round of review.

    0 means the state that had passed before the phase.
    """
    from ..review.difference import since_last_round, since_round

    state, row = RunState(state_dir), row_of(phase)
    if since is None:
        return Element("difference", {"phase": phase}, since_last_round(state, row, only=only))
    return Element("difference", {"phase": phase, "since": str(since)}, since_round(state, row, since, only=only))


def _shown(state: RunState, found: "Iterator[Difference]", left: int | None) -> Iterator[Node]:
    """Yield the files, with their diffs up to the limit."""
    for each in found:
        attributes = {"path": each.file, "how": each.how}
        if left is not None and len(each.diff) > left:
            yield Element("held", attributes, f"Shown by {_command(state, each.file)}")
            continue
        left = None if left is None else left - len(each.diff)
        yield Element("held", attributes, [Code(language="diff", text=each.diff)] if each.diff else [])


def _command(state: RunState, file: str) -> Command:
    return Command(PLAN, ("--state-dir", state.state_dir, "compare", "--file", file))


def _beyond(state: RunState, names: tuple[str, ...]) -> Iterator[Node]:
    """Yield everything else that git finds changed in the working tree."""
    from ..execution.project_files import changed_beside  # runs git

    try:
        text = "\n".join(changed_beside(state, names))
    except ValueError as error:
        text = f"not known: {error}"
    if text:
        yield Element("also_changed", {}, text)
