"""A faster `__init__` for a class of which many values are built.

It stores values that need no change, and leaves all others to the `__init__` that attrs made. Source text is compiled
for it, which takes as long as a hundred nodes. So a step, which builds few, never compiles.
"""

from collections.abc import Callable, Mapping
from functools import update_wrapper
from types import MemberDescriptorType
from typing import Any, Final, NamedTuple

from attrs import NOTHING, Attribute, fields

_SOURCE: Final = """\
def __init__(_self, {parameters}):
    if _type(_self) is _cls and {tests}:
        {actions}
    else:
        _general(_self, {arguments})
"""
"""The source text. Names with an underscore are ours, others are those of the parameters."""
_BUILTINS: Final[Mapping[str, object]] = {"_type": type, "_tuple": tuple, "_map": map}
_HOOKS: Final = ("__attrs_pre_init__", "__attrs_init__")
"""Methods of classes that have a part in their construction."""


class Usual(NamedTuple):
    """The values that a field stores as they are, by their type and characters."""

    type: type[Any]
    optional: bool = False
    """True if None is one of them."""
    several: bool = False
    """True for tuples of the type."""
    line: bool = False
    """True if a str must be one line that is not blank."""
    below: int = 0
    """Limit of an int."""

    def test(self, name: str) -> str:
        """Return the source text of the test for the parameter `name`."""
        if self.several:
            return f"_type({name}) is _tuple and {{*_map(_type, {name})}} <= {{_type_{name}}}"
        test = f"_type({name}) is _type_{name}"
        if self.type is str and self.line:
            test += f" and {name}.isprintable() and {name}.strip()"
        elif self.type is str:
            test += rf" and ({name}.isprintable() or {name}.replace('\n', '').isprintable())"
        elif self.type is int:
            test += f" and 0 <= {name} < {self.below}"
        return f"({name} is None or {test})" if self.optional else test


def constructor(cls: type[Any], usual: Mapping[str, Usual], check: str | None) -> Callable[..., None] | None:
    """Return an `__init__` that does the same as the one that attrs made, in half of the time.

    Args:
        cls: A frozen attrs class with slots.
        usual: By field, the values that it stores as they are.
        check: Name of the method to call at the end.

    Returns:
        The function, or None if not only attrs constructs the class.
    """
    general, items = vars(cls).get("__init__"), fields(cls)
    slots = [getattr(cls, item.name, None) for item in items]
    if general is None or not items or any(hasattr(cls, hook) for hook in _HOOKS):
        return None
    names: dict[str, Any] = {**_BUILTINS, "_cls": cls, "_general": general}
    parameters, tests, actions, arguments = list[str](), list[str](), list[str](), list[str]()
    for item, slot in zip(items, slots, strict=True):
        name = item.alias or ""
        if name[:1] in ("", "_") or not item.init or not isinstance(slot, MemberDescriptorType):
            return None
        names |= {f"_store_{name}": slot.__set__, f"_type_{name}": usual[item.name].type}
        parameters += ["*"] * (item.kw_only and "*" not in parameters) + [_parameter(item, name, names)]
        tests.append(usual[item.name].test(name))
        actions.append(f"_store_{name}(_self, {name})")
        arguments.append(f"{name}={name}")
    text = _SOURCE.format(
        parameters=", ".join(parameters),
        tests=" and ".join(tests),
        actions="; ".join([*actions, *[f"_self.{check}()"] * bool(check)]),
        arguments=", ".join(arguments),
    )
    exec(text, names)  # noqa: S102 - its only foreign parts are the names of fields, which are identifiers
    made: Callable[..., None] = update_wrapper(names["__init__"], general)
    return made


def _parameter(item: "Attribute[Any]", name: str, names: dict[str, Any]) -> str:
    names[f"_default_{name}"] = item.default
    return name if item.default is NOTHING else f"{name}=_default_{name}"
