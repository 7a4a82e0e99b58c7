"""What fills the slots of the executor's own two steps."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from lib.workflow.ast.declare import Node
from lib.workflow.command import Command, flags
from lib.workflow.types import AgentRole

from ..agents.slots import Fact, Where, passage
from ..agents.wave_slots import listed
from ..execution.waves import files_of
from ..limits import MAX_LAPS
from ..phases import RECONCILE
from ..schema.item_status import ItemStatus
from ..texts import sections
from .passages import passages
from .slots import COMMON, GATE
from .stand import Decided, Stand

if TYPE_CHECKING:
    from ..schema.run import Verdict

COMMIT: Final = "commit"
MAX_FINDING: Final = 1500
"""Characters of what a failed check came to."""


def _waves(where: Where) -> str:
    """What is built wave by wave."""
    names = {each.id: each.name for each in where.state.plan.milestones}
    lines: list[str] = []
    for wave in where.state.run.left:
        told = [f"{each} {names.get(each, '')}".rstrip() for each in (*wave.code, *wave.documentation)]
        built = [*told[: len(wave.code)], *(f"{each} (documentation)" for each in told[len(wave.code) :])]
        lines.append(f"- {wave.wave}: {', '.join(built) or 'documentation of what is there'}")
    return "\n".join(lines)


def _begun(where: Where) -> str:
    """What an execution begins with: a section of `prompts/beginning.md`."""
    run = where.state.run
    return "reconciled" if run.done is not None else "looking" if run.reconciling else "fresh"


def _done(where: Where) -> str:
    """What was found done."""
    return ", ".join(where.state.run.done or ()) or "nothing"


def _looking(where: Where) -> Node:
    """The dispatch that finds out what is done."""
    from lib.workflow.ast.dispatch import SubagentDispatchNode  # only the page that dispatches pays for it
    from lib.workflow.ast.step import Invoke

    from ..agents.brief import brief

    command = Command(RECONCILE, flags({"step": 1, "state_dir": where.state.state_dir}))
    return SubagentDispatchNode(
        agent=AgentRole.QUALITY_REVIEWER,
        prompt=brief(where.state, where.row.phase),
        invoke=Invoke(command),
        returns="the block RECONCILED, or one line that says why nothing can be relied on",
    )


def _commit(where: Where) -> tuple[Node, ...]:
    """What is asked for of the wave that has passed its reviews last and is not committed yet."""
    run = where.state.run
    passed = run.waves_passed
    if not passed or (run.building is not None and run.building.lap > 1 and not run.finished):
        return ()  # what a failed check has led back to the work is committed when it has passed
    return passage(sections(GATE)[COMMIT].text, where, {"wave_files": partial(_files_of, passed[-1])})


def _files_of(wave: str | None, where: Where) -> str:
    """The files of a wave, each with its milestone."""
    names = {name for each in where.state.run.left if each.wave == wave for name in each.milestones}
    milestones = [each for each in where.state.plan.milestones if each.id in names]
    return (
        listed(tuple(f"{path} ({each.id}: {each.name})" for each in milestones for path in files_of((each,))))
        or "(None is named.)"
    )


def _last_lap(where: Where) -> int:
    """The one after which the user decides."""
    building = where.state.run.building
    return max(MAX_LAPS, building.lap if building else 0)


def _findings(verdicts: "Iterable[Verdict]") -> str:
    """What the checks that failed came to, a line for each."""
    return "".join(f"\n- `{each.item}`: {' '.join((each.finding or '').split())[:MAX_FINDING]}" for each in verdicts)


def _decided(where: Where) -> Decided:
    """Where the run stands, told from the record."""
    run = where.state.run
    if run.aborted:
        return Decided(Stand.ENDED, "The user has ended this run.")
    failed = ", ".join(f"`{each.item}`" for each in run.failing)
    if run.finished:
        red = f" The user has accepted that these checks fail: {failed}." if failed else ""
        said = f"Every wave is built, reviewed and documented: the plan is carried out.{red}"
        return Decided(Stand.CARRIED_OUT, said)
    assert run.building is not None
    if failed:
        head = "The project's own checks fail after the last wave, and the user is to decide:"
        return Decided(Stand.ASKED, f"{head}{_findings(run.failing)}")
    if run.building.lap > 1:
        before = ", ".join(f"`{each.item}`" for each in run.checks[-1].verdicts if each.status is ItemStatus.FAIL)
        said = f"These checks of the project have failed: {before}; lap {run.building.lap} mends them."
        return Decided(Stand.LAP, said)
    return Decided(Stand.NEXT, f"{run.building.wave} is next.")


BEGINNING: Final[Mapping[str, Fact]] = {
    **COMMON,
    **passages("beginning", _begun, {"dispatch": _looking, "done": _done}),
    "waves": _waves,
}
ENDING: Final[Mapping[str, Fact]] = {"last_lap": _last_lap, "commit": _commit, "waves": _waves}
MOVING: Final[Mapping[str, Fact]] = {
    **COMMON,
    **passages(GATE, lambda where: _decided(where).stand, ENDING),
    "decision": lambda where: _decided(where).said,
}
