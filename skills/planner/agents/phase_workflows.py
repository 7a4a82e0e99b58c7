"""Builder of the workflows of a phase's five scripts from its row."""

from lib.workflow.core import Workflow

from ..phases import REVIEWING, Phase, PhaseScript, row_of


def build(phase: Phase, part: PhaseScript) -> Workflow:
    """Return the workflow of one of a phase's scripts. A script imports only its own parts, not those of the others."""
    row = row_of(phase)
    if part in REVIEWING:
        from . import review

        return review.decompose(row) if part is PhaseScript.DECOMPOSE else review.verify(row)
    from . import work

    builders = {PhaseScript.ROUTE: work.route, PhaseScript.EXECUTE: work.execute, PhaseScript.FIX: work.fix}
    return builders[part](row)
