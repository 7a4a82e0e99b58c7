"""Domains of values."""

import pytest

from lib.workflow import types
from lib.workflow.arguments.parameter import Value
from lib.workflow.util.domains import WIDE, BoundedInt, ChoiceSet, Constant, Domain, Samples


@pytest.mark.parametrize(
    ("domain", "values"),
    [
        (BoundedInt(1, 5), [1, 2, 3, 4, 5]),
        (BoundedInt(3, 3), [3]),
        (BoundedInt(-1, WIDE - 2), [*range(-1, WIDE - 1)]),
        (BoundedInt(0, 1000), [0, 1, 500, 999, 1000]),
        (ChoiceSet(("full", "quick")), ["full", "quick"]),
        (Constant(42), [42]),
        (Samples(("a", "b"), ("<",)), ["a", "b"]),
    ],
    ids=str,
)
def test_a_domain_goes_through_its_values_as_often_as_asked(domain: Domain, values: list[Value]) -> None:
    assert list(domain) == list(domain) == values


def test_equal_domains_are_one_key() -> None:
    assert len({BoundedInt(1, 2), BoundedInt(1, 2), ChoiceSet((1, 2)), Constant(1), Constant(1)}) == 3


def test_a_range_that_holds_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"BoundedInt\(2, 1\)"):
        BoundedInt(2, 1)


def test_the_specification_finds_them_among_the_types() -> None:
    assert types.BoundedInt is BoundedInt
    assert (types.ChoiceSet, types.Constant, types.Samples) == (ChoiceSet, Constant, Samples)
    with pytest.raises(AttributeError):
        types.__getattr__("Nothing")
