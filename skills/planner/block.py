"""A row of the table of phases becomes the workflows of its five scripts."""

from lib.workflow.core import Workflow

from .phases import REVIEWING, Part, Row


def build(row: Row, part: Part) -> Workflow:
    """The workflow of one of a phase's scripts. A script imports what it is made of, and not what the others are."""
    if part in REVIEWING:
        from . import reviewing

        return reviewing.decompose(row) if part is Part.DECOMPOSE else reviewing.verify(row)
    from . import working

    builders = {Part.ROUTE: working.route, Part.EXECUTE: working.execute, Part.FIX: working.fix}
    return builders[part](row)
