"""A faster `__init__` for a node class whose nodes are built often.

It stores values that need no change, and leaves all others to the `__init__` that attrs made. Source text is compiled
for it, which takes as long as a hundred nodes. So a step, which builds few, never compiles.
"""

from collections.abc import Callable, Mapping
from functools import update_wrapper
from types import MemberDescriptorType
from typing import Any, Final, NamedTuple

from attrs import NOTHING, Attribute, fields

from ..util.characters import one_line
from .fields import MAX_NUMBER, FieldKind, FieldSpec, Node, part_of

_SOURCE: Final = """\
def __init__(_self, {parameters}):
    if _type(_self) is _cls and {tests}:
        {stores}
    else:
        _general(_self, {arguments})
"""
_HOOKS: Final = ("__attrs_pre_init__", "__attrs_init__")
"""Methods of classes that have a part in their construction."""
_BUILTINS: Final[Mapping[str, object]] = {"_type": type, "_str": str, "_int": int, "_tuple": tuple, "_map": map}


class _Source(NamedTuple):
    """The source text for one field. Names with an underscore are ours; the others are those of parameters."""

    parameter: str
    test: str
    """A test for values that are stored as they are."""
    store: str


def specialise(cls: type[Node]) -> None:
    """Replace the class's `__init__` by its constructor, if it has one."""
    made = constructor(cls)
    if made is not None:
        setattr(cls, made.__name__, made)


def constructor(cls: type[Node]) -> Callable[..., None] | None:
    """Return an `__init__` that does the same as the one that attrs made, in half of the time.

    Return None if not only attrs constructs the class, or if a field has a converter or an unknown validator.
    """
    general: Callable[..., None] | None = vars(cls).get("__init__")
    if cls.__attrs_post_init__ is not Node.__attrs_post_init__ or any(hasattr(cls, hook) for hook in _HOOKS):
        return None
    names: dict[str, Any] = {**_BUILTINS, "_cls": cls, "_general": general}
    sources = [source for item in fields(cls) if (source := _source(cls, item, names)) is not None]
    if general is None or not sources or len(sources) < len(fields(cls)):
        return None
    parameters = [source.parameter for source in sources]
    keywords = [item.kw_only for item in fields(cls)]
    if True in keywords:
        parameters.insert(keywords.index(True), "*")
    text = _SOURCE.format(
        parameters=", ".join(parameters),
        tests=" and ".join(source.test for source in sources),
        stores="; ".join([*(source.store for source in sources), *["_self.check()"] * (cls.check is not Node.check)]),
        arguments=", ".join(f"{item.alias}={item.alias}" for item in fields(cls)),
    )
    exec(text, names)  # noqa: S102 - its only foreign parts are the names of fields, which are identifiers
    return update_wrapper(names["__init__"], general)


def _source(cls: type[Node], item: "Attribute[Any]", names: dict[str, Any]) -> _Source | None:
    """Return the source text for a field, or None if it needs more than a test of its value's type and characters."""
    slot, name = getattr(cls, item.name, None), item.alias or ""
    if item.converter or not item.init or name[:1] in ("", "_") or not isinstance(slot, MemberDescriptorType):
        return None
    test = _test(part_of(item), name, f"_type_{name}", item.validator)
    if test is None:
        return None
    names |= {f"_store_{name}": slot.__set__, f"_type_{name}": part_of(item).type, f"_default_{name}": item.default}
    default = "" if item.default is NOTHING else f"=_default_{name}"
    return _Source(f"{name}{default}", test, f"_store_{name}(_self, {name})")


def _test(part: FieldSpec, name: str, expected: str, validator: object) -> str | None:
    if part.kind is FieldKind.CHILDREN and not validator:
        return f"_type({name}) is _tuple and {{*_map(_type, {name})}} <= {{{expected}}}"
    if part.kind in (FieldKind.CHILDREN, FieldKind.BULLETS, FieldKind.CONTENT) or validator not in (None, one_line):
        return None
    test = f"_type({name}) is {expected}"
    if part.type is str and validator is None:
        test += rf" and ({name}.isprintable() or {name}.replace('\n', '').isprintable())"
    elif part.type is str:
        test += f" and {name}.isprintable() and {name}.strip()"
    elif part.type is int:
        test += f" and 0 <= {name} < {MAX_NUMBER}"
    return f"({name} is None or {test})" if part.optional else f"{test}"
