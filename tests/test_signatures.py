"""Parameters are read as `inspect` reads them."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial, wraps

import pytest

from lib.workflow.arguments.signatures import declared


def plain(
    first: int, second: str = "a", /, third: int = 3, *rest: int, named: bool, chosen: int = 1, **more: int
) -> None:
    local = first
    del local, second, third, rest, named, chosen, more


def several(first: int, *, named: str, other: str = "x") -> Iterator[int]:
    yield first


@wraps(several)
def decorated(*values: object, **named: object) -> object:
    return several


class Handler:
    def method(self, first: int, last: int = 2) -> None: ...

    def __call__(self, only: int) -> None: ...


CASES: tuple[Callable[..., object], ...] = (
    *(plain, several, decorated, Handler, Handler.method, Handler().method, Handler(), partial(several, 1)),
    *(lambda: None, lambda *values: values, lambda first, **named: named, print),
)


@pytest.mark.parametrize("function", CASES, ids=lambda function: type(function).__name__)
def test_parameters_are_those_that_inspect_reads(function: Callable[..., object]) -> None:
    read = declared(function)
    items = list(inspect.signature(function).parameters.values())
    assert [each.name for each in read] == [item.name for item in items]
    for each, item in zip(read, items, strict=True):
        assert each.by_position is (item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD))
        assert each.by_keyword is (item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY))
        assert each.required is (item.default is item.empty)
        assert each.required or each.default == item.default


def test_a_value_without_a_signature_is_an_error() -> None:
    with pytest.raises(TypeError):
        declared(3)  # type: ignore[arg-type]  # what the test is about
