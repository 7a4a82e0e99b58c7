"""Creation and update of entities: ids, versions and fields, the same for every kind."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from attrs import NOTHING, evolve, fields

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.cli.table.arguments import Flag, Unset
from lib.workflow.cli.table.edits import Edit, EditError, Replacement, replaced
from lib.workflow.errors import RefusedError

from ...schema.ids import form_of, next_id
from ...schema.plan.decisions import Decision, RejectedAlternative, Risk
from ...schema.plan.diagram import Diagram
from ...schema.plan.document import Plan, Wave
from ...schema.plan.entities import KIND_OF, Entity, entities, put
from ...schema.plan.findings import listed
from ...schema.plan.milestone import CodeChange, CodeIntent, Milestone
from ..refusing import refusing
from .conflict import check_version

E = TypeVar("E", Decision, RejectedAlternative, Risk, Diagram, Milestone, CodeIntent, CodeChange, Wave)
Result: TypeAlias = tuple[Plan, Node]
"""The plan after a command, and what the command prints."""
Id: TypeAlias = Annotated[
    str | None, Flag(ref=True, description="the id of the entity to update; leave it out to create one")
]
Version: TypeAlias = Annotated[int | None, Flag(min=1, description="for an update: the version that `get` shows")]
Replacements: TypeAlias = Annotated[
    tuple[Replacement, ...],
    Flag(description="for an update: replace OLD, which must occur once in all its texts, with NEW; repeatable"),
]

MAX_NAMED = 8
"""Most ids that a refusal names."""
NOTE = "note"
"""The element for side effects of a change and the work that it asks for next."""


def needed_for(cls: type[Entity], *more: str) -> tuple[str, ...]:
    """Return the names of the values that a new entity needs."""
    required = (attribute.name for attribute in fields(cls) if attribute.default is NOTHING)
    return (*more, *(name for name in required if name != "id"))


def save(
    plan: Plan, cls: type[E], id_: str | None, version: int | None, replace: Replacements, **values: object
) -> Result:
    """Create an entity, or update the one of that id; for kinds whose ids contain no milestone id."""
    if id_ is None:
        return created(plan, born(plan, cls, "", **values))
    return updated(plan, revised(at(plan, cls, id_, version), replace, **values))


def at(plan: Plan, cls: type[E], entity_id: str, version: int | None) -> E:
    """Return the entity of that id, checked against the version that the caller knows. Raises RefusedError."""
    entity = known(plan, cls, entity_id)
    check_version(entity_id, entity.version, version, entity)
    return entity


def known(plan: Plan, cls: type[E], entity_id: str) -> E:
    """Return the entity of that id. Raises RefusedError if none exists."""
    kind = KIND_OF[cls]
    found = entities(plan, kind)
    for entity in found:
        if isinstance(entity, cls) and entity.id == entity_id:
            return entity
    raise RefusedError("unknown-id", entity_id, f"no {kind.word} has this id", _choice(found, form_of(kind)))


def _choice(found: Iterable[Entity], form: str) -> str:
    ids = [entity.id for entity in found]
    if not ids:
        return f"create one first: there are none yet (ids look like {form})"
    more = f" … ({len(ids)} of them)" if len(ids) > MAX_NAMED else ""
    return f"name one of {', '.join(ids[:MAX_NAMED])}{more}"


def born(plan: Plan, cls: type[E], milestone: str = "", /, **values: object) -> E:
    """Return a new entity with the next id, in a milestone's series if named. Raises RefusedError for a bad value."""
    kind = KIND_OF[cls]
    entity_id = next_id(kind, (entity.id for entity in entities(plan, kind)), milestone)
    with refusing(entity_id):
        return cls(id=entity_id, **given(values))


def revised(before: E, replace: Replacements = (), /, **values: object) -> E:
    """Return the entity with these values and the next version. Raises RefusedError for a bad value."""
    with refusing(before.id):
        return evolve(before, version=before.version + 1, **edited(before, replace, values))


def edited(before: object, replace: Iterable[Replacement], values: Mapping[str, object]) -> dict[str, Any]:
    """Return the values that an update sets, with its edits made in the present values.

    Args:
        before: The object to update; it has an attribute for each of the values.
        replace: Texts to put in place of others, anywhere in the values.
        values: Every value that the command can set, UNSET if it was not given.

    Raises:
        RefusedError: An edit does not fit the present values.
    """
    changes = given(values)
    try:
        for name, value in changes.items():
            if isinstance(value, Edit):
                changes[name] = value.of(getattr(before, name))
        now = {name: changes.get(name, getattr(before, name)) for name in values}
        after = replaced(now, replace)
    except EditError as error:
        target = getattr(before, "id", type(before).__name__)
        raise RefusedError("no-match", target, str(error), "nothing was changed; `get` shows the texts") from None
    return {name: value for name, value in after.items() if name in changes or value != now[name]}


def given(values: Mapping[str, object]) -> dict[str, Any]:
    """Return the values that were given. The table has checked them against the handler's signature."""
    return {name: value for name, value in values.items() if not isinstance(value, Unset)}


def created(plan: Plan, entity: E, *notes: str) -> Result:
    """Return the plan with the new entity, and what is printed."""
    with refusing(entity.id):
        after = put(plan, entity)
    return changed(plan, after, entity.id, entity.version, Operation.CREATED, *notes)


def updated(plan: Plan, entity: E, *notes: str) -> Result:
    """Return the plan with the updated entity, and what is printed."""
    with refusing(entity.id):
        after = put(plan, entity)
    return changed(plan, after, entity.id, entity.version, Operation.UPDATED, *notes)


def changed(before: Plan, after: Plan, entity_id: str, version: int, operation: Operation, *notes: str) -> Result:
    """Return the plan after a change, and what is printed. Raises RefusedError if the change breaks a reference."""
    findings = after.validate_refs()
    if findings:
        old = before.validate_refs()
        broken = [finding for finding in findings if finding not in old]
        if broken:
            raise RefusedError(
                "broken-reference", entity_id, listed(broken), "nothing was changed; each line names what to do first"
            )
    result = EntityResult(id=entity_id, version=version, operation=operation)
    return after, Document([result, *(Element(NOTE, {}, note) for note in notes)]) if notes else result
