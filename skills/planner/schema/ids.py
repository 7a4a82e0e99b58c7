"""Ids of the plan's entities: what they look like, what kind each names, which comes next."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from attrs import Attribute


class EntityKind(StrEnum):
    """What an id names; the value is what the id begins with."""

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
        """What an agent calls it."""
        return self.name.lower().replace("_", " ")


WITHIN_MILESTONE: Final = frozenset({EntityKind.INTENT, EntityKind.CHANGE})
"""Kinds whose ids hold that of their milestone: `CI-M-001-002`."""
NUMBER: Final = "(?!000)(?:[0-9]{3}|[1-9][0-9]{3,8})"
ID: Final = re.compile(f"(?:(CI|CC)-M-{NUMBER}|(M|DL|RA|R|C|DIAG|W))-{NUMBER}")


def kind_of(entity_id: str) -> EntityKind | None:
    """What the id names; None for what is no id."""
    found = ID.fullmatch(entity_id)
    return EntityKind(found[1] or found[2]) if found else None


def form_of(kind: EntityKind) -> str:
    """How ids of the kind look, by an example."""
    return f"{kind}-M-001-001" if kind in WITHIN_MILESTONE else f"{kind}-001"


def check_id(kind: EntityKind, value: str, where: str) -> None:
    """Raises ValueError, with the form, for what is no id of the kind."""
    if kind_of(value) is not kind:
        raise ValueError(f"{where}: {value!r:.60} is no id of this kind; ids look like {form_of(kind)}")


class IdOf:
    """An attrs validator: the field holds an id of a kind, or several, or None where it is absent."""

    __slots__ = ("kind",)

    def __init__(self, kind: EntityKind) -> None:
        self.kind: Final = kind

    def __call__(self, instance: object, attribute: "Attribute[Any]", value: str | tuple[str, ...] | None) -> None:
        where = f"{type(instance).__name__}.{attribute.name}"
        for each in (value,) if isinstance(value, str) else value or ():
            check_id(self.kind, each, where)


def next_id(kind: EntityKind, taken: Iterable[str], milestone: str = "") -> str:
    """The id after the highest one that is taken in its series, whatever gaps there are."""
    prefix = f"{kind}-{milestone}-" if milestone else f"{kind}-"
    numbers = (int(each[len(prefix) :]) for each in taken if each.startswith(prefix) and kind_of(each) is kind)
    return f"{prefix}{max(numbers, default=0) + 1:03d}"
