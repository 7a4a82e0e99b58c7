"""Overview, knowledge and constraints: the parts of a plan that have no counter of their own."""

from typing import Annotated, Any, Final, TypeAlias

from attrs import evolve

from lib.workflow.ast.results import Operation
from lib.workflow.cli.table.arguments import UNSET, Flag, Unset, needed
from lib.workflow.cli.table.edits import Edit
from lib.workflow.errors import RefusedError

from ...schema.ids import EntityKind
from ...schema.plan.document import InvisibleKnowledge, Overview, Plan
from ...schema.plan.versions import FIRST, version_of
from ..refusing import refusing
from .conflict import check_version
from .entity import Id, Replacements, Result, Version, changed, edited

OVERVIEW: Final = "overview"
KNOWLEDGE: Final = "knowledge"

PartVersion: TypeAlias = Annotated[
    int | None, Flag(min=1, description="the version that `get` shows; not needed while the part is empty")
]
Problem: TypeAlias = Annotated[str, Flag(long=True, description="the problem to solve")]
Approach: TypeAlias = Annotated[str, Flag(long=True, description="how to solve it")]
System: TypeAlias = Annotated[str, Flag(long=True, description="architecture, data flow, why it is built so")]
Invariants: TypeAlias = Annotated[
    tuple[str, ...], Flag(each="invariant", long=True, description="a fact that must stay true")
]
Tradeoffs: TypeAlias = Annotated[tuple[str, ...], Flag(each="tradeoff", long=True, description="a known compromise")]
Constraint: TypeAlias = Annotated[
    str, Flag(long=True, description="the constraint, such as MUST: Python 3.11 (user-specified)")
]


def set_overview(
    plan: Plan,
    version: PartVersion = None,
    problem: Problem | Unset = UNSET,
    approach: Approach | Unset = UNSET,
    replace: Replacements = (),
) -> Result:
    """Record what the plan solves, and how."""
    before = plan.overview
    _check_part(OVERVIEW, before, version)
    with refusing(OVERVIEW):
        after = evolve(before, **edited(before, replace, {"problem": problem, "approach": approach}))
    return _counted(plan, OVERVIEW, version_of(after), _operation(before), overview=after)


def set_knowledge(
    plan: Plan,
    version: PartVersion = None,
    system: System | Unset | None = UNSET,
    invariants: Invariants | Edit | Unset = UNSET,
    tradeoffs: Tradeoffs | Edit | Unset = UNSET,
    replace: Replacements = (),
) -> Result:
    """Write down what the code does not say."""
    before = plan.invisible_knowledge
    _check_part(KNOWLEDGE, before, version)
    values = {"system": "" if system is None else system, "invariants": invariants, "tradeoffs": tradeoffs}
    with refusing(KNOWLEDGE):
        after = evolve(before, **edited(before, replace, values))
    return _counted(plan, KNOWLEDGE, version_of(after), _operation(before), invisible_knowledge=after)


def _check_part(name: str, part: Overview | InvisibleKnowledge, version: int | None) -> None:
    """Check that an update names the version of the part. An empty part needs no version."""
    current = version_of(part)
    if version is not None or current != FIRST:
        check_version(name, current, version, part)


def _operation(before: Overview | InvisibleKnowledge) -> Operation:
    return Operation.CREATED if version_of(before) == FIRST else Operation.UPDATED


def set_constraint(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    constraint: Constraint | Unset = UNSET,
    replace: Replacements = (),
) -> Result:
    """Add a constraint, or change one.

    Its id is its place: C-001 is the first. Freezing the context adds those of the context.
    """
    constraints = plan.planning_context.constraints
    if id_ is None:
        id_, text = constraint_id(len(constraints)), needed(constraint)
        return _constrained(plan, id_, version_of(text), (*constraints, text), Operation.CREATED)
    place = constraint_place(plan, id_)
    check_version(id_, version_of(constraints[place]), version, constraints[place])
    text = str(edited(_Text(constraints[place]), replace, {"text": constraint}).get("text", constraints[place]))
    after = (*constraints[:place], text, *constraints[place + 1 :])
    return _constrained(plan, id_, version_of(text), after, Operation.UPDATED)


class _Text:
    """A constraint as an object with a text attribute, the shape that `edited` expects."""

    def __init__(self, text: str) -> None:
        self.text = text


def remove_constraint(plan: Plan, id_: str, version: int | None) -> Result:
    """Remove a constraint; those after it move up."""
    constraints = plan.planning_context.constraints
    place = constraint_place(plan, id_)
    current = version_of(constraints[place])
    check_version(id_, current, version, constraints[place])
    return _constrained(plan, id_, current, constraints[:place] + constraints[place + 1 :], Operation.DELETED)


def constraint_id(place: int) -> str:
    """Return the id of the constraint at a place, counted from 0."""
    return f"{EntityKind.CONSTRAINT}-{place + 1:03d}"


def constraint_place(plan: Plan, id_: str) -> int:
    """Return the place of the constraint of that id, counted from 0. Raises RefusedError if none exists."""
    ids = [constraint_id(place) for place in range(len(plan.planning_context.constraints))]
    if id_ not in ids:
        fix = f"name one of {ids[0]} to {ids[-1]}" if ids else "there are none yet; leave the id out to add one"
        raise RefusedError("unknown-id", id_, "no constraint has this id", fix)
    return ids.index(id_)


def with_constraints(plan: Plan, texts: tuple[str, ...]) -> Plan:
    """Return the plan with those of these constraints that it does not have yet."""
    constraints = plan.planning_context.constraints
    new = tuple(text for text in dict.fromkeys(texts) if text not in constraints)
    if not new:
        return plan
    context = evolve(plan.planning_context, constraints=(*constraints, *new))
    return evolve(plan, version=plan.version + 1, planning_context=context)


def _constrained(plan: Plan, id_: str, version: int, constraints: tuple[str, ...], operation: Operation) -> Result:
    with refusing(id_):
        context = evolve(plan.planning_context, constraints=constraints)
    return _counted(plan, id_, version, operation, planning_context=context)


def _counted(plan: Plan, target: str, version: int, operation: Operation, **parts: Any) -> Result:
    """Return the plan with these parts and its next version, and what is printed."""
    return changed(plan, evolve(plan, version=plan.version + 1, **parts), target, version, operation)
