"""What fills the slots of the executor's own two steps."""

from collections.abc import Mapping
from typing import Final

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Text
from lib.workflow.command import Command, flags
from lib.workflow.types import AgentRole

from ..facts import Fact, Where
from ..limits import MAX_DEVELOPERS, MAX_LAPS
from ..phases import RECONCILE
from .facts import COMMON


def _waves(where: Where) -> str:
    """What is built wave by wave."""
    lines: list[str] = []
    for wave in where.state.run.left:
        documented = [f"{each} (documentation)" for each in wave.documentation]
        lines.append(f"- {wave.wave}: {', '.join([*wave.code, *documented]) or 'documentation of what is there'}")
    return "\n".join(lines)


def _reconciling(where: Where) -> Node:
    """The dispatch that finds out what is done, where that was asked for and is not on record."""
    run = where.state.run
    if run.done is not None:
        return Text(f"Found done, and not built again: {', '.join(run.done) or 'nothing'}.")
    if not run.reconciling:
        return Text("Nothing is to be launched in this step: all of the plan is built.")
    from lib.workflow.ast.dispatch import SubagentDispatchNode  # only the page that dispatches pays for it
    from lib.workflow.ast.step import Invoke

    from ..handover import brief

    command = Command(RECONCILE, flags({"step": 1, "state_dir": where.state.state_dir}))
    return SubagentDispatchNode(
        agent=AgentRole.QUALITY_REVIEWER,
        prompt=brief(where.state),
        invoke=Invoke(command),
        returns="the block RECONCILED, or one line that says why nothing can be relied on",
    )


def _way(where: Where) -> str:
    """Where the run stands, told from the record."""
    run = where.state.run
    if run.aborted:
        return "The user has ended this run."
    failed = ", ".join(f"`{each.item}`" for each in run.failing)
    if run.finished:
        red = f" The user has accepted that these checks fail: {failed}." if failed else ""
        return f"Every wave is built, reviewed and documented: the plan is carried out.{red}"
    assert run.building is not None
    if failed:
        return f"The project's own checks fail after the last wave: {failed}. The user is to decide."
    if run.building.lap > 1:
        return f"The project's own checks have refused the work; lap {run.building.lap} mends it."
    return f"{run.building.wave} is next."


BEGINNING: Final[Mapping[str, Fact]] = {
    **COMMON,
    "waves": _waves,
    "reconciling": _reconciling,
    "max_developers": lambda where: MAX_DEVELOPERS,
}
MOVING: Final[Mapping[str, Fact]] = {
    **COMMON,
    "way": _way,
    "waves": _waves,
    "max_laps": lambda where: MAX_LAPS,
}
