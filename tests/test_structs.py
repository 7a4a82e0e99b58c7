"""Frozen classes: one implementation does what attrs would generate for each class."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import field, frozen, has

import skills.planner.schema
from lib.workflow.ast.fields import Node
from lib.workflow.util.structs import Struct
from tests.laws.test_12_small_commands import LIBRARY, REVIEW
from tests.laws.test_12_small_starts import OURS


@frozen
class Ours(Struct):
    """A class declared as ours are."""

    name: str
    number: int = 1
    cache: str = field(default="", eq=False, repr=False)


@frozen
class Other(Ours):
    """Another class with the same fields."""


@frozen
class Theirs:
    """A class declared as in attrs."""

    name: str
    number: int = 1
    cache: str = field(default="", eq=False, repr=False)


@pytest.mark.parametrize("values", [("a",), ("a", 1, "kept"), ("b",), ("a", 2), ("a b", -1)])
def test_values_are_equal_hashed_and_shown_as_attrs_would(values: tuple[Any, ...]) -> None:
    ours, theirs = Ours(*values), Theirs(*values)
    assert (ours == Ours("a"), ours != Ours("a")) == (theirs == Theirs("a"), theirs != Theirs("a"))
    assert (hash(ours) == hash(Ours("a"))) is (hash(theirs) == hash(Theirs("a")))
    assert repr(ours).partition("(")[2] == repr(theirs).partition("(")[2]


def test_a_value_of_another_class_is_another_value() -> None:
    assert Ours("a") != Other("a")
    assert len({Ours("a"), Other("a"), Ours("a")}) == 2


def declared() -> Iterator[type]:
    """Yield the attrs classes of the modules that short processes import."""
    schema = (f"skills.planner.schema.{module.name}" for module in pkgutil.iter_modules(skills.planner.schema.__path__))
    for name in sorted({*OURS, *LIBRARY, *REVIEW, *schema, "skills.planner.phases", "skills.planner.next_step"}):
        module = importlib.import_module(name)
        yield from (cls for cls in vars(module).values() if isinstance(cls, type) and has(cls))


@pytest.mark.parametrize("cls", sorted(set(declared()), key=repr))
def test_no_class_of_a_short_process_generates_its_own_comparison(cls: type) -> None:
    generated = [vars(cls).get(name) for name in ("__eq__", "__repr__", "__hash__")]
    assert {getattr(method, "__module__", "") for method in generated if method} <= {Struct.__module__, Node.__module__}
