"""The orchestrator's next step, computed from the state file, and the refusal of any other."""

from typing import TYPE_CHECKING, Final

from lib.workflow.command import Command, flags
from lib.workflow.errors import RefusedError

from .standing import Progress, Standing

if TYPE_CHECKING:
    from .record import Run

MODULE: Final = "skills.incoherence.incoherence"
STEPS: Final = (
    *("survey", "dimensions", "dispatch", "sweep", "coverage", "gaps", "format"),
    *("select", "dive", "dig", "report", "verdicts"),
    *("pose", "ask", "settle"),
    *("plan", "launch", "apply", "collect", "next", "close"),
)
"""The steps in the order of their numbers."""
ANOTHER: Final = " To start another run, give step 1 a folder without a run: --state-dir DIR."


def due(run: "Run | None") -> tuple[str, ...]:
    """Return the next step, then the other steps that may be printed and have nothing to do."""
    if run is None:
        return ("survey",)
    if not run.sweeps:
        return ("dimensions",)
    if run.open_sweeps():
        return ("dispatch",)
    return _detecting(run) or _resolving(run) or _applying(run)


def _detecting(run: "Run") -> tuple[str, ...]:
    if run.of(Standing.FOUND):
        return ("select",)
    if run.to_dive():
        return ("dive",)
    if run.to_judge():
        return ("verdicts",)
    return ()


def _resolving(run: "Run") -> tuple[str, ...]:
    if run.to_ask():
        return ("ask",)
    if run.to_settle():
        return ("settle", "ask")
    if run.to_pose():
        return ("pose", *(() if run.questions else ("select", "verdicts")))
    if run.to_change() and not run.tasks:
        return ("plan",)
    return ()


def _applying(run: "Run") -> tuple[str, ...]:
    wave = run.wave()
    if wave is None:
        return ("close", "next" if run.tasks else "verdicts", *(() if run.candidates else ("select",)))
    return ("collect",) if not run.tasks_of(Progress.OPEN, wave) else ("launch", "next")


def is_over(run: "Run") -> bool:
    """Return True if a run has reached its report."""
    return due(run)[0] == STEPS[-1]


def command_of(step: str, state_dir: str) -> Command:
    """Return the command that prints a step of the orchestrator."""
    return Command(MODULE, flags({"step": STEPS.index(step) + 1, "state_dir": state_dir}))


def in_order(run: "Run | None", step: str, state_dir: str) -> None:
    """Raise RefusedError, with the command of the next step, for a step that the state does not allow."""
    allowed = due(run)
    if step not in allowed:
        why = f"the next step of this run is {allowed[0]} (step {STEPS.index(allowed[0]) + 1})"
        fix = f"Run the next command.{ANOTHER if step == STEPS[0] else ''}"
        raise RefusedError("out-of-order", step, why, fix, command_of(allowed[0], state_dir))


def closed(what: str, why: str) -> RefusedError:
    """Return the refusal of an agent's step whose work is already recorded."""
    return RefusedError("closed", what, why, "Reply that it is already recorded.")
