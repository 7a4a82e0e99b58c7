"""A row of the table of phases becomes the workflows of its five scripts."""

from lib.workflow.core import Workflow

from ..phases import REVIEWING, PhaseScript, PhaseSpec


def build(row: PhaseSpec, part: PhaseScript) -> Workflow:
    """The workflow of one of a phase's scripts. A script imports what it is made of, and not what the others are."""
    if part in REVIEWING:
        from . import review

        return review.decompose(row) if part is PhaseScript.DECOMPOSE else review.verify(row)
    from . import work

    builders = {PhaseScript.ROUTE: work.route, PhaseScript.EXECUTE: work.execute, PhaseScript.FIX: work.fix}
    return builders[part](row)
