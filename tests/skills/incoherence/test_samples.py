"""Samples on the pages are legal as printed: an agent that records only them reaches the end."""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Complete
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, option
from skills.incoherence.due import MODULE
from skills.incoherence.files import run_store
from skills.incoherence.record import Named, Verdict
from skills.incoherence.record import Run as Record
from skills.incoherence.rehearsal import Finder, commands_on_state, step_of
from skills.incoherence.standing import Progress, Standing

IDS = {
    "dimensions": "sources",
    "format": "dimension",
    "report": "candidate",
    "select": "candidate",
    "verdicts": "candidate",
    "pose": "candidates",
    "settle": "question",
    "plan": "questions",
    "collect": "task",
}
"""Steps whose input names entries of the run, and the key that holds their ids."""


def sample_of(page: Page) -> str:
    """Return the indented paragraph below the first command that reads standard input."""
    command = str(next(each for each in commands_on_state(page) if each.words[-1] == "-"))
    text = "\n\n".join(node.value for node in walk(page.document) if isinstance(node, Text))
    _, _, below = text.partition(command)
    paragraph = next(part for part in below.split("\n\n") if part.startswith("    "))
    return "\n".join(line[4:] for line in paragraph.split("\n"))


class Copyist(Finder):
    """An agent that records the sample of each page, word for word."""

    def work(self, page: Page) -> None:
        self.sample = sample_of(page) if hasattr(self, step_of(page)) else ""
        super().work(page)

    def given(self, run: Record | None, command: Command) -> object:
        return json.loads(self.sample) if self.sample[0] in "[{" else self.sample

    survey = dimensions = format = select = report = verdicts = pose = settle = plan = apply = collect = given


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    reader = Reader(Copyist(), run_here)
    reader.read(Command(MODULE, ("--step", "1", "--state-dir", str(tmp_path_factory.mktemp("run") / "a"))))
    return reader.visited


def test_samples_alone_lead_to_the_end(pages: list[Page]) -> None:
    assert isinstance(pages[-1].document.blocks[-1], Complete)
    run = run_store(option(pages[0].command, "--state-dir")).load()
    assert [(each.standing, each.verdict) for each in run.candidates] == [(Standing.SELECTED, Verdict.INCOHERENT)]
    assert {(each.wave, each.progress) for each in run.tasks} == {(1, Progress.ACCEPTED), (2, Progress.ACCEPTED)}


class Witness(Finder):
    """An agent that notes which ids each sample names, and which ids wait at that moment."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, set[str], set[str]]] = []

    def work(self, page: Page) -> None:
        step, run = step_of(page), run_store(option(page.command, "--state-dir")).find()
        if run and step in IDS:
            named = [entry[IDS[step]] for entry in json.loads(sample_of(page))]
            self.seen.append((step, {*chain(*named)} if isinstance(named[0], list) else {*named}, waiting(run, step)))
        super().work(page)


def waiting(run: Record, step: str) -> set[str]:
    entries: Mapping[str, Sequence[Named]] = {
        "dimensions": run.sources,
        "format": run.open_sweeps(),
        "report": run.to_dive(),
        "select": run.of(Standing.FOUND),
        "verdicts": run.to_judge(),
        "pose": run.to_pose(),
        "settle": run.to_settle(),
        "plan": run.to_change(),
        "collect": run.tasks_of(Progress.DELIVERED, run.wave()),
    }
    return {each.id for each in entries[step]}


def test_in_each_round_a_sample_names_entries_that_wait(tmp_path: Path) -> None:
    mind = Witness()
    Reader(mind, run_here).read(Command(MODULE, ("--step", "1", "--state-dir", str(tmp_path / "a"))))
    assert {step for step, _, _ in mind.seen} == IDS.keys()
    assert len(mind.seen) > len(IDS), "no step came twice"
    for step, named, waits in mind.seen:
        assert named, step
        assert named <= waits, step
