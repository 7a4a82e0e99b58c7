"""The parameters of functions, without `inspect`, whose import takes a third of a bare start of Python."""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final, NamedTuple

_ARGS: Final = 0x04
"""Flag of the code of a function with `*args`."""
_KEYWORDS: Final = 0x08
"""Flag of the code of a function with `**kwargs`."""


class Declared(NamedTuple):
    """A parameter of a function. Neither by position nor by keyword are values of `*args` and `**kwargs`."""

    name: str
    by_position: bool
    by_keyword: bool
    required: bool = True
    default: Any = None


def declared(function: Callable[..., object]) -> tuple[Declared, ...]:
    """Return the parameters of a function, in their order. Raises TypeError or ValueError if it has no signature."""
    is_plain = type(function) is FunctionType and not vars(function)  # a decorator's mark can name another signature
    return tuple(_of_code(function) if is_plain else _inspected(function))


def _of_code(function: Callable[..., object]) -> Iterator[Declared]:
    assert isinstance(function, FunctionType)
    code = function.__code__
    names, defaults, by_name = iter(code.co_varnames), function.__defaults__ or (), function.__kwdefaults__ or {}
    required = code.co_argcount - len(defaults)
    for at in range(code.co_argcount):
        default = None if at < required else defaults[at - required]
        yield Declared(next(names), True, at >= code.co_posonlyargcount, at < required, default)
    keywords = [next(names) for _ in range(code.co_kwonlyargcount)]
    if code.co_flags & _ARGS:
        yield Declared(next(names), False, False)
    for name in keywords:
        yield Declared(name, False, True, name not in by_name, by_name.get(name))
    if code.co_flags & _KEYWORDS:
        yield Declared(next(names), False, False)


def _inspected(function: Callable[..., object]) -> Iterator[Declared]:
    import inspect

    for item in inspect.signature(function).parameters.values():
        by_position = item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)
        by_keyword = item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)
        given = item.default is not item.empty
        yield Declared(item.name, by_position, by_keyword, not given, item.default if given else None)
