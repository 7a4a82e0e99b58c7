"""Resolvers of slots in texts about a wave: its milestones, changes and files, and the diffs that no longer fit."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.command import Command
from lib.workflow.command.quoting import join
from lib.workflow.errors import RefusedError, UsageError
from lib.workflow.state.run_dirs import is_elsewhere
from lib.workflow.util.suggest import expected

from ..execution.approval import check_approved
from ..execution.waves import checks_of, files_of
from ..phases import EXECUTING
from ..schema.phase import Phase
from ..state.files import SCRATCH
from .slots import SlotContext, SlotResolver

if TYPE_CHECKING:
    from ..schema.plan.milestone import CodeChange, Milestone
    from ..schema.run import Building
    from ..state.run_state import RunState

MAX_LISTED: Final = 40
"""Most files that a page names."""
TAGS: Final = ("item", "contested", "also_changed")
"""The elements that fill slots of the agents' pages."""
CHANGED: Final = TAGS[-1]
COPY: Final = "copy"
"""Folder for a copy of the agent's own in the run directory, as agents on other hosts have it."""
BASE: Final = "base"
"""The git tag of the project's state in the scratch copy."""


def check_building(state: "RunState", phase: Phase) -> "Building":
    """Return the wave being built. Raises RefusedError if none exists, or if the plan is not the approved one."""
    check_approved(state)
    building = state.run.building
    if building is None:
        from ..next_step import due

        fix = "Run the next command."
        raise RefusedError("no-wave", phase, "no wave has started", fix, due(state).command(state.state_dir))
    return building


def milestones_of(where: SlotContext) -> "tuple[Milestone, ...]":
    """Return the agent's milestone, or those of the wave.

    Raises UsageError for a milestone that is not built in this wave.
    """
    named = where.context.workflow_params.get("milestone")
    wanted = milestones_told(where.state, where.row.phase, None if named is None else str(named))
    return tuple(each for each in where.state.plan.milestones if each.id in wanted)


def milestones_told(state: "RunState", phase: Phase, named: str | None) -> tuple[str, ...]:
    """Return the ids of the milestones to build. Raises UsageError for one that is not built in the wave."""
    building = check_building(state, phase)
    only_code = phase is Phase.IMPL_CODE and not state.run.is_light
    names = building.code if only_code else building.milestones
    if named is not None and named not in names:
        raise UsageError(f"--milestone: {named!r:.60} is not in {building.wave}; {expected(named, names)}")
    return names if named is None else (named,)


def _milestones(where: SlotContext) -> str:
    return "\n".join(line for each in milestones_of(where) for line in _told(each)) or "None is left to be built."


def _told(milestone: "Milestone") -> Iterator[str]:
    kind = " (documentation only)" if milestone.is_documentation_only else ""
    yield f"- {milestone.id}: {milestone.name}{kind}"
    for title, entries in (("criterion", milestone.acceptance_criteria), ("test", milestone.tests)):
        yield from (f"  - {title}: {' '.join(entry.split())}" for entry in entries)


def _changes_of(where: SlotContext) -> "tuple[CodeChange, ...]":
    """Return the approved changes; in the documentation phase, only those that no intent asks for."""
    documents = where.row.phase is Phase.IMPL_DOCS
    changes = (change for each in milestones_of(where) for change in each.code_changes)
    return tuple(change for change in changes if not documents or change.intent_ref is None)


def _stale(where: SlotContext) -> str:
    """Return the diffs that no longer apply to the files, as text."""
    from ..diffs.trial import tried  # imports everything that runs git

    try:
        findings = tried(_changes_of(where), where.state.project)
    except ValueError as error:
        return f"Whether they still apply could not be tried: {error}"
    if not findings:
        return "All of them apply to the files as they are now (`git apply --check`)."
    lines = (f"- {finding.id}: {finding.message}" for finding in findings)
    return "\n".join(["These do not apply to the files as they are now (`git apply --check`):", *lines])


