"""A local run goes on by its record, or is refused before any work."""

import asyncio
import os
import shutil
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs.rehearsing import Rehearsal
from lib.workflow.app.runs.reports import adopt
from lib.workflow.command import LAUNCHER_VARIABLE, Command
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.engine import Ended, LocalEngine, State, entries, spec_of
from lib.workflow.run.graphs import Graphs, Step, reached
from lib.workflow.run.journal.journal import JOURNAL, Event, line_of
from lib.workflow.run.journal.refusals import ChangedWorkflowError, MisfitError
from tests.run.engines import Locally, Play, gone, outcome, rehearsed
from tests.run.runs import KNOWN

SURVEY = KNOWN.workflows["tests.workflows.survey.run"]
PLANNER = KNOWN.workflows["skills.planner.orchestrator.planner"]
HERE = Locally()
PYTHONS = ("'/My Docs/python' -P", "uv run python")


def cut(play: Play, steps: int = 1000, agents: int = 1000) -> Ended:
    """Return the end of a session with that many steps and agent launches; the next one gets no reply."""
    agent, run_step = play.cast.agent, play.cast.run_step
    left = {"steps": steps, "agents": agents}

    def one(kind: str) -> None:
        left[kind] -= 1
        if left[kind] < 0:
            raise asyncio.CancelledError

    class Cut:
        async def work(self, attempt: Attempt) -> str:
            one("agents")
            return await agent.work(attempt)

    async def step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        one("steps")
        return await run_step(command, given, environment)

    return asyncio.run(gone(HERE, evolve(play, cast=play.cast._replace(agent=Cut(), run_step=step))))


def files(folder: str | Path) -> Mapping[str, bytes]:
    """Return the content of a folder."""
    return {str(path): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def results(play: Play) -> list[str]:
    return [each.key for each in entries(play.run) if each.event in (Event.STEP, Event.REPLIED)]


@pytest.mark.parametrize("python", PYTHONS)
def test_run_resumes_with_another_interpreter_without_repeating_work(
    python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = rehearsed(SURVEY, tmp_path)
    agent, prompts = play.cast.agent, list[str]()

    class Listening:
        async def work(self, attempt: Attempt) -> str:
            prompts.append(attempt.job.prompt)
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Listening()))
    assert cut(play, agents=2).state is State.INTERRUPTED
    spec = spec_of(play.run, entries(play.run))
    monkeypatch.setenv(LAUNCHER_VARIABLE, python)
    assert spec_of(play.run, entries(play.run)) == spec
    assert cut(play, agents=1).state is State.INTERRUPTED
    monkeypatch.delenv(LAUNCHER_VARIABLE)
    assert asyncio.run(gone(HERE, play)).state is State.DONE
    assert len(results(play)) == len(set(results(play)))


def test_prompts_after_a_change_of_interpreter_name_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = rehearsed(PLANNER, tmp_path)
    old = str(Command("x")).removesuffix(" -m x")
    assert cut(play, agents=3).state is State.INTERRUPTED
    before = files(tmp_path / "driver" / "agents")
    monkeypatch.setenv(LAUNCHER_VARIABLE, PYTHONS[0])
    agent, prompts = play.cast.agent, list[str]()

    class Listening:
        async def work(self, attempt: Attempt) -> str:
            prompts.append(attempt.job.prompt)
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Listening()))
    assert asyncio.run(gone(HERE, play)).state is State.DONE
    assert any(PYTHONS[0] in prompt for prompt in prompts)
    assert not any(f"{old} -m" in prompt for prompt in prompts)
    assert before.keys() <= files(tmp_path / "driver" / "agents").keys()


def changed(play: Play, event: Event, **more: str) -> None:
    """Change the first entry of a kind in the journal."""
    past = list(entries(play.run))
    at = next(number for number, each in enumerate(past) if each.event is event)
    past[at] = evolve(past[at], **more)  # type: ignore[arg-type]
    Path(play.run, JOURNAL).write_text("".join(f"{line_of(each)}\n" for each in past))


@pytest.mark.parametrize(
    ("event", "more"),
    [
        (Event.STEP, {"command": str(Command(SURVEY.module, ("--step", "2")))}),
        (Event.STEP, {"command": str(Command("skills.deepthink.think", ("--step", "1")))}),
        (Event.REPLIED, {"command": str(Command(SURVEY.module, ("--step", "3")))}),
        (Event.REPLIED, {"text": ""}),
    ],
)
def test_a_record_that_does_not_fit_is_refused_before_anything_is_done(
    event: Event, more: dict[str, str], tmp_path: Path
) -> None:
    play = rehearsed(SURVEY, tmp_path)
    assert cut(play, agents=3).state is State.INTERRUPTED
    whole = Path(play.run, JOURNAL).read_bytes()
    changed(play, event, **more)
    before = files(tmp_path)
    with pytest.raises(MisfitError):
        asyncio.run(gone(HERE, evolve(play, cast=play.cast._replace(run_step=never))))
    assert files(tmp_path) == before
    Path(play.run, JOURNAL).write_bytes(whole)
    assert asyncio.run(gone(HERE, play)).state is State.DONE


