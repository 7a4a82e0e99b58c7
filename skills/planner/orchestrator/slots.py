"""Slots of the orchestrator's texts."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from lib.workflow.ast.fields import Node
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, flags
from lib.workflow.prompts.slots import SlotValue

from ..agents.slots import COMMON as EVERYWHERE
from ..agents.slots import SlotContext, SlotResolver
from ..limits import MAX_DEVELOPERS, MAX_PARALLEL
from ..modules import EXECUTOR
from ..next_step import Block
from ..phases import EXECUTING, PhaseScript, PhaseSpec
from .gate.gate_stand import GATE, Decided
from .passages import passages

COMMIT: Final = "commit"
"""The passage of the last work step of a wave that does not go through its phase."""
DISPATCH: Final = "dispatch"
"""The passage of a step that launches agents."""
RETURNS: Final = {
    PhaseScript.ROUTE: "one line, or a block of questions",
    PhaseScript.DECOMPOSE: "done, or a block of questions",
}


def _one(part: PhaseScript, where: SlotContext) -> Node:
    """Return the dispatch of a part to one agent. Its brief is on its own first page."""
    from lib.workflow.ast.dispatch import SubagentDispatchNode  # only a step that dispatches pays for this import

    command = Command(where.row.module(part), flags({"step": 1, "state_dir": where.state.state_dir}))
    return SubagentDispatchNode(
        agent=where.row.agent(part), tier=where.row.tier, invoke=Invoke(command), returns=RETURNS[part]
    )


def _awaited(where: SlotContext) -> list[str]:
    """Return the milestones of the wave that are not built yet; none if one agent does all of a phase."""
    names = [name for name in where.state.run.awaited(where.row.phase, 1) if name]
    return [] if where.state.review(where.row.phase) else names


def _work(where: SlotContext) -> Node:
    """Return the dispatch of a phase's work: to one agent, or to one for each milestone that is not handed in yet.

    If an agent of an earlier phase has findings to fix, it comes first.
    """
    first = _fixer(where)
    if first is not where.row:
        return _one(PhaseScript.ROUTE, where._replace(row=first))
    awaited = _awaited(where)
    if not awaited:
        return _one(PhaseScript.ROUTE, where)
    from lib.workflow.ast.dispatch import Agent, RosterDispatchNode

    def agent(name: str) -> Agent:
        options = flags({"step": 1, "state_dir": where.state.state_dir, "milestone": name})
        return Agent(id=name, invoke=Invoke(Command(where.row.module(PhaseScript.ROUTE), options)))

    return RosterDispatchNode(
        agent=where.row.agent(PhaseScript.ROUTE),
        tier=where.row.tier,
        at_most=MAX_DEVELOPERS,
        agents=tuple(agent(name) for name in awaited),
        returns=RETURNS[PhaseScript.ROUTE],
    )


def _passage(where: SlotContext) -> str:
    """Return the passage of a work step, by the agent, the work, and if it is a fix."""
    if where.row in EXECUTING and where.state.run.gate(where.row.phase):
        return COMMIT
    if not where.state.run.is_light:
        return DISPATCH
    work = "build" if where.row in EXECUTING else "design"
    return f"{work}-repair" if where.state.review(where.row.phase) else work


def _light(name: str) -> SlotResolver:
    """Return a slot as the working agent sees it, because a light run has one agent in all roles."""

    def fact(where: SlotContext) -> SlotValue:
        from ..agents.work import FACTS as WORK  # only a light run pays for this import

        return {**EVERYWHERE, **WORK}[name](where._replace(role=where.row.role))

    return fact


def _fixer(where: SlotContext) -> PhaseSpec:
    from ..review.findings import fixer  # only a page that dispatches, or a failed gate, pays for this import

    return fixer(where.state, where.row)


def _many(where: SlotContext) -> Node:
    """Return the dispatch of a round's verification, with a finished command for every agent."""
    from ..review.batches import verification
    from ..state.reviews import review_store

    review = review_store(where.state.state_dir, where.row.phase).load()
    return verification(where.state.state_dir, where.row, review, _parallel(where)).roster()


def _parallel(where: SlotContext) -> int:
    at_most = where.context.workflow_params.get("max_parallel")
    return at_most if isinstance(at_most, int) else MAX_PARALLEL


def _answer(where: SlotContext) -> Command:
    return where.plan("set-answer", where.row.phase, "--header", "Store", "--text", "on disk")


def _decided(where: SlotContext) -> Decided:
    from .gate.gate_report import decided  # only a gate that is asked pays for this import

    return decided(where)


def _commit(where: SlotContext) -> SlotValue:
    from .wave_slots import commit  # only the last gate of a wave pays for this import

    return commit(where)


def _execute(where: SlotContext) -> Command:
    return Command(EXECUTOR, flags({"step": 1, "state_dir": where.state.state_dir}))


ANSWER: Final[Mapping[str, SlotResolver]] = {"answer": _answer}
LIGHT: Final[Mapping[str, SlotResolver]] = {
    name: _light(name) for name in ("present", "batch", "failures", "stalled", "contest", "wave", "plan", "versions")
}
"""The slots of the pages on which the agent of a light run works."""
FACTS: Final[Mapping[Block, Mapping[str, SlotResolver]]] = {
    Block.WORK: {
        **passages("work", _passage, {**ANSWER, **LIGHT, "dispatch": _work, "commit": _commit}),
    },
    Block.DECOMPOSE: {**ANSWER, "dispatch": partial(_one, PhaseScript.DECOMPOSE)},
    Block.VERIFY: {"dispatch": _many},
    Block.ROUTE: passages(
        GATE,
        lambda where: _decided(where).stand,
        {"decision": lambda where: _decided(where).said, "execute": _execute, "commit": _commit},
    ),
}
