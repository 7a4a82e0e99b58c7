"""Methods of the steps that come back: in full the first time, later the command that prints them again."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.prompts import read_prompts
from lib.workflow.prompts.slots import SlotValue, inline

from .due import MODULE, STEPS
from .handlers import folder, run_of
from .limits import MAX_TEXT
from .orders import Fact, again, before, own, own_words

if TYPE_CHECKING:
    from .record import Run


def method(step: str, known: "Callable[[Run], bool]", **numbers: int) -> Fact:
    """Return the method of a repeated step: in full the first time, later the command that prints it again.

    Args:
        step: The step, which names the section of `methods.md`.
        known: Returns True for a run that reached the step before.
        numbers: Values of the slots in the text.
    """

    def text(context: StepContext) -> SlotValue:
        if known(run_of(context)) and not context.step_state["whole"]:
            again = flags({"step": STEPS.index(step) + 1, "state_dir": folder(context), "whole": True})
            return Text("As the first time. If that is gone from your context:"), Invoke(Command(MODULE, again))
        path = os.path.join(os.path.dirname(__file__), "methods.md")
        return inline(read_prompts(path)[step].text, {**numbers, "before": before(context)})

    return text


def asking(context: StepContext) -> str:
    """Return the way to put the question and to record its answer; shorter after the first question."""
    commands = f"\n\n    {own_words(context)}\n\n    {again('ask')(context)}"
    run = run_of(context)
    if any(each.answer for each in run.questions):
        return (
            "Put it to the user as the last one. To record other words, run the first command, then the second:"
            + commands
        )
    first = next(name for each in run.to_ask() for name in each.candidates)
    return inline(_ASKING, {"seen": str(own("show", first)(context)), "max_text": MAX_TEXT}) + commands


_ASKING: Final = """\
1. Put the question below to the user as it is, by your client's means for questions. Answer none yourself; if the user
   is away, the run waits.
2. If the user asks back, show the two places and the evidence, without an opinion: `{{seen}}`
3. Run the command of the option that the user picks. It prints the next question, or what follows.
4. Record any other answer, or a condition added to one, in the user's own words on one line of at most {{max_text}}
   characters by the first command below; then run this step again by the second. Until a rule is recorded, an answer
   can be changed by the command of another option."""
