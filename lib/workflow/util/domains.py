"""What a parameter can be, as values to go through (003, "Domain Types")."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

if TYPE_CHECKING:
    from ..types import Value

WIDE: Final = 32
"""A range of more whole numbers than this is tried at its edges and its middle."""


@frozen
class BoundedInt:
    """The whole numbers from `lo` to `hi`, both included . Raises ValueError where there is none."""

    lo: int
    hi: int = field()

    @hi.validator
    def _holds_one(self, _: object, hi: int) -> None:
        if hi < self.lo:
            raise ValueError(f"BoundedInt({self.lo}, {hi}) holds no number; the first bound is the lower one")

    def __iter__(self) -> Iterator[int]:
        if self.hi - self.lo < WIDE:
            return iter(range(self.lo, self.hi + 1))
        return iter((self.lo, self.lo + 1, (self.lo + self.hi) // 2, self.hi - 1, self.hi))


@frozen
class ChoiceSet:
    """Values that are few and named, in their order."""

    choices: "tuple[Value, ...]"

    def __iter__(self) -> "Iterator[Value]":
        return iter(self.choices)


@frozen
class Constant:
    """The one value that is possible."""

    value: "Value"

    def __iter__(self) -> "Iterator[Value]":
        return iter((self.value,))


@frozen
class Samples:
    """Some of the values of a domain without end. Going through it gives the plain ones."""

    plain: "tuple[Value, ...]"
    hostile: "tuple[Value, ...]" = ()
    """Texts that must do no harm wherever they turn up; tried one at a time, and counted apart."""

    def __iter__(self) -> "Iterator[Value]":
        return iter(self.plain)


Domain: TypeAlias = BoundedInt | ChoiceSet | Constant | Samples
