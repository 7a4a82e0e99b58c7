"""The plan for people: plan.md."""

import os
from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element, FileContent
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.state.locks import locked

from ..state.files import PLAN_TEXT, plan_store, write_text

WAIT = 30.0
"""Seconds to wait for another process that writes it."""


def render(state_dir: str, show: Annotated[bool, Flag(description="print it instead of writing it")] = False) -> Node:
    """Write plan.md, the plan for people.

    The file is in the state directory.
    """
    from lib.workflow.render.prose import render_prose  # no other command needs it

    from .plan_document import document

    path = os.path.join(state_dir, PLAN_TEXT)
    text = render_prose(document(plan_store(state_dir).load()))
    if show:
        return FileContent(path=path, text=text)
    write_text(state_dir, PLAN_TEXT, text, locked(os.path.join(state_dir, f".{PLAN_TEXT}.lock"), WAIT))
    return Element("written", {"path": path, "characters": str(len(text))})
