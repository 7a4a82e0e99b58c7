"""Passages of pages that depend on the state: the section of a file that is named after the status."""

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
    """Return the slots `product` and `to_do`: title and text of the section of a file that `stand` names.

    So a reader gets only what applies, instead of a table of cases.
    """

    def product(where: SlotContext) -> str:
        title = sections(name)[stand(where)].title
        (text,) = passage(title, where, facts)
        assert isinstance(text, Text)  # nothing in a title has its own line
        return text.value

    def to_do(where: SlotContext) -> tuple[Node, ...]:
        return passage(sections(name)[stand(where)].text, where, facts)

    return {"product": product, "to_do": to_do}
