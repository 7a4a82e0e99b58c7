"""Declarations of the XML of a node class's fields, for every renderer, the parser and the tests."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import chain, count, groupby
from operator import attrgetter
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeVar, cast, get_args, get_origin

from attrs import NOTHING, Attribute, fields

from ..util.characters import MAX_NUMBER, canonical, one_line
from ..util.structs import Struct, compared, per_class

if TYPE_CHECKING:
    from .visitor import Visitor

T = TypeVar("T")


MAX_DEPTH: Final = 64
"""Maximum number of levels of a tree, not counting texts."""
MAX_ATTRIBUTES: Final = 256
"""Maximum number of attributes of one element."""
OFTEN: Final = 100
"""Number of nodes of a class after which it gets a faster `__init__`."""


class FieldKind(Enum):
    """The role of a field in XML. All but TEXT, ELEMENT and OPEN follow from the field's type."""

    ATTRIBUTE = "an attribute: str, int, an Enum, or None if absent"
    TEXT = "the whole text of the element: str"
    ELEMENT = "a child element of the field's name that holds one value, like an attribute"
    COMMAND = "a command: the attribute `cmd`, or the child `cmd` if the attribute would need an entity"
    CHILD = "one child of a given class, or None if absent"
    CHILDREN = "children of a given class: tuple[SomeNode, ...]"
    BULLETS = "the whole text of the element, a line `- …` for each: tuple[str, ...]"
    CONTENT = "text and nodes mixed, in their order: tuple[Node, ...]"
    OPEN = "what the author names: an Element's tag, any attributes: tuple[tuple[str, str], ...]"


TEXT: Final[Mapping[str, object]] = {"kind": FieldKind.TEXT}
"""Metadata of the one field that is the element's text."""
ELEMENT: Final[Mapping[str, object]] = {"kind": FieldKind.ELEMENT}
"""Metadata of a text that has a child element of its own."""
OPEN: Final[Mapping[str, object]] = {"kind": FieldKind.OPEN}
"""Metadata of names that the author chooses: `Element`'s tag, and free attributes."""


def wrapped(tag: str, numbered: bool = False) -> Mapping[str, object]:
    """Return metadata of children inside a wrapper element; `numbered` gives each an `index` from 1."""
    return {"wrapper": tag, "numbered": numbered}


class Node(Struct):
    """The base of all nodes: frozen attrs classes whose fields say everything about their element.

    A node class is declared `@frozen`, keyword-only where it has more than one field. Its name without `Node`, in
    small letters with underscores, is that of the visitors' method for it: `step_header` for `StepHeader`.
    """

    __slots__ = ()
    tag: str = ""
    """Name of the element; empty for a text and for a document."""
    shorthand: ClassVar[Mapping[str, tuple[str, object]]] = {}
    """Other tags of the class: tag -> (attribute, value). `if_pass` means `if outcome="ok"`."""
    count_of: str = ""
    """Name of the list whose length is printed as the attribute `count` and checked when it is read."""
    is_bounded: ClassVar[bool] = False
    """True if the class checks on construction that it is at most MAX_DEPTH levels deep."""
    is_verbatim: ClassVar[bool] = False
    """True if its text is taken as it is: `{{name}}` in it is not a slot."""
    standalone: bool = True
    """False for a class that only appears where another class declares it, because its tag has other meanings
    elsewhere.
    """

    def __init_subclass__(cls) -> None:
        """Register the class for visitors. Raises TypeError if a visitor could mistake it for another class."""
        super().__init_subclass__()
        name = method_name(cls)
        other = CLASSES_BY_METHOD.get(name, cls)
        if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__) and (
            other.__module__.startswith(OURS) or cls.__module__.startswith(OURS)
        ):
            names = f"{cls.__module__}.{cls.__qualname__} and {other.__module__}.{other.__qualname__}"
            raise TypeError(f"visitors call {name}() for both {names}; give one of them another name")
        CLASSES_BY_METHOD[name] = cls

    def __attrs_post_init__(self) -> None:
        """Check each value's type and make each text canonical.

        Raises:
            TypeError: If a value has the wrong type.
            ValueError: If XML cannot carry a text, or if `check` refuses the node.
        """
        spec = declaration(type(self))
        for name, checked in spec.checks:
            value = getattr(self, name)
            canonical_value = checked(value)
            if canonical_value is not value:
                object.__setattr__(self, name, canonical_value)
        self.check()
        if next(spec.built) == OFTEN and (fast := fast_init(type(self))) is not None:
            setattr(type(self), fast.__name__, fast)

    def check(self) -> None:
        """Check rules between fields. Raises ValueError, which says what to write instead."""

    def __eq__(self, other: object) -> bool:
        """Compare two trees. Raises ValueError if they are equal down to MAX_DEPTH and go deeper."""
        if type(other) is not type(self):
            return NotImplemented
        level: list[tuple[Node, Node]] = [(self, other)]
        for _ in range(MAX_DEPTH + 2):
            below = list[tuple[Node, Node]]()
            for one, two in level:
                if one is two:
                    continue
                if type(one) is not type(two) or _plain(one) != _plain(two):
                    return False
                ours, theirs = _held(one), _held(two)
                if [*map(len, ours)] != [*map(len, theirs)]:
                    return False
                for mine, its in zip(ours, theirs, strict=True):
                    below += zip(mine, its, strict=True)
            if not below:
                return True
            level = below
        raise too_deep(self)

    def __hash__(self) -> int:
        """Return the hash. Raises ValueError beyond MAX_DEPTH levels."""
        check_depth(self)
        return self._hashed()

    def _hashed(self) -> int:
        below = tuple(tuple(child._hashed() for child in held) for held in _held(self))
        return hash((type(self), _plain(self), below))

    def __repr__(self) -> str:
        """Show the fields; below MAX_DEPTH, show a note that the tree is deeper."""
        return self._shown(MAX_DEPTH + 1)

    def _shown(self, levels: int) -> str:
        if not levels:
            return f"<more than {MAX_DEPTH} levels>"
        holding = dict(declaration(type(self)).holding)
        shown = []
        for item in fields(type(self)):
            value = getattr(self, item.name)
            if item.name not in holding or value is None:
                text = repr(value)
            elif holding[item.name]:
                each = [child._shown(levels - 1) for child in value]
                text = f"({', '.join(each)}{',' * (len(each) == 1)})"
            else:
                text = value._shown(levels - 1)
            shown += [f"{item.name}={text}"] if item.repr else []
        return f"{type(self).__name__}({', '.join(shown)})"

    def accept(self, visitor: "Visitor[T]") -> T:
        """Return the visitor's result for this node."""
        return visitor.visit(self)

    def lower(self) -> "Node | None":
        """Return the node in terms of the library's own nodes, or None if its declaration says how it prints.

        A class from elsewhere overrides it, so that every format can print it; it reads back as the lowered node.
        """
        return None


