"""What fills the slots of the executor's own two steps."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Text
from lib.workflow.command import Command, flags
from lib.workflow.types import AgentRole

from ..facts import Fact, Where
from ..limits import MAX_DEVELOPERS, MAX_LAPS
from ..phases import RECONCILE
from ..schema.phase import Phase
from ..wave_facts import files_of, listed
from .facts import COMMON

if TYPE_CHECKING:
    from ..schema.run import Verdict

MAX_FINDING: Final = 1500
"""Characters of what a failed check came to."""


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
        return Text("Launch nothing in this step: nothing counts as done, and all waves above are still to be built.")
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


def _launching(where: Where) -> str:
    """What is done about the dispatch, where there is one."""
    run = where.state.run
    if run.done is not None or not run.reconciling:
        return ""
    return (
        "Launch this one agent, wait for its reply and go on: what it found is on record, and is not yours to weigh. "
        "Without a record the command below is refused and names this step; after the second such refusal in a row "
        "tell the user what came back each time, and stop. Stop, too, and tell the user, where the reply says that the "
        "plan or the project is another one: this run is not the one to go on with."
    )


def _wave_files(where: Where) -> str:
    """The files of the wave that has passed its reviews last, and is not committed yet."""
    run = where.state.run
    passed = [gate.wave for gate in run.gates if gate.phase is Phase.IMPL_DOCS]
    if not passed or (run.building is not None and run.building.lap > 1 and not run.finished):
        return "(None: what a failed check has led back to the work is committed when it has passed.)"
    names = {name for wave in run.left if wave.wave == passed[-1] for name in (*wave.code, *wave.documentation)}
    return (
        listed(files_of(tuple(each for each in where.state.plan.milestones if each.id in names))) or "(None is named.)"
    )


def _findings(verdicts: "Iterable[Verdict]") -> str:
    """What the checks that failed came to, a line for each."""
    return "".join(f"\n- `{each.item}`: {' '.join((each.finding or '').split())[:MAX_FINDING]}" for each in verdicts)


def _way(where: Where) -> str:
    """Where the run stands, told from the record."""
    run = where.state.run
    if run.aborted:
        return "The user has ended this run."
    failed = ", ".join(f"`{each.item}`" for each in run.failing)
    if run.finished:
        red = f" The user has accepted that these checks fail: {failed}." if run.failing else ""
        return f"Every wave is built, reviewed and documented: the plan is carried out.{red}"
    assert run.building is not None
    if failed:
        head = "The project's own checks fail after the last wave, and the user is to decide:"
        return f"{head}\n{_findings(run.failing)}"
    if run.building.lap > 1:
        return f"The project's own checks have refused the work; lap {run.building.lap} mends it."
    return f"{run.building.wave} is next."


BEGINNING: Final[Mapping[str, Fact]] = {
    **COMMON,
    "waves": _waves,
    "reconciling": _reconciling,
    "launching": _launching,
    "max_developers": lambda where: MAX_DEVELOPERS,
}
MOVING: Final[Mapping[str, Fact]] = {
    **COMMON,
    "way": _way,
    "wave_files": _wave_files,
    "waves": _waves,
    "max_laps": lambda where: MAX_LAPS,
}
