"""Methods of the steps that come back: in full the first time, later the command that prints them again."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.prompts import read_prompts
from lib.workflow.prompts.slots import SlotValue, inline

from ..due import MODULE, STEPS
from ..handlers import folder, run_of
from .orders import Fact

if TYPE_CHECKING:
    from ..record import Run


def method(step: str, known: "Callable[[Run], bool]", **values: SlotValue | Fact) -> Fact:
    """Return the method of a repeated step: in full the first time, later the command that prints it again.

    Args:
        step: The step, which names the section of `methods.md`.
        known: Returns True for a run that reached the step before.
        values: Values of the slots in the text, or functions that return them.
    """

    def text(context: StepContext) -> SlotValue:
        if known(run_of(context)) and not context.step_state["whole"]:
            again = flags({"step": STEPS.index(step) + 1, "state_dir": folder(context), "whole": True})
            return Text("As the first time. If that is gone from your context:"), Invoke(Command(MODULE, again))
        path = os.path.join(os.path.dirname(__file__), "methods.md")
        filled = {name: value(context) if callable(value) else value for name, value in values.items()}
        return inline(read_prompts(path)[step].text, filled)

    return text
