"""The whole of incoherence by a simulated agent with sub-agents, and by one without."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Complete, CurrentAction, Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.prompts.markdown import read_front_matter
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Page, Reader, option
from lib.workflow.types import AgentRole, Outcome
from skills.incoherence.due import MODULE, STEPS
from skills.incoherence.facts import sources
from skills.incoherence.files import run_store
from skills.incoherence.record import Run as Record
from skills.incoherence.record import Source, SourceKind
from skills.incoherence.rehearsal import Finder, step_of
from skills.incoherence.staging import begin
from skills.incoherence.standing import Progress
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
        return [{"candidate": each.id, "dive": False, "why": "users do not meet it"} for each in run.candidates]


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


def test_it_has_twenty_one_steps() -> None:
    assert tuple(WORKFLOW.steps) == STEPS
    assert len(STEPS) == 21


def test_every_step_is_read_in_a_run_by_the_role_that_owns_it(visited: list[Page]) -> None:
    read = {STEPS[page.header.step - 1]: page.role for page in visited}
    assert read.keys() == set(STEPS)
    assert read == {step: AGENTS.get(step, AgentRole.ORCHESTRATOR) for step in STEPS}


def test_every_contradiction_is_decided_and_fixed_after_one_failed_check(visited: list[Page]) -> None:
    run = run_store(option(visited[0].command, "--state-dir")).load()
    assert [each.answer for each in run.questions] == ["4 MiB: change README.md"] * 2
    assert [(each.wave, each.progress, each.tries) for each in run.tasks] == [
        (1, Progress.ACCEPTED, 2),
        (2, Progress.ACCEPTED, 1),
    ]
    assert isinstance(visited[-1].document.blocks[-1], Complete)


@pytest.mark.parametrize("step", ["pose", "settle", "launch", "collect", "next"])
def test_repeated_step_prints_its_method_once_and_then_a_command(visited: list[Page], step: str) -> None:
    first, *later = (page for page in visited if step_of(page) == step)
    assert later
    whole = WORKFLOW.command(step, {"state_dir": option(first.command, "--state-dir"), "whole": True})
    for page, known in ((first, False), *((page, True) for page in later)):
        actions = [block for block in page.document.blocks if isinstance(block, CurrentAction)]
        shown = [node.command for block in actions for node in walk(block) if isinstance(node, Invoke)]
        assert (whole in shown) is known


def test_the_last_answer_of_a_batch_leads_to_the_rules_at_once(visited: list[Page]) -> None:
    own = [page for page in visited if page.role is AgentRole.ORCHESTRATOR]
    after = [page for page in own if "--answer" in page.command.words]
    assert [step_of(page) for page in after] == ["settle", "settle"]


def test_a_bar_in_a_path_does_not_shift_the_columns(tmp_path: Path) -> None:
    begin("dimensions", str(tmp_path))
    store = run_store(str(tmp_path))
    source = Source(id="S|1", kind=SourceKind.CODE, path="src/a|b.py")
    store.change(lambda run: (evolve(run, sources=(source,)), None))
    context = WORKFLOW.context("dimensions", {"state_dir": str(tmp_path)})
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
    assert {page.header.step for page in alone} == set(range(1, 22))
    ends = [run_store(option(each[0].command, "--state-dir")).load() for each in (visited, alone)]
    assert ends[0] == ends[1]


def test_run_without_candidates_goes_to_its_report(tmp_path: Path) -> None:
    seen = rehearse(tmp_path, Unmoved())
    assert [STEPS[page.header.step - 1] for page in seen if page.role is AgentRole.ORCHESTRATOR] == [
        *("survey", "dimensions", "dispatch", "select", "close")
    ]


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
    [("sweep", ("--dimension", "docs-code")), ("dig", ("--candidate", "C-001")), ("apply", ("--task", "T-001"))],
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
