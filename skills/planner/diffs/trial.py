"""Trial of a plan's diffs with git, one after the other, on copies of the files that they change.

The project is only read. Its repository's index, hooks, filters and settings are not used, files count as they are on
disk, committed or not, and the project need not be a repository at all.
"""

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from typing import Final

from ..schema.plan.document import Plan
from ..schema.plan.findings import Finding
from ..schema.plan.milestone import CodeChange
from .copies import copied
from .explain import explained
from .git import applied
from .parse import parsed

SECONDS: Final = 60.0
"""Seconds for all diffs of a plan."""
FIELD: Final = "diff"
FIX: Final = "read the file as it will be then, and write a new diff"


def in_order(plan: Plan) -> tuple[CodeChange, ...]:
    """Return the changes in the order in which they are applied: wave by wave, then milestones in no wave."""
    milestones = {milestone.id: milestone for milestone in plan.milestones}
    placed = (member for wave in plan.waves for member in wave.milestones if member in milestones)
    return tuple(change for each in dict.fromkeys((*placed, *milestones)) for change in milestones[each].code_changes)


def tried(changes: Iterable[CodeChange], project: str, seconds: float = SECONDS) -> tuple[Finding, ...]:
    """Return the reasons why diffs do not apply, each tried on the result of those before it.

    A diff of a file that an earlier one could not change is not tried. Raises ValueError if the project is not a
    folder, git is missing, or all together takes longer than the given seconds.
    """
    if not os.path.isdir(project):
        raise ValueError(f"--repo: {project!r:.200} is not a folder; name the project's root")
    with tempfile.TemporaryDirectory(prefix="stepscript-trial-") as folder:
        tree = os.path.join(os.path.realpath(folder), "tree")
        os.mkdir(tree)
        trial = _Trial(os.path.realpath(project), tree, time.monotonic() + seconds)
        return tuple(finding for change in changes for finding in trial.findings(change))


class _Trial:
    """The copies, and the change at which each file failed."""

    def __init__(self, project: str, tree: str, end: float) -> None:
        self.project, self.tree, self.end = project, tree, end
        self._copied: set[str] = set()
        self._failed: dict[str, str] = {}

    def findings(self, change: CodeChange) -> Iterator[Finding]:
        """Yield the reasons why the change does not apply. If none exist, the copies are changed."""
        first = self._failed.get(change.file)
        if first is not None:
            message = f"was not tried: {first}, which comes first, does not apply to {change.file}"
            yield Finding(change.id, FIELD, message, f"fix {first} first")
            return
        why = self._fault(change)
        if why is not None:
            self._failed[change.file] = change.id
            yield Finding(change.id, FIELD, why, FIX)

    def _fault(self, change: CodeChange) -> str | None:
        try:
            diff = parsed(change.diff, change.file)
            if change.file not in self._copied:
                copied(self.project, self.tree, change.file)
                self._copied.add(change.file)
        except ValueError as error:
            return str(error)
        said = applied(str(diff), self.tree, self.end - time.monotonic())
        return None if said is None else explained(diff, said, os.path.join(self.tree, *change.file.split("/")))
