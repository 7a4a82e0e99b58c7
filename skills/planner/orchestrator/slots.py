"""What fills the slots of the orchestrator's texts."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from lib.workflow.ast.declare import Node
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, flags

from ..agents.slots import Fact, Where
from ..limits import MAX_DEVELOPERS, MAX_PARALLEL
from ..next_step import Block
from ..phases import PLANNING, Part, Row, planning_of, wave_of
from .passages import passages

if TYPE_CHECKING:
    from .stand import Decided

GATE: Final = "gate"
"""The file of what a gate's page says to do."""
RETURNS: Final = {
    Part.ROUTE: "one line that says what was written, or the questions for the user",
    Part.DECOMPOSE: "the dispatch that its last step prints, or the questions for the user",
}


def _one(part: Part, where: Where) -> Node:
    """The dispatch of a part to one agent."""
    from lib.workflow.ast.dispatch import SubagentDispatchNode  # only what dispatches pays for it

    from ..agents.brief import handover

    command = Command(where.row.module(part), flags({"step": 1, "state_dir": where.state.state_dir}))
    return SubagentDispatchNode(
        agent=where.row.agent(part),
        tier=where.row.tier,
        prompt=handover(where.state, where.row.phase),
        invoke=Invoke(command),
        returns=RETURNS[part],
    )


def _work(where: Where) -> Node:
    """The dispatch of a phase's work: to one agent, or to one for each milestone that is not handed in yet.

    An agent of an earlier phase comes first, if it has findings of its own to fix.
    """
    first = _fixer(where)
    if first is not where.row:
        return _one(Part.ROUTE, where._replace(row=first))
    awaited = [name for name in where.state.run.awaited(where.row.phase, 1) if name]
    if not awaited or where.state.review(where.row.phase):
        return _one(Part.ROUTE, where)
    from lib.workflow.ast.dispatch import Agent, RosterDispatchNode

    from ..agents.brief import assignment

    def agent(name: str) -> Agent:
        told = flags({"step": 1, "state_dir": where.state.state_dir, "milestone": name})
        invoke = Invoke(Command(where.row.module(Part.ROUTE), told))
        return Agent(id=name, prompt=assignment(where.state, where.row.phase, name), invoke=invoke)

    return RosterDispatchNode(
        agent=where.row.agent(Part.ROUTE),
        tier=where.row.tier,
        at_most=MAX_DEVELOPERS,
        agents=tuple(agent(name) for name in awaited),
        returns=RETURNS[Part.ROUTE],
    )


def _fixer(where: Where) -> Row:
    from ..review.findings import fixer  # only a page that dispatches, or a gate that fails, pays for it

    return fixer(where.state, where.row)


def _many(where: Where) -> Node:
    """The dispatch of a round's verification, with a finished command for every agent."""
    from ..agents.brief import brief
    from ..review.batches import verification
    from ..state.reviews import review_store

    review = review_store(where.state.state_dir, where.row.phase).load()
    at_most = where.context.workflow_params.get("max_parallel")
    most = at_most if isinstance(at_most, int) else MAX_PARALLEL
    return verification(where.state.state_dir, where.row, review, most, brief(where.state, where.row.phase)).roster()


def _relay(where: Where) -> str:
    from lib.workflow.questions import QUESTION_RELAY_HANDLER

    return QUESTION_RELAY_HANDLER


def _decided(where: Where) -> "Decided":
    from .gate_report import decided  # only a gate that is asked pays for it

    return decided(where)


def _said(where: Where) -> str:
    return _decided(where).said


def _stand(where: Where) -> str:
    return _decided(where).stand


def _following(where: Where) -> str:
    """What comes after the phase."""
    run = where.state.run
    rows = planning_of(run) if where.row in PLANNING else wave_of(run)
    rest = rows[rows.index(where.row) + 1 :]
    return rest[0].phase if rest else "the last step of the wave"


def _answer(where: Where) -> Command:
    return where.plan("set-answer", where.row.phase)


COMMON: Final[Mapping[str, Fact]] = {"relay": _relay, "record_answer": _answer}
PASSING: Final[Mapping[str, Fact]] = {"following": _following, "agent": lambda where: _fixer(where).role}
FACTS: Final[Mapping[Block, Mapping[str, Fact]]] = {
    Block.WORK: {**COMMON, "dispatch": _work},
    Block.DECOMPOSE: {**COMMON, "dispatch": partial(_one, Part.DECOMPOSE)},
    Block.VERIFY: {**COMMON, "dispatch": _many},
    Block.ROUTE: {"decision": _said, **passages(GATE, _stand, PASSING)},
}
