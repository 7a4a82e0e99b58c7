"""Completeness of a phase of planning: the entries that the next phase, or the executor, needs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagrams.check import undesigned, undrawn
from ...schema.phase import PLANNING, Phase
from ...schema.plan.findings import Finding

if TYPE_CHECKING:
    from ...schema.plan.document import Plan


def missing(plan: "Plan", phase: Phase) -> tuple[Finding, ...]:
    """Return what is missing for the phase and those before it. Raises ValueError for a phase that plans nothing."""
    if phase not in PLANNING:
        raise ValueError(f"{phase} changes no plan; validate after one of {', '.join(PLANNING)}")
    rules = {Phase.PLAN_DESIGN: _design, Phase.PLAN_CODE: _code, Phase.PLAN_DOCS: _docs}  # other phases need no entry
    passed = PLANNING[: PLANNING.index(phase) + 1]
    return tuple(finding for each in passed if each in rules for finding in rules[each](plan))


def _design(plan: "Plan") -> Iterator[Finding]:
    for field, value in (("problem", plan.overview.problem), ("approach", plan.overview.approach)):
        if not value.strip():
            yield Finding("plan", f"overview.{field}", "is empty", f"write it: set-overview --{field}")
    if not plan.milestones:
        yield Finding("plan", "milestones", "there are none", "add the work: set-milestone")
    placed = frozenset(member for wave in plan.waves for member in wave.milestones)
    for milestone in plan.milestones:
        if not milestone.acceptance_criteria:
            yield Finding(
                milestone.id, "acceptance_criteria", "is empty", "write what shows that it is done: set-milestone"
            )
        if milestone.is_documentation_only:
            continue
        if not milestone.code_intents:
            yield Finding(
                milestone.id,
                "code_intents",
                "there are none",
                "say what each file should do: set-intent; or mark it --is-documentation-only",
            )
        if milestone.id not in placed:
            yield Finding(
                milestone.id, "waves", "it is in no wave, so nobody would build it", "add it to a wave: set-wave"
            )
    for diagram in plan.diagram_graphs:
        yield from undesigned(diagram)


def _code(plan: "Plan") -> Iterator[Finding]:
    for milestone in plan.milestones:
        brought = frozenset(change.intent_ref for change in milestone.code_changes)
        files = frozenset(change.file for change in milestone.code_changes)
        for intent in milestone.code_intents:
            if intent.id not in brought and intent.file not in files:
                fix = f"write it in the scratch copy, then record-changes --milestone {milestone.id}"
                yield Finding(intent.id, "code_changes", f"no change touches {intent.file}", fix)


def _docs(plan: "Plan") -> Iterator[Finding]:
    for diagram in plan.diagram_graphs:
        yield from undrawn(diagram)
