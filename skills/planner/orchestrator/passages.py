"""What a page says where the record decides: the passage of a file that is named after how things stand."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Text

from ..agents.slots import SlotContext, SlotResolver, passage
from ..texts import sections

NOTHING: Final[Mapping[str, SlotResolver]] = MappingProxyType({})


def passages(
    name: str, stand: Callable[[SlotContext], str], facts: Mapping[str, SlotResolver] = NOTHING
) -> dict[str, SlotResolver]:
    """`product` and `to_do`, for a page: title and text of the section of a file that `stand` names.

    So a reader gets what holds for them, and no table of what might.
    """

    def product(where: SlotContext) -> str:
        title = sections(name)[stand(where)].title
        (text,) = passage(title, where, facts)
        assert isinstance(text, Text)  # nothing in a title has a line for itself
        return text.value

    def to_do(where: SlotContext) -> tuple[Node, ...]:
        return passage(sections(name)[stand(where)].text, where, facts)

    return {"product": product, "to_do": to_do}
