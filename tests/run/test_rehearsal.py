"""Whole runs by the driver: every workflow ends, and no fault of agents leads to a false result."""

import asyncio
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterable
from itertools import count, cycle
from pathlib import Path

import pytest
from attrs import field, mutable

from lib.workflow.app.skills.start_commands import starts_by_hand
from lib.workflow.command import LAUNCHER_VARIABLE
from lib.workflow.core import Workflow
from lib.workflow.discovery import Found, search
from lib.workflow.run.engine import State
from lib.workflow.run.faults import Fault
from skills.planner.limits import MAX_GRANTS, MAX_LAPS, MAX_ROUNDS
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.review.difference import item
from skills.planner.schema.choice import Choice
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import PassedGate, Round
from skills.planner.simulation.builder import Builder
from skills.planner.simulation.plan import CHECK, PLAN
from skills.planner.simulation.planner import ITEMS, At, ids_of
from skills.planner.simulation.project import git, read
from skills.planner.state.files import digest_of
from skills.planner.state.run_state import RunState
from tests.run.runs import cast, rehearse, rehearsed
from tests.subjects import PROOF

SKILLS = [each for each in search("skills")[0] if starts_by_hand(each)]
OTHERS = [each for each in SKILLS if each.workflow.module not in (PLANNER, EXECUTOR)]
"""The skills that the tests below do not drive with agents that misbehave."""
LAUNCHERS = ("'/My Docs/Ünï/python' -P", "env A=b '/x y/python' -P", "uv run python")
PLANNING: list[At] = [(phase, None, 1) for phase in (Phase.PLAN_DESIGN, Phase.PLAN_CODE, Phase.PLAN_DOCS)]
ALL = frozenset(ids_of(ITEMS))
STANDING = frozenset({"qa-001", "qa-002", "qa-003"})
"""Review items of a wave whose diffs were applied as approved."""
AGAIN = frozenset({"check-001", item(1).id})
"""Review items of a lap that fixes the failed check of the project: that check, and the difference."""
EVERY = 11
"""Seed with which agents commit each fault in both workflows, and both ask the user at a gate."""
CASES = [
    *((seed, None) for seed in (0, EVERY)),
    *((6, fault) for fault in (Fault.FAIL, Fault.NONSENSE)),  # the others change no record
    *(pytest.param(seed, fault, marks=pytest.mark.soak) for seed in range(7, 207) for fault in (None, *Fault)),
]
Failed = list[tuple[At, int, frozenset[str]]]


def named(value: Found | str) -> str | None:
    return None if isinstance(value, str) else value.workflow.name


@pytest.mark.parametrize("skill", OTHERS, ids=lambda skill: skill.workflow.name)
def test_every_skill_is_driven_to_its_end_with_random_agents(skill: Found, tmp_path: Path) -> None:
    agent, user = cast(skill.workflow, 5, tuple(Fault))
    assert rehearse(skill.workflow, tmp_path, agent, user).state is State.DONE


@pytest.mark.parametrize(("skill", "launcher"), list(zip(SKILLS, cycle(LAUNCHERS), strict=False)), ids=named)
def test_every_skill_is_driven_to_its_end_with_an_odd_interpreter_name(
    skill: Found, launcher: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, launcher)
    agent, user = cast(skill.workflow)
    assert rehearse(skill.workflow, tmp_path / "Mein Ördner", agent, user).state is State.DONE


def driven(workflow: Workflow, seed: int, fault: Fault | None, folder: Path) -> tuple[Builder, RunState, set[Fault]]:
    """Return the simulated agents of a finished run, its state, and its faults besides reviews."""
    faults = tuple(Fault) if fault is None else (fault,)
    agent, user = cast(workflow, seed, faults)
    ended = rehearse(workflow, folder, agent, user)
    assert ended.state is State.DONE, ended.text
    misbehaved = {fault for _, fault in agent.misbehaved}
    assert misbehaved <= set(faults)
    if seed == EVERY and fault is None:
        assert misbehaved == set(Fault) - {Fault.FAIL}  # reviews fail by what `Expected` says
    assert isinstance(agent.mind, Builder)
    return agent.mind, RunState(str(folder)), misbehaved


