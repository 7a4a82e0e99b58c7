"""The formats in which a command prints: `plain`, unless another is asked for."""

from typing import Final

from ..ast.declare import Node
from ..ast.nodes import Code
from ..script import FORMS as STEP_FORMS
from ..script import Forms, Renderer

PLAIN: Final = "plain"
"""Texts as they are, and results as XML."""


def shown(printed: Node | str, form: str) -> str:
    """What a command printed, in a format. The script ends it with a line break, so a text's own is left out."""
    if isinstance(printed, str):
        if form == PLAIN:
            return printed.removesuffix("\n")
        printed = Code(text=printed)
    return FORMS[form]()(printed)


def render_plain(node: Node) -> str:
    """A text that was asked for, without anything around it; any other result as XML."""
    if isinstance(node, Code):
        return node.text.removesuffix("\n")
    return STEP_FORMS["xml"]()(node)


def _plain() -> Renderer:
    return render_plain


def _json() -> Renderer:
    from ..render.json import render_json

    return render_json


FORMS: Final[Forms] = {PLAIN: _plain, **STEP_FORMS, "json": _json}
"""The first is the default."""
