"""The plan for people: plan.md."""

import os
from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element, FileContent
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import PRIVATE, replace_whole
from lib.workflow.state.locks import locked
from lib.workflow.state.run_dirs import check_unlinked

from ..state.files import plan_store

WAIT = 30.0
"""Seconds to wait for another process that writes it."""


def render(state_dir: str, show: Annotated[bool, Flag(description="print it instead of writing it")] = False) -> Node:
    """Write plan.md, the plan for people.

    The file is in the state directory.
    """
    from lib.workflow.render.prose import render_prose  # no other command needs it

    from .plan_document import document

    path = os.path.join(state_dir, "plan.md")
    text = render_prose(document(plan_store(state_dir).load()))
    if show:
        return FileContent(path=path, text=text)
    check_unlinked(state_dir)
    try:
        with locked(os.path.join(state_dir, ".plan.md.lock"), WAIT):
            replace_whole(path, f"{text}\n".encode(), PRIVATE)
    except OSError as error:
        fix = "make the folder writable, free space, or use --show"
        raise RefusedError("unwritable-state", path, error.strerror or str(error), fix) from None
    return Element("written", {"path": path, "characters": str(len(text))})
