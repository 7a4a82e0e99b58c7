"""A command that is killed before any of its writes, and run again, has the same result as without a kill."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.testing.process import Ran
from skills.planner.limits import MAX_ROUNDS
from skills.planner.phases import IMPL_CODE, PLAN_CODE, PLAN_DESIGN, PLAN_DOCS, PhaseSpec
from skills.planner.schema.review.document import ReviewItem
from skills.planner.simulation.project import LIMIT
from skills.planner.state.reviews import review_store
from skills.planner.state.run_state import RunState
from tests.skills.planner import console
from tests.skills.planner.reviewing import (
    FAILED,
    PASSED,
    approved,
    at_work,
    building,
    change_plan,
    gate,
    project,
    renamed,
    reviewed,
    submit,
    through,
)
from tests.skills.planner.runs import handed_in

WRITES = (
    "lib.workflow.state.run_documents.replace_whole",
    "lib.workflow.state.run_documents.remove",
    "skills.planner.execution.snapshots.replace_whole",
    "lib.workflow.state.files.replace_whole",
)


class KilledError(BaseException):
    """The process was killed: nothing catches it."""


class Writes:
    """A counter of a command's writes, which kills it before one of them; never, if that is 0."""

    def __init__(self, patch: pytest.MonkeyPatch, kills: int = 0) -> None:
        self.seen = 0
        self.kills = kills
        for name in WRITES:
            patch.setattr(name, self.counted(name))

    def counted(self, name: str) -> Callable[..., object]:
        module, _, function = name.rpartition(".")
        real: Callable[..., object] = getattr(__import__(module, fromlist=["x"]), function)

        def write(*arguments: object) -> object:
            self.seen += 1
            if self.seen == self.kills:
                raise KilledError
            return real(*arguments)

        return write


def worked(folder: Path) -> str:
    return at_work(folder, PLAN_DESIGN)


def judged(folder: Path, found: Mapping[str, str] = PASSED, row: PhaseSpec = PLAN_DESIGN) -> str:
    state_dir = at_work(folder, row)
    submit(state_dir, row)
    reviewed(state_dir, row, found)
    return state_dir


def failed(folder: Path) -> str:
    state_dir = judged(folder, FAILED)
    gate(state_dir, PLAN_DESIGN)
    return state_dir


def fixed(folder: Path) -> str:
    state_dir = failed(folder)
    change_plan(state_dir, renamed("Another"))
    return state_dir


def changed(folder: Path) -> str:
    state_dir = judged(folder)
    change_plan(state_dir, renamed("Another"))
    return state_dir


def last_round(folder: Path) -> str:
    state_dir = judged(folder, FAILED)
    handed_in(state_dir, PLAN_DESIGN, MAX_ROUNDS)

    def late(item: ReviewItem) -> ReviewItem:
        return evolve(item, judged=MAX_ROUNDS)

    review_store(state_dir, PLAN_DESIGN.phase).change(
        lambda review: (evolve(review, iteration=MAX_ROUNDS, items=tuple(map(late, review.items))), None)
    )
    return state_dir


def owned(folder: Path) -> str:
    """Make a fixed finding of plan-code that belongs to the architect."""
    state_dir = at_work(folder, PLAN_CODE)
    submit(state_dir, PLAN_CODE)
    reviewed(state_dir, PLAN_CODE, FAILED, "--owner", "architect")
    gate(state_dir, PLAN_CODE)
    change_plan(state_dir, renamed("Another"))
    return state_dir


def begun(folder: Path) -> str:
    """Make a run that reviews the phase after the first."""
    state_dir = at_work(folder, PLAN_DESIGN)
    through(state_dir, PLAN_DESIGN)
    submit(state_dir, PLAN_CODE)
    reviewed(state_dir, PLAN_CODE, FAILED)
    return state_dir


def built(folder: Path) -> str:
    state_dir = building(folder)
    (project(state_dir) / LIMIT).write_text("LIMIT = 10\n")
    return state_dir


def built_and_judged(folder: Path, found: Mapping[str, str] = PASSED) -> str:
    state_dir = built(folder)
    submit(state_dir, IMPL_CODE)
    reviewed(state_dir, IMPL_CODE, found)
    return state_dir