@mutable
class Expected:
    """The expected record: reviewers judge items that have not passed, and each difference; then the user is asked."""

    mind: Builder
    passed: list[At] = field(factory=list)
    failed: Failed = field(factory=list)
    accepted: list[tuple[At, frozenset[str]]] = field(factory=list)
    broken: list[int] = field(factory=list)
    """The laps in which the project's check has failed."""
    aborted: bool = False
    asked: Counter[str] = field(factory=Counter)

    def review(self, at: At, items: frozenset[str]) -> None:
        last = MAX_ROUNDS
        for iteration in count(1):
            items = frozenset(name for name in items if self.finds(at, name, iteration))
            choice = (
                self.choose(f"The last round of {at[0]} has failed. How should the run continue?", last - MAX_ROUNDS)
                if (items and iteration == last)
                else None
            )
            if choice is Choice.ABORT:
                self.aborted = True
                return
            if items:
                self.failed.append((at, iteration, items))
            if choice is Choice.ACCEPT:
                self.accepted.append((at, items))
            if choice is Choice.ACCEPT or not items:
                self.passed.append(at)
                return
            last += choice is Choice.GRANT
            items |= {item(iteration + 1).id}

    def finds(self, at: At, name: str, iteration: int) -> bool:
        """Return True by chance, or, in the project's files, once in the code of the first wave."""
        if self.mind.fails or at in PLANNING:
            return bool(self.mind.fault(at, name, iteration))
        return (at, name, iteration) == ((Phase.IMPL_CODE, "W-001", 1), "qa-002", 1)

    def choose(self, text: str, granted: int) -> Choice:
        self.asked[text] += 1
        labels = [each for each in Choice if each is not Choice.GRANT or granted < MAX_GRANTS]
        return Choice(self.mind.choice(text, self.asked[text], labels) if self.mind.fails else labels[0])

    def reviews(self, places: Iterable[tuple[At, frozenset[str]]]) -> None:
        for at, items in places:
            if not self.aborted:
                self.review(at, items)

    def carry_out(self) -> None:
        code, docs = Phase.IMPL_CODE, Phase.IMPL_DOCS
        self.reviews([((code, "W-001", 1), STANDING)])
        if not self.aborted:  # the wave was applied as approved, with its documents
            self.passed.append((docs, "W-001", 1))
        for lap in count(1):
            self.reviews([((code, "W-002", lap), AGAIN if lap > 1 else ALL), ((docs, "W-002", lap), ALL)])
            if self.aborted or (lap > 1 and not self.mind.overlooks(lap)):
                return
            self.broken.append(lap)
            text = f"After the last lap these checks still fail: {CHECK}. How should the run continue?"
            choice = self.choose(text, lap - MAX_LAPS) if lap >= MAX_LAPS else None
            self.aborted = choice is Choice.ABORT
            if choice in (Choice.ABORT, Choice.ACCEPT):
                return


def recorded(rounds: Iterable[Round]) -> Failed:
    return [(each.at, each.iteration, each.failed) for each in rounds]


def accepted(gates: Iterable[PassedGate]) -> list[tuple[At, frozenset[str]]]:
    return [(gate.at, frozenset(gate.accepted)) for gate in gates if gate.accepted]


@pytest.mark.parametrize(("seed", "fault"), CASES)
def test_plan_is_approved_by_its_reviews_with_random_agents(seed: int, fault: Fault | None, tmp_path: Path) -> None:
    mind, state, _ = driven(PROOF.targets.workflows[PLANNER], seed, fault, tmp_path)
    run, expected = state.run, Expected(mind)
    expected.reviews((at, ALL) for at in PLANNING)
    assert [gate.at for gate in run.gates] == expected.passed
    assert (recorded(run.rounds), accepted(run.gates)) == (expected.failed, expected.accepted)
    assert (run.aborted, run.approval is None) == (expected.aborted, expected.aborted)
    if not run.aborted:
        assert run.approval == run.gates[-1].plan_digest == digest_of(state.plan)
        assert [each.name for each in state.plan.milestones] == [each.name for each in PLAN.milestones]


@pytest.mark.parametrize(("seed", "fault"), CASES)
def test_executed_plan_is_recorded_truthfully_with_random_agents(
    seed: int, fault: Fault | None, tmp_path: Path
) -> None:
    mind, state, misbehaved = driven(PROOF.targets.workflows[EXECUTOR], seed, fault, tmp_path)
    run, project, expected = state.run, state.run.project_root, Expected(mind)
    expected.carry_out()
    gates = run.gates[len(PLANNING) :]
    assert [gate.at for gate in gates] == expected.passed
    assert (recorded(run.rounds), accepted(gates)) == (expected.failed, expected.accepted)
    assert [each.lap for each in run.checks if each.failed] == expected.broken
    assert (run.aborted, run.finished) == (expected.aborted, not expected.aborted)
    if not run.finished:
        return
    tested = subprocess.run(shlex.split(CHECK), cwd=project, capture_output=True, check=False)
    assert (tested.returncode != 0) is bool(run.checks[-1].failed)
    log = git(project, "log", "--format=%s").splitlines()
    assert log[-2:] == ["Move", "Begin"]
    if (
        Fault.NONSENSE not in misbehaved
    ):  # an agent that replies `done` without a commit is believed: users may commit themselves
        assert len(log) >= 4
        assert git(project, "status", "--porcelain") == ""
    assert all(read(project, file) for milestone in PLAN.milestones for file in milestone.files)
    assert "Counter" in read(project, "src/api.py")


def test_execution_with_reconcile_reaches_its_end(tmp_path: Path) -> None:
    executor = PROOF.targets.workflows[EXECUTOR]
    agent, user = cast(executor)
    ended = asyncio.run(rehearsed(executor, tmp_path, agent, user, words=("--reconcile",)))
    assert ended.state is State.DONE
    run = RunState(str(tmp_path)).run
    assert (run.reconciling, run.done, run.finished) == (True, (), True)
