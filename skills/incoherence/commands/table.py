"""Table of all commands on the state of a run, with the roles that may use each."""

import os
from collections.abc import Callable
from typing import Annotated, Final

from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.rows import Example, On, Row, Table, act
from lib.workflow.state.store import Store
from lib.workflow.types import AgentRole

from ..files import run_store
from ..record import Run
from . import examples
from .apply import check, deliver, plan
from .correct import correct
from .detect import Result, choose, judge, report, select, survey, sweep
from .reading import show, status
from .resolve import decide, pose

OWN: Final = (AgentRole.ORCHESTRATOR,)
LOOKING: Final = (AgentRole.ORCHESTRATOR, AgentRole.GENERAL_PURPOSE)
CHANGING: Final = (AgentRole.ORCHESTRATOR, AgentRole.DEVELOPER)
ALL: Final = (*LOOKING, AgentRole.DEVELOPER)


def opened(state_dir: Annotated[str, Flag(description="the folder of the run's state file", path=True)]) -> Store[Run]:
    """Return the run that the options name."""
    return run_store(os.path.abspath(state_dir))


def _given(*words: str, text: str = "", early: bool = False) -> tuple[Example, ...]:
    return (Example(words, text, early),)


def _in_project(
    name: str, handler: Callable[..., Result], roles: tuple[AgentRole, ...], examples: tuple[Example, ...]
) -> Row[Store[Run]]:
    """Return a command that changes the run and reads the project's files. Its handler gets the run and the store."""
    return Row(
        name=name,
        handler=handler,
        roles=roles,
        examples=examples,
        store=lambda store: store,
        apply=lambda store, run, values: handler(run, store, **values),
        changes=True,
        skip=2,
    )


_run: Final[On[Store[Run], Run]] = On(lambda store: store)

TABLE: Final = Table(
    module="skills.incoherence.state",
    word="incoherence",
    description="Read and change what a run of incoherence has on record. Nobody edits its file by hand.",
    opens=opened,
    shared=("--state-dir", "state"),
    rows=(
        act("survey", survey, roles=OWN, examples=_given("--survey-file", "-", text=examples.SURVEY)),
        _run.change("choose", choose, roles=OWN, examples=_given("--sweeps-file", "-", text=examples.SWEEPS)),
        _in_project("sweep", sweep, LOOKING, _given("--swept-file", "-", text=examples.SWEPT)),
        _run.change("select", select, roles=OWN, examples=_given("--choices-file", "-", text=examples.CHOICES)),
        _run.change("report", report, roles=LOOKING, examples=_given("--evidence-file", "-", text=examples.EVIDENCE)),
        _run.change("judge", judge, roles=OWN, examples=_given("--verdicts-file", "-", text=examples.VERDICTS)),
        _run.change("pose", pose, roles=OWN, examples=_given("--questions-file", "-", text=examples.QUESTIONS)),
        _run.change(
            "decide", decide, roles=OWN, examples=_given("--decisions-file", "-", text=examples.DECISIONS, early=True)
        ),
        _run.change("plan", plan, roles=OWN, examples=_given("--tasks-file", "-", text=examples.TASKS, early=True)),
        _run.change(
            "deliver",
            deliver,
            roles=CHANGING,
            examples=_given(
                "T-001", "--outcome", "done", "--said-file", "-", text="both say 5 MiB; tests pass", early=True
            ),
        ),
        _run.change("check", check, roles=OWN, examples=_given("--checks-file", "-", text=examples.CHECKS, early=True)),
        _in_project("correct", correct, OWN, _given("C-001", "--change-file", "-", text=examples.CORRECTION)),
        _run.look("show", show, roles=ALL, examples=_given("C-001")),
        _run.look("status", status, roles=ALL, examples=_given()),
    ),
    batch=(Example((), '[{"command": "status"}]'),),
)
