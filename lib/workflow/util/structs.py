"""Base class that gives frozen attrs classes field-based equality, hash and repr; results that are kept per class."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from attrs import fields

K = TypeVar("K")
T = TypeVar("T")


class Struct:
    """The base of the frozen classes that a short process declares.

    The methods that attrs would generate for each class (comparison, hash, repr) are more than half of its cost at
    every start, so this class has them once. Fields with `eq=False` or `repr=False` are left out, as in attrs.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Give the class these methods as its own, because attrs generates none that a class has."""
        super().__init_subclass__()
        for name in ("__eq__", "__hash__", "__repr__"):
            if name not in vars(cls):
                setattr(cls, name, getattr(cls, name))

    if TYPE_CHECKING:
        __attrs_attrs__: ClassVar[Any]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in compared(type(self)))

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in compared(type(self)))))

    def __repr__(self) -> str:
        shown = (each.name for each in fields(type(self)) if each.repr)
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


class PerClass(dict[type[K], T]):
    """The results of a function for classes, each made on first use."""

    def __init__(self, make: Callable[[type[K]], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cls: type[K]) -> T:
        made = self[cls] = self._make(cls)
        return made


def per_class(make: Callable[[type[K]], T]) -> Callable[[type[K]], T]:
    """Cache the result of `make` for each class."""
    return PerClass(make).__getitem__


@per_class
def compared(cls: type[Struct]) -> tuple[str, ...]:
    """Return the names of the fields that decide equality."""
    return tuple(each.name for each in fields(cls) if each.eq)