CLASSES_BY_METHOD: Final[dict[str, type[Node]]] = {}
"""The node classes by the name of the visitors' method for them."""
OURS: Final = f"{__package__}."
"""The beginning of the names of the modules that hold the library's own node classes."""


def method_name(cls: type[Node]) -> str:
    """Return the name of the visitors' method for a class: `roster_dispatch` for `RosterDispatchNode`."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__)
    return words.removeprefix("_").removesuffix("_node")


@per_class
def tags_of(cls: type[Node]) -> tuple[str, ...]:
    """Return the tags of a class."""
    return (cls.tag, *cls.shorthand)


class FieldSpec(NamedTuple):
    """The XML of one field of a node class."""

    name: str
    kind: FieldKind
    type: type[Any]
    """Class of the value, or of one item of a list."""
    optional: bool
    """True if the value can be None: the attribute or element is then absent."""
    required: bool
    """True if the class has no default for it."""
    wrapper: str = ""
    """Element that wraps its children; empty if they are direct children of the node's element."""
    numbered: bool = False
    """True if each of its children carries its number."""


class NodeSpec(NamedTuple):
    """The XML declaration of a node class."""

    attributes: tuple[FieldSpec, ...]
    body: tuple[FieldSpec, ...]
    flow: FieldSpec | None
    """The one field that fills the element (TEXT, BULLETS, CONTENT); the body then has no other field."""
    open: str | None
    """Name of the field that holds attributes named by the author."""
    checks: tuple[tuple[str, Callable[[object], object]], ...]
    """By field, the function that makes a value canonical; fields with a converter are left out."""
    holding: tuple[tuple[str, bool], ...]
    """The fields that hold nodes, each with True if it holds several."""
    plain: tuple[str, ...]
    """The compared fields that hold no nodes."""
    built: Iterator[int]
    """Counter of the nodes of the class."""


def part_of(attribute: "Attribute[Any]") -> FieldSpec:
    """Return the spec of a field, from its type and metadata. Raises TypeError if XML cannot express the type."""
    annotation, metadata = attribute.type, attribute.metadata
    optional = isinstance(annotation, UnionType)
    if optional:
        (annotation,) = (option for option in get_args(annotation) if option is not type(None))
    listed = get_origin(annotation) is tuple
    if listed:
        annotation = get_args(annotation)[0]
    if not isinstance(annotation, type):
        raise TypeError(f"{attribute.name}: {annotation!r} cannot be written as XML")
    return FieldSpec(
        attribute.name,
        metadata.get("kind") or _kind_of(annotation, listed),
        annotation,
        optional,
        attribute.default is NOTHING,
        metadata.get("wrapper", ""),
        metadata.get("numbered", False),
    )


def _kind_of(annotation: type, listed: bool) -> FieldKind:
    if listed and not issubclass(annotation, Node):
        return FieldKind.BULLETS
    if listed:
        return FieldKind.CONTENT if annotation is Node else FieldKind.CHILDREN
    if issubclass(annotation, Node):
        return FieldKind.CHILD
    return FieldKind.COMMAND if hasattr(annotation, "read") else FieldKind.ATTRIBUTE


