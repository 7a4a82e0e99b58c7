"""The faster `__init__` of a class whose nodes are built often does the same as the one that attrs made."""

from collections.abc import Callable
from inspect import unwrap
from typing import Final

import pytest
from attrs import field, fields, frozen

from lib.workflow.app.docs.examples import EXAMPLES
from lib.workflow.ast import fields as declarations
from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.dispatch import Agent
from lib.workflow.ast.fields import TEXT, Node, fast_init
from lib.workflow.ast.nodes import Element, Text
from lib.workflow.ast.visitor import walk
from lib.workflow.types import Outcome, Tier


class Words(str):
    """A string of another class."""

    __slots__ = ()


VALUES: Final[tuple[object, ...]] = (
    *(None, "", " ", "a", "a\nb", "a\r\nb", "a\tb", "a\x85b", "\x00", "\ud800", "é", Words("a"), b"a"),
    *(True, 0, 1, -1, 10**18 - 1, 10**18, 1.0, Outcome.OK, Tier.FAST, Text, Text("a"), (), [], ("a",), (Text("a"),)),
)
"""Values of every kind, legal for some fields and illegal for others."""
NODES: Final = {type(node): node for example in (Text("a"), *EXAMPLES.values()) for node in walk(example)}
BUILT: Final[tuple[type[Node], ...]] = (Text, *CLASSES)
FAST: Final = [cls for cls in BUILT if fast_init(cls) is not None]


def outcome(init: Callable[..., None], cls: type[Node], given: dict[str, object]) -> object:
    node = object.__new__(cls)
    try:
        init(node, **given)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    values = [getattr(node, item.name) for item in fields(cls)]
    return [(type(value), value) for value in values]


@pytest.mark.parametrize("cls", FAST, ids=lambda cls: cls.__name__)
def test_both_accept_change_and_refuse_the_same_values(cls: type[Node]) -> None:
    general, fast = unwrap(vars(cls)["__init__"]), fast_init(cls)
    assert fast is not None
    valid = {item.name: getattr(NODES[cls], item.name) for item in fields(cls)}
    changed = [{**valid, name: value} for name in valid for value in (*VALUES, [*valid.values()], (*valid.values(),))]
    left_out = [{name: valid[name] for name in valid if name != missing} for missing in valid]
    for given in (valid, *changed, *left_out, {**valid, "unknown": 1}):
        assert outcome(fast, cls, given) == outcome(general, cls, given), given


def test_a_class_gets_it_after_many_nodes_and_its_subclasses_stay_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    @frozen
    class Shown(Node):
        text: str = field(metadata=TEXT)

    general = Shown.__init__
    monkeypatch.setattr(declarations, "OFTEN", 3)
    assert [Shown("a").text for _ in range(3)] == ["a", "a", "a"]
    assert Shown.__init__ is not general

    @frozen
    class Numbered(Shown):
        number: int

        def check(self) -> None:
            if not self.number:
                raise ValueError("no number")

    class Bare(Shown):
        """It has the `__init__` of the class above."""

        def check(self) -> None:
            raise ValueError("never")

    with pytest.raises(TypeError):
        Numbered("a", "1")  # type: ignore[arg-type]  # what the test is about
    with pytest.raises(ValueError, match="no number"):
        Numbered("a", 0)
    with pytest.raises(ValueError, match="never"):
        Bare("a")


def test_a_class_that_has_a_part_in_its_construction_keeps_its_own() -> None:
    @frozen
    class Counted(Node):
        text: str = field(metadata=TEXT)

        def __attrs_post_init__(self) -> None:
            super().__attrs_post_init__()

    @frozen
    class Measured(Node):
        text: str = field(metadata=TEXT)

        def __init__(self, text: str) -> None:
            self.__attrs_init__(text * 2)  # type: ignore[attr-defined]  # attrs makes it

    @frozen
    class Converted(Node):
        text: str = field(metadata=TEXT, converter=str)

    @frozen
    class Refusing(Node):
        text: str = field(metadata=TEXT, validator=lambda *_: None)

    assert [fast_init(cls) for cls in (Counted, Measured, Converted, Refusing, Element)] == [None] * 5
    assert fast_init(Agent) is not None
