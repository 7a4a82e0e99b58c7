"""Version checks: an update must name the version of the entity that it is based on."""

import json
from typing import Any, Final

from attrs import evolve

from lib.workflow.codec import codec
from lib.workflow.errors import StaleVersionError

from ...schema.plan.document import InvisibleKnowledge, Overview
from ...schema.plan.entities import Entity
from ...schema.plan.milestone import CodeChange, Milestone

MAX_DIFF: Final = 400
"""Most characters of a diff that a conflict shows."""


def check_version(
    target: str, current: int, based_on: int | None, entity: Entity | Overview | InvisibleKnowledge | str
) -> None:
    """Raise StaleVersionError, with that entity alone, if the update names another version or none."""
    if based_on != current:
        raise StaleVersionError(target, based_on, current, compact(entity))


def compact(entity: Entity | Overview | InvisibleKnowledge | str) -> str:
    """Return the entity as JSON on one line. A milestone lists ids of its parts; a change leaves out a long diff."""
    if isinstance(entity, CodeChange) and len(entity.diff) > MAX_DIFF:
        entity = evolve(entity, diff=f"({len(entity.diff):,} characters: get --id {entity.id} --raw)")
    found = entity if isinstance(entity, str) else _fields(entity)
    return json.dumps(found, ensure_ascii=False)


def _fields(entity: Entity | Overview | InvisibleKnowledge) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(codec(type(entity)).dumps(entity))
    if isinstance(entity, Milestone):
        found["code_intents"] = [intent.id for intent in entity.code_intents]
        found["code_changes"] = [change.id for change in entity.code_changes]
    return found