def last_round_of_wave(folder: Path) -> str:
    state_dir = built_and_judged(folder, FAILED)
    handed_in(state_dir, IMPL_CODE, MAX_ROUNDS)

    def late(item: ReviewItem) -> ReviewItem:
        return evolve(item, judged=MAX_ROUNDS)

    review_store(state_dir, IMPL_CODE.phase).change(
        lambda review: (evolve(review, iteration=MAX_ROUNDS, items=tuple(map(late, review.items))), None)
    )
    return state_dir


Act = Callable[[str], Ran | console.Ran]
COMMANDS: Mapping[str, tuple[Callable[[Path], str], Act, int]] = {
    "a first hand-in": (worked, lambda run: submit(run, PLAN_DESIGN), 0),
    "the hand-in of a fix": (fixed, lambda run: submit(run, PLAN_DESIGN), 0),
    "a hand-in that contests": (failed, lambda run: submit(run, PLAN_DESIGN, "--contest", "qa-002", "--case", "x"), 0),
    "a hand-in of what was changed after its review": (changed, lambda run: submit(run, PLAN_DESIGN), 0),
    "a hand-in for another phase": (owned, lambda run: submit(run, PLAN_DESIGN), 0),
    "a gate that passes": (judged, lambda run: gate(run, PLAN_DESIGN), 0),
    "a gate that keeps the diffs": (
        lambda folder: judged(folder, PASSED, PLAN_CODE),
        lambda run: gate(run, PLAN_CODE),
        0,
    ),
    "a gate that approves": (lambda folder: judged(folder, PASSED, PLAN_DOCS), lambda run: gate(run, PLAN_DOCS), 0),
    "a gate that fails": (lambda folder: judged(folder, FAILED), lambda run: gate(run, PLAN_DESIGN), 0),
    "an acceptance": (last_round, lambda run: gate(run, PLAN_DESIGN, accept_findings=True), 0),
    "a grant": (last_round, lambda run: gate(run, PLAN_DESIGN, grant_round=True), 0),
    "the end of a run": (last_round, lambda run: gate(run, PLAN_DESIGN, abort=True), 0),
    "the hand-in of a wave": (built, lambda run: submit(run, IMPL_CODE), 0),
    "the gate of a wave": (built_and_judged, lambda run: gate(run, IMPL_CODE), 0),
    "an acceptance in a wave": (last_round_of_wave, lambda run: gate(run, IMPL_CODE, accept_findings=True), 0),
    "a phase that is taken back": (begun, lambda run: console.plan(run, "reopen", "plan-design", "--reason", "x"), 0),
    "an approval that is taken back": (
        approved,
        lambda run: console.plan(run, "reopen", "plan-docs", "--reason", "x"),
        0,
    ),
    "a depth": (worked, lambda run: console.plan(run, "set-depth", "light"), 0),
}


def left(folder: Path, state_dir: str) -> Mapping[str, str]:
    """Return the state files of the run, in any place. Copies that were never recorded do not count."""
    found = (path for path in sorted(Path(state_dir).iterdir()) if path.suffix in (".json", ".md"))
    return {path.name: path.read_text(encoding="utf-8").replace(str(folder), "") for path in found}


@pytest.mark.parametrize("name", COMMANDS)
def test_command_killed_and_run_again_leaves_the_same_state(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, act, status = COMMANDS[name]

    def run(folder: Path, kills: int) -> tuple[str, int]:
        folder.mkdir()
        state_dir = prepare(folder)
        with monkeypatch.context() as patch:
            writes = Writes(patch, kills)
            if kills:
                with pytest.raises(KilledError):
                    act(state_dir)
            else:
                assert act(state_dir).status == status
        return state_dir, writes.seen

    clean, writes = run(tmp_path / "clean", 0)
    assert writes
    expected = left(tmp_path / "clean", clean)
    for number in range(1, writes + 1):
        folder = tmp_path / f"killed {number}"
        state_dir, _ = run(folder, number)
        assert act(state_dir).status == status, (name, number)
        assert left(folder, state_dir) == expected, (name, number)
        assert RunState(state_dir).run.project_root.startswith(str(folder))
