"""What goes by the plan's own version: overview, knowledge and constraints."""

from typing import Annotated, Final, TypeAlias

from attrs import evolve

from lib.workflow.ast.results import Operation
from lib.workflow.errors import RefusedError
from lib.workflow.table.arguments import UNSET, Flag, Unset, kept, needed

from ..schema.decisions import PlanningContext
from ..schema.ids import Kind
from ..schema.plan import InvisibleKnowledge, Overview, Plan
from .entity import Id, Result, Version, changed, check_version, given, refusing

OVERVIEW: Final = "overview"
KNOWLEDGE: Final = "knowledge"

PlanPart: TypeAlias = Overview | InvisibleKnowledge | PlanningContext
PlanVersion: TypeAlias = Annotated[int, Flag(min=1, description="the plan's version, which the update is based on")]
Problem: TypeAlias = Annotated[str, Flag(long=True, description="what is solved")]
Approach: TypeAlias = Annotated[str, Flag(long=True, description="how it is solved")]
System: TypeAlias = Annotated[str, Flag(long=True, description="architecture, data flow, why it is built so")]
Invariants: TypeAlias = Annotated[tuple[str, ...], Flag(each="invariant", long=True, description="what must stay true")]
Tradeoffs: TypeAlias = Annotated[tuple[str, ...], Flag(each="tradeoff", long=True, description="a known compromise")]


def set_overview(
    plan: Plan, version: PlanVersion, problem: Problem | Unset = UNSET, approach: Approach | Unset = UNSET
) -> Result:
    """Say what is solved, and how."""
    check_version(OVERVIEW, plan.version, version, plan)
    with refusing(OVERVIEW):
        overview = evolve(plan.overview, **given({"problem": problem, "approach": approach}))
    return _counted(plan, OVERVIEW, overview=overview)


def set_knowledge(
    plan: Plan,
    version: PlanVersion,
    system: System | Unset | None = UNSET,
    invariants: Invariants | Unset = UNSET,
    tradeoffs: Tradeoffs | Unset = UNSET,
) -> Result:
    """Write down what the code does not say."""
    check_version(KNOWLEDGE, plan.version, version, plan)
    values = {"system": "" if system is None else system, "invariants": invariants, "tradeoffs": tradeoffs}
    with refusing(KNOWLEDGE):
        knowledge = evolve(plan.invisible_knowledge, **given(values))
    return _counted(plan, KNOWLEDGE, invisible_knowledge=knowledge)


def set_constraint(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    constraint: Annotated[str, Flag(long=True, description="as MUST: Python 3.11 (user-specified)")] | Unset = UNSET,
) -> Result:
    """Add a constraint, or change one.

    Its id is its place, C-001 the first, and its version is the plan's.
    """
    constraints = plan.planning_context.constraints
    if id_ is None:
        return _constrained(
            plan, constraint_id(len(constraints)), (*constraints, needed(constraint)), Operation.CREATED
        )
    place = constraint_place(plan, id_)
    check_version(id_, plan.version, version, plan)
    text = kept(constraint, constraints[place])
    return _constrained(plan, id_, (*constraints[:place], text, *constraints[place + 1 :]), Operation.UPDATED)


def remove_constraint(plan: Plan, id_: str, version: int | None) -> Result:
    """Takes it out; those after it move up."""
    constraints = plan.planning_context.constraints
    place = constraint_place(plan, id_)
    check_version(id_, plan.version, version, plan)
    return _constrained(plan, id_, constraints[:place] + constraints[place + 1 :], Operation.DELETED)


def constraint_id(place: int) -> str:
    """The id of the constraint at a place, counted from 0."""
    return f"{Kind.CONSTRAINT}-{place + 1:03d}"


def constraint_place(plan: Plan, id_: str) -> int:
    """The place of the constraint of that id, counted from 0. Raises RefusedError where there is none."""
    ids = [constraint_id(place) for place in range(len(plan.planning_context.constraints))]
    if id_ not in ids:
        fix = f"name one of {ids[0]} to {ids[-1]}" if ids else "there is none yet; leave the id out to add one"
        raise RefusedError("unknown-id", id_, "there is no such constraint", fix)
    return ids.index(id_)


def _constrained(plan: Plan, id_: str, constraints: tuple[str, ...], operation: Operation) -> Result:
    with refusing(id_):
        context = evolve(plan.planning_context, constraints=constraints)
    return _counted(plan, id_, operation, planning_context=context)


def _counted(plan: Plan, target: str, operation: Operation = Operation.UPDATED, **parts: PlanPart) -> Result:
    """The plan with these parts and the next version."""
    after = evolve(plan, version=plan.version + 1, **given(parts))
    return changed(plan, after, target, after.version, operation)
