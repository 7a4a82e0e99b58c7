"""The whole of incoherence by a simulated agent with sub-agents, and by one without."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Complete, CurrentAction, Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.prompts.markdown import read_front_matter
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, option
from lib.workflow.types import AgentRole, Outcome
from skills.incoherence.commands import examples
from skills.incoherence.commands.slips import OPTIONS
from skills.incoherence.due import MODULE, STEPS
from skills.incoherence.files import run_store
from skills.incoherence.pages.facts import examined, sources
from skills.incoherence.record import Run as Record
from skills.incoherence.record import Source, SourceKind, Sweep
from skills.incoherence.rehearsal import Finder, step_of
from skills.incoherence.staging import begin
from skills.incoherence.standing import Progress, Standing
from skills.incoherence.workflow import WORKFLOW
from tests.blocks import only
from tests.subjects import ROOT

AGENTS = {
    **dict.fromkeys(("sweep", "coverage", "gaps", "format", "dig", "report"), AgentRole.GENERAL_PURPOSE),
    "apply": AgentRole.DEVELOPER,
}


class Alone(Finder):
    """An agent that does its agents' work itself."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        return Outcome.SKIP if step_of(page) in ("dispatch", "dive", "launch") else Outcome.OK


class Unmoved(Finder):
    """An agent that finds nothing worth a check."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        return Outcome.SKIP if step_of(page) == "select" else Outcome.OK

    def select(self, run: Record, command: Command) -> object:
        waiting = run.of(Standing.FOUND)
        return [{"candidate": each.id, "dive": False, "why": "users do not meet it"} for each in waiting]


class Unslipped(Unmoved):
    """An agent that finds no slip either."""

    def format(self, run: Record, command: Command) -> object:
        return [{"dimension": each.dimension, "searched": "all", "found": []} for each in run.open_sweeps()]


class OneByOne(Finder):
    """An agent that asks about one candidate at a time, so that there are two batches."""

    def pose(self, run: Record, command: Command) -> object:
        (asked,) = json.loads(examples.QUESTIONS)
        waiting = [each for each in run.to_pose() if each.standing is not Standing.SLIP]
        return [{**asked, "candidates": [waiting[0].id]}]


class Failing(Finder):
    """An agent whose first task fails for good."""

    def collect(self, run: Record, command: Command) -> object:
        delivered = run.tasks_of(Progress.DELIVERED, run.wave())
        return [{"task": each.id, "good": each.id != "T-001", "why": "README.md:60"} for each in delivered]


class Agentless(Reader):
    """A reader in a client that launches no agents."""

    def _launch(self, page: Page) -> Iterator[str]:
        return iter(())


def rehearse(folder: Path, mind: Finder, kind: type[Reader] = Reader) -> list[Page]:
    state_dir = str(folder / "it's a $run é")
    reader = kind(mind, run_here)
    reader.read(Command(MODULE, ("--step", "1", "--state-dir", state_dir)))
    return reader.visited


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    """Return every page of a run with agents."""
    return rehearse(tmp_path_factory.mktemp("run"), Finder())


@pytest.fixture(scope="module")
def one_by_one(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    """Return every page of a run with two batches of questions."""
    return rehearse(tmp_path_factory.mktemp("run"), OneByOne())


def test_it_has_twenty_one_steps() -> None:
    assert tuple(WORKFLOW.steps) == STEPS
    assert len(STEPS) == 21


def read(pages: list[Page]) -> dict[str, AgentRole]:
    return {STEPS[page.header.step - 1]: page.role for page in pages}


def test_every_step_is_read_in_a_run_by_the_role_that_owns_it(visited: list[Page]) -> None:
    assert read(visited) == {step: AGENTS.get(step, AgentRole.ORCHESTRATOR) for step in STEPS if step != "next"}


def test_page_between_waves_is_printed_only_after_a_failed_task(tmp_path: Path) -> None:
    pages = rehearse(tmp_path, Failing())
    assert read(pages).keys() == set(STEPS)
    (page,) = (page for page in pages[-4:] if step_of(page) == "next")
    shown = [node.value for node in walk(page.document) if isinstance(node, Text)]
    assert "T-001 | " in "".join(shown)
    assert isinstance(pages[-1].document.blocks[-1], Complete)


def test_every_contradiction_is_decided_and_fixed_after_one_failed_check(visited: list[Page]) -> None:
    run = run_store(option(visited[0].command, "--state-dir")).load()
    assert [each.answer for each in run.questions] == ["4 MiB: change README.md"] * 2 + [OPTIONS[0]]
    assert [(each.wave, each.progress, each.tries) for each in run.tasks] == [
        (1, Progress.ACCEPTED, 2),
        (2, Progress.ACCEPTED, 1),
        (2, Progress.ACCEPTED, 1),
    ]
    assert isinstance(visited[-1].document.blocks[-1], Complete)


@pytest.mark.parametrize("step", ["pose", "ask", "settle", "launch", "collect"])
def test_repeated_step_prints_its_method_once_and_then_a_command(one_by_one: list[Page], step: str) -> None:
    first, *later = (page for page in one_by_one if step_of(page) == step)
    assert later
    whole = WORKFLOW.command(step, {"state_dir": option(first.command, "--state-dir"), "whole": True})
    for page, known in ((first, False), *((page, True) for page in later)):
        actions = [block for block in page.document.blocks if isinstance(block, CurrentAction)]
        shown = [node.command for block in actions for node in walk(block) if isinstance(node, Invoke)]
        assert (whole in shown) is known


def test_question_that_waited_for_an_answer_is_asked_in_a_further_round(one_by_one: list[Page]) -> None:
    assert [step_of(page) for page in one_by_one if step_of(page) in ("pose", "ask", "settle")] == [
        *("pose", "ask", "settle"),
        *("pose", "ask", "settle"),
    ]


def test_the_last_answer_of_a_batch_leads_to_the_rules_at_once(one_by_one: list[Page]) -> None:
    after = [page for page in one_by_one if "--answers-file" in page.command.words]
    assert [step_of(page) for page in after] == ["settle", "settle"]


def test_a_bar_in_a_path_does_not_shift_the_columns(tmp_path: Path) -> None:
    begin("sweep", str(tmp_path))
    store = run_store(str(tmp_path))
    source = Source(id="S|1", kind=SourceKind.CODE, path="src/a|b.py")
    sweep = Sweep(dimension="limits", sources=("S|1",))
    store.change(lambda run: (evolve(run, sources=(source,), sweeps=(sweep,)), None))
    context = WORKFLOW.context("sweep", {"state_dir": str(tmp_path), "dimensions": "limits"})
    assert dict(sources(context))["S|1"] == "S\\|1 | code | src/a\\|b.py"


def test_sweep_can_be_shown_by_its_id(tmp_path: Path) -> None:
    begin("select", str(tmp_path))
    ran = run_here(Command("skills.incoherence.state", ("--state-dir", str(tmp_path), "show", "docs-code")))
    assert ran.status == 0
    assert "searched" in ran.out


def test_agents_get_their_part_by_command_and_no_prompt(visited: list[Page]) -> None:
    prompts = {page.prompt for page in visited if page.role is not AgentRole.ORCHESTRATOR}
    assert prompts == {""}


def test_run_without_agents_takes_all_steps_to_the_same_end(visited: list[Page], tmp_path: Path) -> None:
    alone = rehearse(tmp_path, Alone(), Agentless)
    assert {page.role for page in alone} == {AgentRole.ORCHESTRATOR}
    assert read(alone).keys() == read(visited).keys()
    ends = [run_store(option(each[0].command, "--state-dir")).load() for each in (visited, alone)]
    assert ends[0] == ends[1]


def own(pages: list[Page]) -> list[str]:
    return [step_of(page) for page in pages if page.role is AgentRole.ORCHESTRATOR]


def test_run_without_candidates_goes_to_its_report(tmp_path: Path) -> None:
    assert own(rehearse(tmp_path, Unslipped())) == ["survey", "dimensions", "dispatch", "close"]


def test_run_with_slips_alone_asks_about_them(tmp_path: Path) -> None:
    pages = own(rehearse(tmp_path, Unmoved()))
    assert pages[:7] == ["survey", "dimensions", "dispatch", "select", "pose", "ask", "settle"]
    assert not {"dive", "verdicts"} & {*pages}


def test_dimensions_and_candidates_are_shared_among_few_agents(visited: list[Page]) -> None:
    firsts = [page.command.words for page in visited if step_of(page) in ("sweep", "dig")]
    given = [words[words.index(flag) + 1] for words in firsts for flag in ("--dimensions", "--candidates") if flag in words]  # fmt: skip
    assert given == ["docs-code,limits", "C-001,C-002"]


def test_agent_that_is_launched_again_gets_only_what_is_open(tmp_path: Path) -> None:
    begin("dig", str(tmp_path))
    store = run_store(str(tmp_path))
    first, *others = store.load().candidates
    store.change(lambda run: (evolve(run, candidates=(evolve(first, evidence="seen"), *others)), None))
    context = WORKFLOW.context("dig", {"state_dir": str(tmp_path), "candidates": "C-001,C-002"})
    assert [name for name, _ in examined(context)] == ["C-002"]


@pytest.mark.parametrize("step", [step for step in STEPS if step not in AGENTS and step not in ("close", "next")])
def test_out_of_order_step_is_refused_with_the_next_command(visited: list[Page], step: str) -> None:
    state_dir = option(visited[0].command, "--state-dir")
    command = WORKFLOW.command(step, {"state_dir": state_dir})
    ran = run_here(command)
    assert ran.status == 1
    refusal = only(ran.out, Refusal)
    assert refusal.code == "out-of-order"
    assert refusal.invoke is not None
    assert run_here(refusal.invoke.command).status == 0


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("sweep", ("--dimensions", "docs-code")),
        ("dig", ("--candidates", "C-001,C-002")),
        ("apply", ("--task", "T-001")),
    ],
)
def test_agent_step_whose_work_is_recorded_is_refused_without_a_command(
    visited: list[Page], step: str, words: tuple[str, ...]
) -> None:
    state_dir = option(visited[0].command, "--state-dir")
    ran = run_here(Command(MODULE, ("--step", str(STEPS.index(step) + 1), "--state-dir", state_dir, *words)))
    assert ran.status == 1
    refusal = only(ran.out, Refusal)
    assert (refusal.code, refusal.invoke) == ("closed", None)


def test_every_command_of_the_skill_file_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, body = read_front_matter(str(Path(ROOT, "skills", "incoherence", "SKILL.md")))
    lines = [shlex.split(line) for line in body.split("\n") if line.strip().startswith("python3 -m")]
    commands = [Command(words[2], tuple(words[3:])) for words in lines]
    assert {command.module for command in commands} == {MODULE, "skills.incoherence.state"}
    # without a run the state is empty
    assert [run_here(command).status for command in commands] == [0, 0, 1]


def test_flag_that_no_page_names_is_wrong_usage(tmp_path: Path) -> None:
    ran = run_here(Command(MODULE, ("--step", "1", "--state-dir", str(tmp_path), "--thoughts", "x")))
    assert (ran.status, ran.out) == (2, "")
    assert "--thoughts" in ran.errors
