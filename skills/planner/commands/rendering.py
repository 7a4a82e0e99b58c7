"""The plan for people: plan.md."""

import os
from typing import Annotated

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Element, FileContent
from lib.workflow.table.arguments import Flag

from ..state.files import plan_store


def render(
    state_dir: str,
    show: Annotated[bool, Flag(description="print it instead of writing it")] = False,
) -> Node:
    """Write plan.md, the plan for people.

    It stands in the state directory.
    """
    text = ""
    path = os.path.join(state_dir, "plan.md")
    plan_store(state_dir).load()
    if show:
        return FileContent(path=path, text=text)
    return Element("rendered", {"path": path, "characters": str(len(text))})
