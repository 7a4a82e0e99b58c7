"""What goes into the ledger by command: work that is finished, and what the user has answered."""

from typing import TYPE_CHECKING, Annotated

from attrs import evolve

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.errors import RefusedError
from lib.workflow.table.arguments import Flag

from ..schema.phase import Phase
from ..state.files import plan_store, run_store
from .checking import validate
from .refusing import refusing

if TYPE_CHECKING:
    from ..schema.run import Run

Which = Annotated[Phase, Flag(positional=True, description="the phase")]


def submit(state_dir: str, phase: Which) -> Node:
    """Hand the work of a phase in for review.

    A plan that is not valid is refused.
    """
    from ..schema.run import Submission  # the commands on the plan do not pay for the ledger
    from ..state.reviews import get_qr_iteration

    run = run_store(state_dir).load()
    if run.gate(phase):
        raise RefusedError("phase-passed", phase, "its review was passed", "go on with the phase that follows")
    validate(plan_store(state_dir).load(), phase)
    submission = Submission(phase=phase, iteration=get_qr_iteration(state_dir, phase))

    def record(found: "Run") -> "tuple[Run, None]":
        known = submission in found.submissions
        return (found if known else evolve(found, submissions=(*found.submissions, submission))), None

    run_store(state_dir).change(record)
    return Element("submitted", {"phase": phase, "round": str(submission.iteration)})


def set_answer(
    state_dir: str,
    phase: Which,
    header: Annotated[str, Flag(description="the question's header")],
    text: Annotated[str, Flag(long=True, description="what the user said")],
) -> Node:
    """Keep what the user answered to an agent.

    The agent's next launch is told. A second answer replaces the first.
    """
    from ..schema.run import Answer

    with refusing(header):
        answer = Answer(phase=phase, header=header, text=text)

    def record(run: "Run") -> "tuple[Run, None]":
        others = tuple(each for each in run.answers if (each.phase, each.header) != (phase, header))
        return evolve(run, answers=(*others, answer)), None

    run_store(state_dir).change(record)
    return Element("answer", {"phase": phase, "header": header})
