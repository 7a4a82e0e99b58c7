"""Commands that write to the ledger, apart from hand-ins: done milestones, answers, the depth, reopened phases."""

from typing import TYPE_CHECKING, Annotated

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError
from lib.workflow.util.suggest import expected

from ..schema.depth import Depth
from ..schema.phase import PLANNING, Phase
from ..state.files import plan_store, run_store
from .refusing import refusing

if TYPE_CHECKING:
    from ..schema.run import Reopening, Run

Which = Annotated[Phase, Flag(positional=True, description="the phase")]


def reconciled(
    state_dir: str,
    done: Annotated[tuple[str, ...], Flag(each="done", description="a milestone that is already done")] = (),
) -> Node:
    """Record the milestones that were found done.

    Use it before the first wave: these milestones are not built again. Without any, all are built.
    """
    known = [milestone.id for milestone in plan_store(state_dir).load().milestones]
    for name in done:
        if name not in known:
            raise RefusedError("unknown-id", name, "no milestone has this id", expected(name, known))

    def record(run: "Run") -> "tuple[Run, None]":
        if run.building is not None and run.done != done:
            raise RefusedError("begun", run.building.wave, "the first wave has started", "continue with the wave")
        return evolve(run, done=done), None

    run_store(state_dir).change(record)
    return Element("reconciled", {"done": ",".join(done)})


def set_answer(
    state_dir: str,
    phase: Which,
    header: Annotated[str, Flag(description="the question's header")],
    text: Annotated[str, Flag(long=True, description="the answer of the user")],
) -> Node:
    """Record the user's answer to an agent.

    The agent's next launch gets it. A second answer replaces the first.
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


def set_depth(
    state_dir: str,
    depth: Annotated[Depth, Flag(positional=True, description="light: one review of the design, one of each wave")],
) -> Node:
    """Choose how thoroughly the run plans and reviews.

    A light run can become full until its first wave has started. This removes its approval, and the phases that were
    left out come next. A full run can become light until a phase has passed.
    """

    def record(run: "Run") -> "tuple[Run, None]":
        if run.depth is depth:
            return run, None
        if run.building is not None:
            raise RefusedError("begun", depth, "the first wave has started", "continue with the run as it is")
        if depth is Depth.LIGHT and run.gates:
            what = f"{run.gates[-1].phase} has passed as a phase of a full run"
            raise RefusedError("phase-passed", depth, what, "continue with the run as it is, or start another")
        return evolve(run, depth=depth, approval=None, waves=()), None

    run_store(state_dir).change(record)
    return Element("depth", {"depth": depth})


def reopen(
    state_dir: str,
    phase: Annotated[Phase, Flag(positional=True, choices=None, description="the phase of planning to take back")],
    reason: Annotated[str, Flag(long=True, description="the reason, in the user's words")],
) -> Node:
    """Take back gates and approval, from a phase on.

    Only if the user asks for it. The plan can be changed again, and repeats the phase and those after it.
    The files that were built stay. When the new plan is executed, a reviewer finds out which milestones are done.
    """
    from ..schema.run import Reopening  # the other commands do not pay for this import
    from ..state.reviews import review_store

    with refusing(phase):
        made = Reopening(phase=phase, reason=reason)
    run = run_store(state_dir).load()
    _check_reopens(run, phase)
    back = _from(phase)
    for each in back:  # first, so that none of them is present when its phase comes again
        review_store(state_dir, each).remove()

    def record(found: "Run") -> "tuple[Run, None]":
        _check_reopens(found, phase)
        taken = evolve(
            made,
            approval=found.approval,
            gates=tuple(each for each in found.gates if each.phase in back),
            rounds=tuple(each for each in (*found.rounds, *found.checks) if each.phase in back),
            submissions=tuple(each for each in found.submissions if each.phase in back),
            grants=tuple(each for each in found.grants if each.phase in back),
            contests=tuple(each for each in found.contests if each.phase in back),
        )
        return _without(found, taken), None

    run_store(state_dir).change(record)
    return Element("reopened", {"phase": phase, "taken_back": ",".join(back)})


def _from(phase: Phase) -> tuple[Phase, ...]:
    """Return the phase and all after it, including those of building."""
    every = tuple(Phase)
    return every[every.index(phase) :]


def _check_reopens(run: "Run", phase: Phase) -> None:
    if phase not in PLANNING:
        raise RefusedError("invalid-value", phase, "it changes no plan", expected(phase, PLANNING))
    if run.finished or run.aborted:
        raise RefusedError("run-over", phase, "the run is over", "start another run for the change")
    if run.gate(phase) is None:
        raise RefusedError(
            "not-passed", phase, "it has not passed, so there is nothing to take back", "continue with it"
        )


def _without(run: "Run", taken: "Reopening") -> "Run":
    """Return the run without the gates taken back. If a wave has started, a reviewer must find what is done."""
    begun = run.building is not None
    return evolve(
        run,
        reopened=(*run.reopened, taken),
        approval=None,
        waves=(),
        gates=tuple(each for each in run.gates if each not in taken.gates),
        rounds=tuple(each for each in run.rounds if each not in taken.rounds),
        submissions=tuple(each for each in run.submissions if each not in taken.submissions),
        grants=tuple(each for each in run.grants if each not in taken.grants),
        contests=tuple(each for each in run.contests if each not in taken.contests),
        building=None,
        checks=(),
        reconciling=run.reconciling or begun,
        done=None if begun else run.done,
    )
