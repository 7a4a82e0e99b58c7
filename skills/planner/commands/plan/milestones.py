"""Milestones, the intents of their code, and the waves that they are built in."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from attrs import evolve

from lib.workflow.cli.table.arguments import UNSET, Flag, Unset, kept, needed
from lib.workflow.cli.table.edits import Edit
from lib.workflow.errors import RefusedError

from ...schema.plan.document import Plan, Wave
from ...schema.plan.entities import milestone_of
from ...schema.plan.milestone import TEST_FORMS, CodeIntent, Milestone
from .entity import Id, Replacements, Result, Version, at, born, created, edited, known, revised, save, updated

MilestoneId: TypeAlias = Annotated[str, Flag(ref=True, description="the milestone of a new entity, such as M-001")]
File: TypeAlias = Annotated[str, Flag(description="its path from the project's root")]

Files: TypeAlias = Annotated[tuple[str, ...], Flag(each="file", description="a file that it touches")]
Requirements: TypeAlias = Annotated[tuple[str, ...], Flag(each="requirement", long=True, description="a requirement")]
Criteria: TypeAlias = Annotated[
    tuple[str, ...], Flag(each="criterion", long=True, description="a criterion that shows that it is done")
]
Tests: TypeAlias = Annotated[
    tuple[str, ...],
    Flag(
        each="test",
        long=True,
        description=", ".join(TEST_FORMS),
    ),
]
DecisionRefs: TypeAlias = Annotated[
    tuple[str, ...], Flag(each="decision_ref", ref=True, description="a decision that it follows")
]
Members: TypeAlias = Annotated[tuple[str, ...], Flag(each="milestone", ref=True, description="a milestone of it")]


def set_milestone(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    name: Annotated[str, Flag(description="one line")] | Unset = UNSET,
    files: Files | Edit | Unset = UNSET,
    requirements: Requirements | Edit | Unset = UNSET,
    acceptance_criteria: Criteria | Edit | Unset = UNSET,
    tests: Tests | Edit | Unset = UNSET,
    is_documentation_only: Annotated[bool, Flag(description="mark it as documentation only: no code, and in no wave")]
    | Unset = UNSET,
    delegated_to: Annotated[str, Flag(description="who does it, if somebody in particular")] | Unset | None = UNSET,
    replace: Replacements = (),
) -> Result:
    """Add a milestone, or change one.

    A milestone is a part of the plan that is built and reviewed as one.

    A milestone that becomes documentation only loses its intents, the changes that implement them and its place in the
    waves. The output says what was lost, and what is lacking when it becomes code again.
    """
    values = {
        "name": name,
        "files": files,
        "requirements": requirements,
        "acceptance_criteria": acceptance_criteria,
        "tests": tests,
        "is_documentation_only": is_documentation_only,
        "delegated_to": delegated_to,
    }
    if id_ is None:
        return created(plan, born(plan, Milestone, **values))
    before = at(plan, Milestone, id_, version)
    documents = kept(is_documentation_only, before.is_documentation_only)
    if documents == before.is_documentation_only:
        return updated(plan, revised(before, replace, **values))
    if documents:
        return _to_documentation(plan, before, edited(before, replace, values))
    note = f"{before.id} is code now: say what it does (set-intent) and place it in a wave (set-wave)"
    return updated(plan, revised(before, replace, **values), note)


def _to_documentation(plan: Plan, before: Milestone, values: Mapping[str, object]) -> Result:
    """Return the plan with the milestone as documentation only, and a note on the code entries that it lost."""
    dropped = [intent.id for intent in before.code_intents]
    dropped += [change.id for change in before.code_changes if change.intent_ref is not None]
    kept_changes = tuple(change for change in before.code_changes if change.intent_ref is None)
    rest, notes = _out_of_waves(plan, before.id)
    if dropped:
        notes.insert(0, f"removed with the code: {', '.join(dropped)}")
    return updated(rest, revised(before, **values, code_intents=(), code_changes=kept_changes), *notes)


def _out_of_waves(plan: Plan, milestone: str) -> tuple[Plan, list[str]]:
    """Return the plan with the milestone in no wave, and notes on what that changed."""
    waves: list[Wave] = []
    notes = []
    for wave in plan.waves:
        rest = tuple(member for member in wave.milestones if member != milestone)
        if rest == wave.milestones:
            waves.append(wave)
        elif rest:
            waves.append(evolve(wave, version=wave.version + 1, milestones=rest))
            notes.append(f"{milestone} is no longer in {wave.id}, whose version is {wave.version + 1} now")
        else:
            notes.append(f"{wave.id} held nothing else and is removed")
    return evolve(plan, waves=tuple(waves)), notes


def set_intent(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    milestone: MilestoneId | Unset = UNSET,
    file: File | Unset = UNSET,
    behavior: Annotated[str, Flag(long=True, description="its behavior, with functions and parameters")]
    | Unset = UNSET,
    decision_refs: DecisionRefs | Edit | Unset = UNSET,
    replace: Replacements = (),
) -> Result:
    """Record what the code of one file should do."""
    values = {"file": file, "behavior": behavior, "decision_refs": decision_refs}
    if id_ is None:
        owner = known(plan, Milestone, needed(milestone))
        return created(plan, born(plan, CodeIntent, owner.id, **values))
    check_place(id_, milestone)
    return updated(plan, revised(at(plan, CodeIntent, id_, version), replace, **values))


def check_place(entity_id: str, milestone: str | Unset) -> None:
    """Raise RefusedError if an update names another milestone than the entity's."""
    owner = milestone_of(entity_id)
    if kept(milestone, owner) != owner:
        fix = "leave the milestone out; or create it there, and remove this one"
        raise RefusedError("invalid-value", entity_id, f"it belongs to {owner}", fix)


def set_wave(plan: Plan, id_: Id = None, version: Version = None, milestones: Members | Edit | Unset = UNSET) -> Result:
    """Add a wave after the others, or change one.

    Waves are built one after the other, the milestones of a wave in parallel. No two of them may touch the same file.
    """
    return save(plan, Wave, id_, version, (), milestones=milestones)
