"""Workflow that does not say what comes next."""

from lib.workflow.ast.nodes import Document
from lib.workflow.core import Outcome, StepContext, StepDef, Workflow


class Mute(Workflow):
    """A workflow that leaves the end out."""

    def run(self, step: int | str, context: StepContext) -> Document:
        return Document(super().run(step, context).blocks[:-1])


WORKFLOW = Mute(
    "mute",
    StepDef(id="look", title="Look", actions="Look.", next={Outcome.OK: None}),
    module="faulty.mute_run",
)
