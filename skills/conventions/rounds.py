"""Text of a step that loops: its method in the first round, later the command that prints the method again."""

import os
from collections.abc import Callable, Mapping
from typing import Final

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.prompts.markdown import read_text
from lib.workflow.prompts.slots import SlotValue, inline

AGAIN: Final = "Method and form are those of round 1. If they are gone from your context:"


def in_the_first_round(
    beside: str, name: str, command: Command, numbers: Mapping[str, int]
) -> Callable[[StepContext], SlotValue]:
    """Make a slot that gives a file's text in round 1, and in later rounds the command to see it again.

    Args:
        beside: The path of the module beside which the file is.
        name: The file's name.
        command: Prints round 1, apart from the workflow's parameters.
        numbers: Values of the slots in the text.
    """

    def method(context: StepContext) -> SlotValue:
        if context.step_state["iteration"] != 1:
            words = (*command.words, *flags(context.workflow_params))
            return Text(AGAIN), Invoke(Command(command.module, words))
        return inline(read_text(os.path.join(os.path.dirname(beside), name)).strip(), numbers)

    return method
