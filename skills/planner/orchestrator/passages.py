"""What a page says where the record decides: the passage of a file that is named after how things stand."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Text

from ..agents.slots import Fact, Where, passage
from ..texts import sections

NOTHING: Final[Mapping[str, Fact]] = MappingProxyType({})


def passages(name: str, stand: Callable[[Where], str], facts: Mapping[str, Fact] = NOTHING) -> dict[str, Fact]:
    """`product` and `to_do`, for a page: title and text of the section of a file that `stand` names.

    So a reader gets what holds for them, and no table of what might.
    """

    def product(where: Where) -> str:
        title = sections(name)[stand(where)].title
        (text,) = passage(title, where, facts)
        assert isinstance(text, Text)  # nothing in a title has a line for itself
        return text.value

    def to_do(where: Where) -> tuple[Node, ...]:
        return passage(sections(name)[stand(where)].text, where, facts)

    return {"product": product, "to_do": to_do}
