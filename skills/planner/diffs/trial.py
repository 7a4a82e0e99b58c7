"""A plan's diffs, tried one after the other on copies of the files that they change, by git itself.

The project is only read: no index, hook, filter or setting of its repository plays a part, files count as they lie
there, committed or not, and it need not be a repository at all.
"""

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from typing import Final

from ..schema.findings import Finding
from ..schema.milestone import CodeChange
from ..schema.plan import Plan
from .copies import copied
from .explain import explained
from .git import applied
from .parse import parsed

SECONDS: Final = 60.0
"""For all diffs of a plan."""
FIELD: Final = "diff"
FIX: Final = "read the file as it will be then, and write the diff anew"


def in_order(plan: Plan) -> tuple[CodeChange, ...]:
    """The changes as they come to the project: wave by wave, then those of milestones that are in none."""
    milestones = {milestone.id: milestone for milestone in plan.milestones}
    placed = (member for wave in plan.waves for member in wave.milestones if member in milestones)
    return tuple(change for each in dict.fromkeys((*placed, *milestones)) for change in milestones[each].code_changes)


def tried(changes: Iterable[CodeChange], project: str, seconds: float = SECONDS) -> tuple[Finding, ...]:
    """What keeps the diffs from the project's files, each tried on what those before it leave.

    A diff of a file that one before it could not change is not tried. Raises ValueError where the project is no
    folder, git is not there, or all takes longer than so many seconds.
    """
    if not os.path.isdir(project):
        raise ValueError(f"--repo: {project!r:.200} is no folder; name the project's root")
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
        """What keeps the change from the copies; they are as after it where nothing does."""
        first = self._failed.get(change.file)
        if first is not None:
            message = f"is not tried: {first}, on which it builds, does not apply to {change.file}"
            yield Finding(change.id, FIELD, message, f"mend {first} first")
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
