"""What goes into the ledger by command: work that is finished, and what the user has answered."""

from typing import TYPE_CHECKING, Annotated

from attrs import evolve

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.errors import RefusedError
from lib.workflow.suggest import expected
from lib.workflow.table.arguments import Flag

from ..execution.approval import check_approved
from ..schema.phase import PLANNING, Phase
from ..state.files import plan_store, run_store
from ..state.run_state import RunState
from .checking import validate
from .refusing import refusing

if TYPE_CHECKING:
    from ..schema.run import Run

Which = Annotated[Phase, Flag(positional=True, description="the phase")]


def submit(
    state_dir: str,
    phase: Which,
    milestone: Annotated[str | None, Flag(description="the one that is built, where a wave has several")] = None,
) -> Node:
    """Hand the work of a phase in for review.

    A plan that is not valid is refused, and one that is not the approved one while it is carried out.
    """
    from ..schema.run import Submission  # the commands on the plan do not pay for the ledger
    from ..state.reviews import get_qr_iteration

    run = run_store(state_dir).load()
    if run.gate(phase):
        raise RefusedError("phase-passed", phase, "its review was passed", "go on with the phase that follows")
    _check_turn(run, phase)
    if phase in PLANNING:
        validate(plan_store(state_dir).load(), phase)
    else:
        check_approved(RunState(state_dir))
    iteration = get_qr_iteration(state_dir, phase)
    _, wave, lap = run.at(phase)
    handed_in = (milestone,) if milestone else run.awaited(phase, iteration)
    _check_awaited(run, milestone)
    made = [Submission(phase=phase, wave=wave, lap=lap, iteration=iteration, milestone=name) for name in handed_in]

    def record(found: "Run") -> "tuple[Run, None]":
        new = tuple(each for each in made if each not in found.submissions)
        return (evolve(found, submissions=(*found.submissions, *new)) if new else found), None

    run_store(state_dir).change(record)
    return Element("submitted", {"phase": phase, "wave": wave, "milestone": milestone, "round": str(iteration)})


def _check_turn(run: "Run", phase: Phase) -> None:
    """What is handed in before its turn would pass for done when that comes."""
    order = PLANNING if phase in PLANNING else run.wave_phases
    for earlier in order[: order.index(phase)] if phase in order else ():
        if run.gate(earlier) is None:
            what = f"{earlier}, which comes before it, has not passed its review"
            raise RefusedError("out-of-order", phase, what, "hand it in when its turn has come")


def _check_awaited(run: "Run", milestone: str | None) -> None:
    built = run.building.code if run.building else ()
    if milestone is not None and milestone not in built:
        raise RefusedError("unknown-id", milestone, "it is not built in this wave", expected(milestone, built))


def reconciled(
    state_dir: str,
    done: Annotated[tuple[str, ...], Flag(each="done", description="a milestone that was found done")] = (),
) -> Node:
    """Keep which milestones were found done.

    It is said before the first wave: they are not built again. Without any, all are built.
    """
    known = [milestone.id for milestone in plan_store(state_dir).load().milestones]
    for name in done:
        if name not in known:
            raise RefusedError("unknown-id", name, "there is no such milestone", expected(name, known))

    def record(run: "Run") -> "tuple[Run, None]":
        if run.building is not None and run.done != done:
            raise RefusedError("begun", run.building.wave, "the first wave has begun", "go on with the wave")
        return evolve(run, done=done), None

    run_store(state_dir).change(record)
    return Element("reconciled", {"done": ",".join(done)})


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
        _, wave, lap = run_store(state_dir).load().at(phase)
        answer = Answer(phase=phase, wave=wave, lap=lap, header=header, text=text)

    def record(run: "Run") -> "tuple[Run, None]":
        others = tuple(each for each in run.answers if (each.at, each.header) != (answer.at, header))
        return evolve(run, answers=(*others, answer)), None

    run_store(state_dir).change(record)
    return Element("answer", {"phase": phase, "header": header})
