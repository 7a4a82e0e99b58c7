"""Ids of the plan's entities: what they look like, what kind each names, which comes next."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from attrs import Attribute

MIN_DIGITS, MAX_DIGITS = 3, 9


class Kind(StrEnum):
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


WITHIN_MILESTONE: Final = frozenset({Kind.INTENT, Kind.CHANGE})
"""Kinds whose ids hold that of their milestone: `CI-M-001-002`."""
KINDS: Final[Mapping[str, Kind]] = {str(kind): kind for kind in Kind}


def number_of(text: str) -> int | None:
    """The number that the digits after an id's last dash stand for; None where they are not in the one form."""
    if not (text.isascii() and text.isdigit() and MIN_DIGITS <= len(text) <= MAX_DIGITS):
        return None
    number = int(text)
    return number if number and f"{number:03d}" == text else None


def kind_of(entity_id: str) -> Kind | None:
    """What the id names; None for what is no id."""
    series, _, digits = entity_id.rpartition("-")
    if number_of(digits) is None:
        return None
    prefix, _, milestone = series.partition("-")
    kind = KINDS.get(prefix)
    if kind in WITHIN_MILESTONE:
        return kind if kind_of(milestone) is Kind.MILESTONE else None
    return None if milestone else kind


def form_of(kind: Kind) -> str:
    """How ids of the kind look, by an example."""
    return f"{kind}-M-001-001" if kind in WITHIN_MILESTONE else f"{kind}-001"


def check_id(kind: Kind, value: str, where: str) -> None:
    """Raises ValueError, with the form, for what is no id of the kind."""
    if kind_of(value) is not kind:
        raise ValueError(f"{where}: {value!r:.60} is no id of this kind; ids look like {form_of(kind)}")


class IdOf:
    """An attrs validator: the field holds an id of a kind, or several, or None where it is absent."""

    __slots__ = ("kind",)

    def __init__(self, kind: Kind) -> None:
        self.kind: Final = kind

    def __call__(self, instance: object, attribute: "Attribute[Any]", value: str | tuple[str, ...] | None) -> None:
        where = f"{type(instance).__name__}.{attribute.name}"
        for each in (value,) if isinstance(value, str) else value or ():
            check_id(self.kind, each, where)


def next_id(kind: Kind, taken: Iterable[str], milestone: str = "") -> str:
    """The id after the highest one that is taken in its series, whatever gaps there are."""
    series = f"{kind}-{milestone}" if milestone else str(kind)
    prefix = f"{series}-"
    numbers = (number_of(each.removeprefix(prefix)) or 0 for each in taken if each.startswith(prefix))
    return f"{prefix}{max(numbers, default=0) + 1:03d}"
