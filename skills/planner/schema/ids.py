"""Ids of the plan's entities: their format, their kinds, and the next id of a series."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from attrs import Attribute


class EntityKind(StrEnum):
    """The kind of entity that an id names; the value is the id's prefix."""

    MILESTONE = "M"
    INTENT = "CI"
    CHANGE = "CC"
    DECISION = "DL"
    REJECTED_ALTERNATIVE = "RA"
    RISK = "R"
    CONSTRAINT = "C"
    DIAGRAM = "DIAG"
    WAVE = "W"

    @property
    def word(self) -> str:
        """Return the word that agents use for it."""
        return self.name.lower().replace("_", " ")


WITHIN_MILESTONE: Final = frozenset({EntityKind.INTENT, EntityKind.CHANGE})
"""Kinds whose ids contain that of their milestone: `CI-M-001-002`."""
NUMBER: Final = "(?!000)(?:[0-9]{3}|[1-9][0-9]{3,8})"
ID: Final = f"(?:(CI|CC)-M-{NUMBER}|(M|DL|RA|R|C|DIAG|W))-{NUMBER}"
"""A pattern; few commands read an id, so it is not compiled here."""


def kind_of(entity_id: str) -> EntityKind | None:
    """Return the kind that the id names; None for an invalid id."""
    found = re.fullmatch(ID, entity_id)
    return EntityKind(found[1] or found[2]) if found else None


def form_of(kind: EntityKind) -> str:
    """Return an example of the kind's ids."""
    return f"{kind}-M-001-001" if kind in WITHIN_MILESTONE else f"{kind}-001"


def check_id(kind: EntityKind, value: str, where: str) -> None:
    """Raise ValueError, with an example, for text that is not an id of the kind."""
    if kind_of(value) is not kind:
        raise ValueError(f"{where}: {value!r:.60} is not an id of this kind; ids look like {form_of(kind)}")


class IdOf:
    """An attrs validator: the field holds an id of a kind, or several, or None if it is absent."""

    __slots__ = ("kind",)

    def __init__(self, kind: EntityKind) -> None:
        self.kind: Final = kind

    def __call__(self, instance: object, attribute: "Attribute[Any]", value: str | tuple[str, ...] | None) -> None:
        where = f"{type(instance).__name__}.{attribute.name}"
        for each in (value,) if isinstance(value, str) else value or ():
            check_id(self.kind, each, where)


def next_id(kind: EntityKind, taken: Iterable[str], milestone: str = "") -> str:
    """Return the id after the highest one that is taken in its series. Gaps are not filled."""
    prefix = f"{kind}-{milestone}-" if milestone else f"{kind}-"
    numbers = (int(each[len(prefix) :]) for each in taken if each.startswith(prefix) and kind_of(each) is kind)
    return f"{prefix}{max(numbers, default=0) + 1:03d}"