async def never(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
    raise AssertionError(f"{command} was run")


class Changed:
    """The same workflows, of which some have other steps."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = frozenset(modules)
        self.accept = KNOWN.accept

    @cached_property
    def graphs(self) -> Graphs:
        more = Step(id="more", takes=(), ways=(), agents=())
        scripts = tuple(
            evolve(script, steps=(*script.steps, more)) if script.module in self._modules else script
            for script in KNOWN.graphs.scripts
        )
        return evolve(KNOWN.graphs, scripts=scripts)


def test_run_whose_workflow_has_changed_resumes_only_if_confirmed(tmp_path: Path) -> None:
    play = rehearsed(PLANNER, tmp_path)
    assert cut(play, agents=3).state is State.INTERRUPTED
    architect = next(each.command for each in entries(play.run) if "architect" in each.command)
    before = files(tmp_path)
    for module in (PLANNER.module, Command.read(architect).module):
        with pytest.raises(ChangedWorkflowError, match=module) as refused:
            asyncio.run(LocalEngine(Changed([module]), play.cast).go(play.run, play.spec))
        assert "resume" in refused.value.fix
        assert "--changed" in refused.value.fix
    assert files(tmp_path) == before
    new = Changed([PLANNER.module])
    agents = play.cast._replace(agent=Stopping(play, 2))
    assert asyncio.run(LocalEngine(new, agents, changed=True).go(play.run, play.spec)).state is State.INTERRUPTED
    assert asyncio.run(LocalEngine(new, play.cast).go(play.run, play.spec)).state is State.DONE


class Stopping:
    """An agent that ends the session at its launch, after that many others."""

    def __init__(self, play: Play, after: int) -> None:
        self._agent, self._left = play.cast.agent, after

    async def work(self, attempt: Attempt) -> str:
        self._left -= 1
        if self._left < 0:
            raise asyncio.CancelledError
        return await self._agent.work(attempt)


def test_change_of_an_unrelated_workflow_does_not_stop_a_run(tmp_path: Path) -> None:
    play = rehearsed(SURVEY, tmp_path)
    assert cut(play, agents=2).state is State.INTERRUPTED
    others = Changed(set(KNOWN.workflows) - reached(KNOWN.graphs, [SURVEY.module]))
    assert asyncio.run(LocalEngine(others, play.cast).go(play.run, play.spec)).state is State.DONE


def test_retry_after_an_interruption_is_warned_and_has_its_own_files(tmp_path: Path) -> None:
    play = rehearsed(SURVEY, tmp_path)
    assert cut(play, agents=0).state is State.INTERRUPTED
    agent, attempts = play.cast.agent, list[Attempt]()

    class Listening:
        async def work(self, attempt: Attempt) -> str:
            attempts.append(attempt)
            return await agent.work(attempt)

    assert asyncio.run(gone(HERE, evolve(play, cast=play.cast._replace(agent=Listening())))).state is State.DONE
    assert [each.number for each in attempts] == [2, *[1] * (len(attempts) - 1)]
    prompts = ["did not finish" in each.job.prompt for each in attempts]
    assert prompts == [True, *[False] * (len(attempts) - 1)]
    assert "half done" in attempts[0].job.prompt


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Make a run of the planner in its project that was interrupted while its agents were at work."""
    project = tmp_path / "one"
    (project / ".stepscript" / "runs").mkdir(parents=True)
    monkeypatch.chdir(project)
    play = rehearsed(PLANNER, project / ".stepscript" / "runs" / "x")
    play = evolve(play, agent=str(Rehearsal()))
    assert cut(play, agents=6).state is State.INTERRUPTED
    return play


def copied(play: Play, tmp_path: Path) -> Play:
    """Return the same run in a copy of its project."""
    (tmp_path / "My Docs").mkdir()
    shutil.copytree(tmp_path / "one", tmp_path / "My Docs" / "it's é")
    return evolve(play, folder=tmp_path / "My Docs" / "it's é" / ".stepscript" / "runs" / "x")


def test_a_copied_run_that_the_user_agrees_to_leaves_the_original_alone(
    begun: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = copied(begun, tmp_path)
    before = files(tmp_path / "one")
    monkeypatch.chdir(copy.folder)
    assert main(["resume", "x"]) == 1
    assert "--trust" in capsys.readouterr().err
    assert main(["resume", "x", "--trust"]) == 0
    assert files(tmp_path / "one") == before
    monkeypatch.chdir(begun.folder)
    assert main(["resume", "x", "--trust"]) == 0
    assert outcome(copy) == outcome(begun)


def test_prompts_of_a_copied_run_name_no_path_of_the_original(begun: Play, tmp_path: Path) -> None:
    copy = copied(begun, tmp_path)
    adopt(str(copy.folder))
    agent, prompts = copy.cast.agent, list[str]()

    class Listening:
        async def work(self, attempt: Attempt) -> str:
            prompts.append(attempt.job.prompt + attempt.job.command)
            return await agent.work(attempt)

    copy = evolve(copy, cast=copy.cast._replace(agent=Listening()))
    ended = asyncio.run(LocalEngine(KNOWN, copy.cast).go(copy.run, spec_of(copy.run, entries(copy.run))))
    assert ended.state is State.DONE
    assert str(copy.folder) in "".join(prompts)
    assert f"{tmp_path}/one" not in "".join(prompts)


def test_moved_run_resumes_after_one_question(
    begun: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    os.rename(tmp_path / "one", tmp_path / "My Docs")
    monkeypatch.chdir(tmp_path / "My Docs")
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return "y"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", answer)
    assert main(["resume", "x"]) == 0
    assert len(asked) == 1
    assert not (tmp_path / "one").exists()