def _applying(where: SlotContext) -> str:
    """Return one command per approved change."""
    changes = _changes_of(where)
    return "\n".join(str(where.plan("apply", "--id", each.id)) for each in changes) or "(There is no such change.)"


def _files(where: SlotContext) -> str:
    return listed(files_of(milestones_of(where))) or "none is named"


def listed(names: tuple[str, ...]) -> str:
    """Return names, one per line, up to the limit of a page."""
    more = f"\n- … {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return "\n".join(f"- {name}" for name in names[:MAX_LISTED]) + more


def _changed(where: SlotContext) -> Node:
    """Return the working tree's changes outside the files of the wave."""
    from ..execution.project_files import changed_beside  # runs git

    try:
        others = changed_beside(where.state, files_of(milestones_of(where)))
    except ValueError as error:
        return Element(CHANGED, {}, f"not known, so look for it: {error}")
    return Element(CHANGED, {}, listed(others) or "nothing")


def _checks(where: SlotContext) -> str:
    return "\n".join(f"- `{command}`" for command in checks_of(where.state.plan)) or "The plan names none."


def _submit(where: SlotContext) -> Command:
    named = where.context.workflow_params.get("milestone")
    one = ("--milestone", named) if isinstance(named, str) else ()
    return where.plan("submit", where.row.phase, *one)


def _scratch(where: SlotContext) -> str:
    return where.state.path(SCRATCH)


def _copy(where: SlotContext) -> Command | str:
    """Return the command that makes a copy for the agent: on another host git does it, from what git has staged."""
    if not is_elsewhere():
        return where.plan("copy")
    state, scratch = where.state, _scratch(where)
    source = scratch if where.row not in EXECUTING and os.path.isdir(scratch) else state.project
    into = f"--prefix={state.path(COPY)}/"
    return join(("git", "-C", source, "checkout-index", "--all", "--force", into))


def _later(where: SlotContext) -> str:
    """Return the files of milestones that a later wave builds."""
    run = where.state.run
    here = {*milestones_of(where)}
    done = {
        name for gate in run.gates if gate.wave for each in run.waves if each.wave == gate.wave for name in each.code
    }
    later = [each for each in where.state.plan.milestones if each not in here and each.id not in done]
    return listed(files_of(later)) or "(There is no later wave.)"


def _difference(where: SlotContext) -> str:
    """Return the commands that show the changes in the wave's files, and all files that changed or are new.

    A lap may fix any file, and what was there before it is committed: all its changes are shown.
    """
    lap = check_building(where.state, where.row.phase).lap
    git, files = ("git", "-C", where.state.project), () if lap > 1 else ("--", *files_of(milestones_of(where)))
    base, every = _since(where.state)
    return "\n".join((join((*git, "diff", base, *files)), join((*git, *every))))


def _since(state: "RunState") -> tuple[str, tuple[str, ...]]:
    """Return the commit that the wave's changes are compared with, and the words of git that list all changes."""
    if not state.is_apart:
        return "HEAD", ("status", "--short")
    from ..execution.worktree import commit_of  # runs git, for an agent with its own worktree

    base = commit_of(state.run.project_root)
    return base, ("diff", "--name-status", base)


WAVE_FACTS: Final[Mapping[str, SlotResolver]] = {
    "wave": lambda where: check_building(where.state, where.row.phase).wave,
    "milestones": _milestones,
    "stale": _stale,
    "files": _files,
    "applying": _applying,
    "changed": _changed,
    "checks": _checks,
    "submit": _submit,
    "later": _later,
    "difference": _difference,
    "scratch": _scratch,
    "scratch_difference": lambda where: join(("git", "-C", _scratch(where), "diff", BASE)),
    "changed_here": lambda where: where.plan("compare"),
    "make_scratch": lambda where: where.plan("scratch"),
    "copy": _copy,
    "record_changes": lambda where: where.plan("record-changes", "--milestone", "M-001"),
}
