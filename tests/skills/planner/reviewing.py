"""Runs that are led through reviews by commands, for tests of hand-ins, verdicts and gates."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from attrs import evolve

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import Complete, InvokeAfter, StepHeader
from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from skills.planner.modules import EXECUTOR, PLANNER, QR
from skills.planner.next_step import EXEC_INIT, STEPS, WAVE_NEXT, WAVE_STEPS, Block, step_id
from skills.planner.orchestrator.waves import begin as begin_wave
from skills.planner.phases import PLANNING, PhaseSpec
from skills.planner.rehearsal import prepare
from skills.planner.schema.phase import Phase
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.review.document import ItemStatus, Review
from skills.planner.schema.run import Run
from skills.planner.staging import PLAN
from skills.planner.state.files import plan_store, run_store
from skills.planner.state.reviews import review_store
from skills.planner.state.run_state import RunState
from tests.skills.planner import console
from tests.skills.planner.runs import staged

ITEMS: Final = ("qa-001", "qa-002")
PASSED: Final[Mapping[str, str]] = dict.fromkeys(ITEMS, "")
FAILED: Final[Mapping[str, str]] = {"qa-001": "", "qa-002": "M-001 names none"}
"""The finding of each item's verifier; empty for a PASS."""


def at_work(folder: Path, row: PhaseSpec) -> str:
    """Make a run before the work of a phase of planning, with a written plan; return its state directory."""
    state_dir = staged(folder, step_id(row, Block.WORK))
    plan_store(state_dir).change(lambda _: (PLAN, None))
    return state_dir


def building(folder: Path, by: Callable[[Run], Run] = lambda run: run) -> str:
    """Make a run whose first wave has started, in a project under git, unapplied; return its state directory."""
    state_dir = str(folder / "run")
    start = Command(EXECUTOR, flags({"step": 1, "state_dir": state_dir}))
    prepare(start)
    run_store(state_dir).change(lambda run: (by(run), None))
    begin_wave(RunState(state_dir), reconcile=False)
    return state_dir


def project(state_dir: str) -> Path:
    """Return the project's folder."""
    return Path(RunState(state_dir).run.project_root)


def submit(state_dir: str, row: PhaseSpec, *words: str) -> console.Ran:
    """Hand the work of a phase in."""
    return console.plan(state_dir, "submit", row.phase, *words)


def reviewed(state_dir: str, row: PhaseSpec, found: Mapping[str, str], *words: str) -> None:
    """Create the review if it is missing, and record the finding of each item.

    Further words, such as an owner, go with each FAIL.
    """
    review = RunState(state_dir).review(row.phase)
    if review is None:
        items = [{"id": name, "scope": "*", "check": "Each milestone names its files"} for name in found]
        assert qr(state_dir, row.phase, "create", "--items-file", "-", given=json.dumps(items)).status == 0
        review = RunState(state_dir).review(row.phase)
    assert review is not None
    for item in review.items:
        if item.status is ItemStatus.PASS:
            continue
        finding = found.get(item.id, "")
        verdict = ("--status", "FAIL", "--finding", finding, *words) if finding else ("--status", "PASS")
        ran = qr(state_dir, row.phase, "update-item", item.id, *verdict)
        assert ran.status == 0, ran.out


def qr(state_dir: str, phase: Phase, *words: str, given: str = "") -> Ran:
    """Run a command of cli.qr."""
    return run_here(Command(QR, ("--state-dir", state_dir, "--qr-phase", phase, *words)), given)


def step(state_dir: str, name: str, **values: Value) -> Ran:
    """Run a step of the planner or the executor."""
    module, steps = (PLANNER, STEPS) if name in STEPS else (EXECUTOR, WAVE_STEPS)
    return run_here(Command(module, flags({"step": steps.index(name) + 1, "state_dir": state_dir, **values})))


def gate(state_dir: str, row: PhaseSpec, **values: Value) -> Ran:
    """Run the gate of a phase."""
    return step(state_dir, step_id(row, Block.ROUTE), **values)


def leads(ran: Ran) -> str | None:
    """Return the step that a page leads to; None at the end. A step with nothing to say prints the next one's page."""
    assert ran.status == 0, ran.out
    blocks = parse(ran.out).blocks
    header = next(block for block in blocks if isinstance(block, StepHeader))
    if isinstance(blocks[-1], Complete):
        return None
    shown = (STEPS if header.script == "planner" else WAVE_STEPS)[header.step - 1]
    return follows(ran) if shown.endswith(Block.ROUTE) or shown in (EXEC_INIT, WAVE_NEXT) else shown


def follows(ran: Ran) -> str:
    """Return the step whose command a page shows at its end."""
    after = parse(ran.out).blocks[-1]
    assert isinstance(after, InvokeAfter), ran.out
    assert after.invoke is not None
    command = after.invoke.command
    return (STEPS if command.module == PLANNER else WAVE_STEPS)[int(command.words[1]) - 1]


def passes(state_dir: str, row: PhaseSpec) -> bool:
    """Return True if the gate of the phase is recorded as passed."""
    return RunState(state_dir).run.gate(row.phase) is not None


def change_plan(state_dir: str, by: Callable[[Plan], Plan]) -> None:
    """Change plan.json without a command."""
    plan_store(state_dir).change(lambda plan: (by(plan), None))


def renamed(name: str) -> Callable[[Plan], Plan]:
    """Return a change of the first milestone's name."""
    return lambda plan: evolve(plan, milestones=(evolve(plan.milestones[0], name=name), *plan.milestones[1:]))


def review_of(state_dir: str, row: PhaseSpec) -> Review:
    """Return the review of a phase."""
    return review_store(state_dir, row.phase).load()


def through(state_dir: str, row: PhaseSpec) -> Ran:
    """Lead a phase through its first round, which passes, and return its gate's output."""
    ran = submit(state_dir, row)
    assert ran.status == 0, ran.out
    reviewed(state_dir, row, PASSED)
    return gate(state_dir, row)


def approved(folder: Path) -> str:
    """Make a run whose plan has passed its three phases and is approved; return its state directory."""
    state_dir = at_work(folder, PLANNING[0])
    for row in PLANNING:
        assert through(state_dir, row).status == 0
    return state_dir