def _checker(owner: str, part: FieldSpec) -> Callable[[object], object]:
    where = f"{owner}.{part.name}"
    expected, optional = part.type, part.optional

    def text(value: object) -> object:
        if type(value) is str:
            return canonical(value, where)
        return None if optional and value is None else canonical(str(_required(where, value, str)), where)

    def other(value: object) -> object:
        if type(value) is expected or (optional and value is None):
            return value
        return _required(where, value, expected)

    def number(value: object) -> object:
        if other(value) is not None and not 0 <= cast("int", value) < MAX_NUMBER:
            raise ValueError(f"{where}: {value} is out of range; the range is 0 to {MAX_NUMBER:,}")
        return value

    one = text if expected is str else number if expected is int else other

    def listed(value: object) -> object:
        return tuple([one(item) for item in (value if isinstance(value, (tuple, list)) else (value,))])

    return listed if part.kind in (FieldKind.CHILDREN, FieldKind.BULLETS) else one


def fast_init(cls: type[Node]) -> Callable[..., None] | None:
    """Return a faster `__init__` for a class, or None if the class or a field of it has a part in its construction."""
    from .constructor import Usual, constructor

    usual: dict[str, Usual] = {}
    for item in fields(cls):
        if item.converter or item.validator not in (None, one_line) or item.metadata.get("kind") is FieldKind.OPEN:
            return None
        part = part_of(item)
        if part.kind in (FieldKind.BULLETS, FieldKind.CONTENT):
            return None
        several, line = part.kind is FieldKind.CHILDREN, item.validator is one_line
        usual[item.name] = Usual(part.type, part.optional, several, line, MAX_NUMBER)
    if cls.__attrs_post_init__ is not Node.__attrs_post_init__:
        return None
    return constructor(cls, usual, None if cls.check is Node.check else "check")


def _required(where: str, value: object, expected: type) -> object:
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        raise TypeError(f"{where}: expected {expected.__name__}, got {type(value).__name__} {value!r:.60}")
    return value


@per_class
def declaration(cls: type[Node]) -> NodeSpec:
    """Return the class's declaration.

    Raises TypeError if text or mixed content shares an element with other children.
    """
    declared = {attribute.name: attribute for attribute in fields(cls)}
    opened = [name for name, attribute in declared.items() if attribute.metadata.get("kind") is FieldKind.OPEN]
    parts = [part_of(attribute) for name, attribute in declared.items() if name not in opened]
    attributes = tuple(part for part in parts if part.kind is FieldKind.ATTRIBUTE)
    body = tuple(part for part in parts if part.kind is not FieldKind.ATTRIBUTE)
    flow = [part for part in body if part.kind in (FieldKind.TEXT, FieldKind.BULLETS, FieldKind.CONTENT)]
    if flow and len(body) > 1:
        raise TypeError(f"{cls.__name__}: {flow[0].name} fills the element; give the other fields an element around it")
    listing = (FieldKind.CONTENT, FieldKind.CHILDREN)
    holding = {part.name: part.kind in listing for part in body if part.kind in (FieldKind.CHILD, *listing)}
    return NodeSpec(
        attributes,
        body,
        flow[0] if flow else None,
        opened[-1] if opened else None,
        tuple((part.name, _checker(cls.__name__, part)) for part in parts if declared[part.name].converter is None),
        tuple(holding.items()),
        tuple(name for name in compared(cls) if name not in holding),
        count(1),
    )


def _plain(node: Node) -> tuple[object, ...]:
    return tuple([getattr(node, name) for name in declaration(type(node)).plain])


def _held(node: Node) -> tuple[tuple[Node, ...], ...]:
    """Return the nodes of each field that can hold nodes."""
    values = [(getattr(node, name), several) for name, several in declaration(type(node)).holding]
    return tuple([tuple(value) if several else () if value is None else (value,) for value, several in values])


def check_depth(node: Node) -> None:
    """Check the depth before something recurses into the tree. Raises ValueError beyond MAX_DEPTH levels."""
    if node.is_bounded:
        return
    level = [node]
    for _ in range(MAX_DEPTH):
        level = below(level)
        if not level:
            return
    raise too_deep(node)


def below(level: Iterable[Node]) -> list[Node]:
    """Return all children of these nodes but texts, in any order. It is the fast way to walk a large tree."""
    found: list[Node] = []
    for cls, nodes in groupby(level, type):
        same = list(nodes)
        for name, several in declaration(cls).holding:
            values = map(attrgetter(name), same)
            found += chain.from_iterable(values) if several else [value for value in values if value is not None]
    return [node for node in found if node.tag or declaration(type(node)).holding]


def too_deep(node: Node) -> ValueError:
    """Return the error for a tree that is too deep."""
    return ValueError(f"{type(node).__name__}: more than {MAX_DEPTH} levels; nest fewer nodes")


def children(node: Node) -> tuple[Node, ...]:
    """Return the child nodes, in printed order."""
    found: list[Node] = []
    for name, several in declaration(type(node)).holding:
        value = getattr(node, name)
        if several:
            found += value
        elif value is not None:
            found.append(value)
    return tuple(found)
