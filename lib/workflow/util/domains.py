"""Domains of parameters, as values to try."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

if TYPE_CHECKING:
    from ..arguments.parameter import Value

WIDE: Final = 32
"""Larger ranges of whole numbers are tried at their edges and middle."""


@frozen
class BoundedInt:
    """The whole numbers from `lo` to `hi`, inclusive. Raises ValueError if the range is empty."""

    lo: int
    hi: int = field()

    @hi.validator
    def _holds_one(self, _: object, hi: int) -> None:
        if hi < self.lo:
            raise ValueError(f"BoundedInt({self.lo}, {hi}) holds no number; give the lower bound first")

    def __iter__(self) -> Iterator[int]:
        if self.hi - self.lo < WIDE:
            return iter(range(self.lo, self.hi + 1))
        return iter((self.lo, self.lo + 1, (self.lo + self.hi) // 2, self.hi - 1, self.hi))


@frozen
class ChoiceSet:
    """A short ordered list of legal values."""

    choices: "tuple[Value, ...]"

    def __iter__(self) -> "Iterator[Value]":
        return iter(self.choices)


@frozen
class Constant:
    """The only possible value."""

    value: "Value"

    def __iter__(self) -> "Iterator[Value]":
        return iter((self.value,))


@frozen
class Samples:
    """Samples of an infinite domain. Iteration gives the plain ones."""

    plain: "tuple[Value, ...]"
    hostile: "tuple[Value, ...]" = ()
    """Texts that must do no harm anywhere; tried one at a time, and counted separately."""

    def __iter__(self) -> "Iterator[Value]":
        return iter(self.plain)


Domain: TypeAlias = BoundedInt | ChoiceSet | Constant | Samples
