"""What every frozen class of ours is compared, hashed and shown by: its fields."""

from typing import TYPE_CHECKING, Any, ClassVar

from attrs import fields


class Struct:
    """The base of the frozen classes that a short process declares.

    What attrs would generate for each class anew (comparison, hash, repr) is more than half of what a class costs at
    every start, and is written here once. So a class is declared `@frozen(eq=False, repr=False)`; a field that is
    `eq=False` or `repr=False` is left out, as in attrs.
    """

    __slots__ = ()
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


_COMPARED: dict[type[Struct], tuple[str, ...]] = {}


def compared(cls: type[Struct]) -> tuple[str, ...]:
    """The names of the fields that make two values of the class equal."""
    try:
        return _COMPARED[cls]
    except KeyError:
        _COMPARED[cls] = names = tuple(each.name for each in fields(cls) if each.eq)
        return names
