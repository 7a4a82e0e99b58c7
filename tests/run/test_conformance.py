"""Rules for a run with any engine."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.relay import NeedsUserInput
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.driver.jobs import LOST, MOST_ASKED
from lib.workflow.run.engine import State
from lib.workflow.run.faults import Fault
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.local import read_questions
from lib.workflow.run.rehearsal import QUESTIONS
from lib.workflow.run.steps import in_this_process
from lib.workflow.types import AgentRole
from tests.run.engines import Play, Stage, alone, failing, gone, rehearsed
from tests.run.runs import KNOWN

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
SURVEY = KNOWN.workflows["tests.workflows.survey.run"]


def run(stage: Stage, act: Callable[[], Awaitable[None]]) -> None:
    """Run an action while the engine is ready."""

    async def acted() -> None:
        async with stage.serving():
            await act()

    asyncio.run(acted())


def test_runs_at_once_end_like_one_alone(stage: Stage, tmp_path: Path) -> None:
    plays = [rehearsed(SURVEY, tmp_path / f"{number}", 3, (Fault.CRASH, Fault.NONSENSE)) for number in range(8)]

    async def act() -> None:
        ends = await asyncio.gather(*(gone(stage, play) for play in plays))
        assert {end.state for end in ends} == {State.DONE}
        assert {tuple(play.trail) for play in plays} == {tuple(plays[0].trail)}

    run(stage, act)


class Asking:
    """An agent that asks once, and goes on when it has an answer."""

    def __init__(self, play: Play) -> None:
        self._agent = play.cast.agent
        self.prompts: list[str] = []

    async def work(self, attempt: Attempt) -> str:
        if attempt.job.role is AgentRole.EXPLORE and "user_response" not in attempt.job.told:
            return render(QUESTIONS)
        self.prompts.append(attempt.job.told)
        return await self._agent.work(attempt)


def test_question_waits_for_its_answer_across_repeated_resumes(stage: Stage, tmp_path: Path) -> None:
    play = alone(rehearsed(SURVEY, tmp_path))
    asking = Asking(play)
    play = evolve(play, cast=play.cast._replace(agent=asking), max_parallel=1)

    async def act() -> None:
        for number in range(2):
            assert (await gone(stage, play)).state is State.WAITING
            now = await stage.stand(play)
            assert now.state is State.WAITING
            assert read_questions(now.account.questions[0].text) == QUESTIONS
            with pytest.raises(ValueError, match="'9'"):
                await stage.answer(play, ["9"])
            await stage.answer(play, [f"{number + 1}"])
        assert (await gone(stage, play)).state is State.DONE
        with pytest.raises(ValueError, match=str(State.DONE)):
            await stage.answer(play, ["1"])

    run(stage, act)
    said = [prompt for prompt in asking.prompts if "user_response" in prompt and "that" in prompt]
    assert said
    results = Counter(each.key for each in play.events if each.event is Event.REPLIED)
    assert set(results.values()) == {1}


def test_stopped_run_retries_where_it_stopped(stage: Stage, tmp_path: Path) -> None:
    broken = [2]

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        broken[0] -= 1
        return Printed(1, "no print", "") if not broken[0] else await in_this_process(command, given, environment)

    play = rehearsed(ANALYSIS, tmp_path)
    play = evolve(play, cast=play.cast._replace(run_step=run_step))

    async def act() -> None:
        ended = await gone(stage, play)
        assert ended.state is State.STOPPED
        assert "no print" in ended.text
        assert (await stage.stand(play)).state is State.STOPPED
        assert (await gone(stage, play)).state is State.DONE
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)
    steps = Counter(each.key for each in play.events if each.event is Event.STEP)
    assert max(steps.values()) <= 2
    assert steps["1"] == 1


def test_reply_may_hold_any_characters(stage: Stage, tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path)
    agent, prompts = play.cast.agent, []

    class Strange:
        async def work(self, attempt: Attempt) -> str:
            prompts.append(attempt.job.prompt)
            return f"\x00\x1b[31m\ufffe\r\n{await agent.work(attempt)}"

    play = evolve(play, cast=play.cast._replace(agent=Strange()))

    async def act() -> None:
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)
    assert "\\x00" in prompts[-1]
    assert "[31m" not in prompts[-1]


def test_a_lost_agent_is_asked_about_and_tried_again(stage: Stage, tmp_path: Path) -> None:
    play = failing(alone(rehearsed(ANALYSIS, tmp_path)), 3, "no credit")

    async def act() -> None:
        assert (await gone(stage, play)).state is State.WAITING
        asked = (await stage.stand(play)).account.questions[0]
        assert isinstance(read_questions(asked.text), NeedsUserInput)
        assert "no credit" in asked.text
        await stage.answer(play, ["1"])
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)
    failed = [each for each in play.events if each.event is Event.FAILED]
    assert [each.number for each in failed] == [1, 2, 3]


def test_an_agent_that_asks_again_and_again_is_lost_in_the_end(stage: Stage, tmp_path: Path) -> None:
    play = alone(rehearsed(SURVEY, tmp_path))
    agent, asks, launched = play.cast.agent, [True], list[Attempt]()

    class Asker:
        async def work(self, attempt: Attempt) -> str:
            launched.append(attempt)
            asking = asks[0] and attempt.job.key.startswith("2.1")
            return render(QUESTIONS) if asking else await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Asker()), max_parallel=1)

    async def act() -> None:
        for number in range(MOST_ASKED + 1):
            assert (await gone(stage, play)).state is State.WAITING
            (asked,) = (await stage.stand(play)).account.questions
            assert (f".{LOST}" in asked.key) is (number == MOST_ASKED)
            await stage.answer(play, ["2"])
        count = len(launched)
        state = (await gone(stage, play)).state
        if state is State.STOPPED:  # here; a server has stopped and gone on by then
            state = (await gone(stage, play)).state
        assert (state, len(launched)) == (State.WAITING, count)
        asks[0] = False
        await stage.answer(play, ["1"])
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)
    prompts = [each.job.prompt for each in launched if each.job.key == f"2.1.again{MOST_ASKED + 1}"]
    assert len(prompts) == 1
    assert "did not finish" in prompts[0]
    assert prompts[0].count("<user_response>") == MOST_ASKED


def test_prompt_reports_how_each_previous_attempt_ended(stage: Stage, tmp_path: Path) -> None:
    play = failing(alone(rehearsed(ANALYSIS, tmp_path)), 3, "no credit")
    agent, prompts = play.cast.agent, list[str]()

    class Listening:
        async def work(self, attempt: Attempt) -> str:
            prompts.append(attempt.job.prompt)
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Listening()))

    async def act() -> None:
        assert (await gone(stage, play)).state is State.WAITING
        await stage.answer(play, ["1"])
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)
    assert [("no credit" in prompt, "half done" in prompt) for prompt in prompts[:4]] == [
        (False, False),
        *[(True, True)] * 3,
    ]


def test_run_whose_agent_was_given_up_asks_again_before_it_launches_agents(stage: Stage, tmp_path: Path) -> None:
    play = failing(alone(rehearsed(ANALYSIS, tmp_path)), 3, "no credit")

    async def act() -> None:
        assert (await gone(stage, play)).state is State.WAITING
        for text in ("retry", "give up", "3"):
            with pytest.raises(ValueError, match=repr(text)):
                await stage.answer(play, [text])
        for _ in range(2):
            await stage.answer(play, ["Give up"])
            states = [(await gone(stage, play)).state]
            if states == [State.STOPPED]:  # here; a server has stopped and gone on by then
                states.append((await gone(stage, play)).state)
            assert states[-1] is State.WAITING
            assert (await stage.stand(play)).account.questions
        failed = [each.number for each in play.events if each.event is Event.FAILED]
        assert failed == [1, 2, 3]
        await stage.answer(play, ["1"])
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("no list", "END OF LIST"),
        ("LIST:\n- a: x\n- a: y\nEND OF LIST", "'a'"),
        ("LIST:\n- a: x", "END OF LIST"),
    ],
)
def test_list_that_its_step_refuses_fails_the_attempt_and_not_the_run(
    stage: Stage, tmp_path: Path, wrong: str, why: str
) -> None:
    play = rehearsed(SURVEY, tmp_path)
    agent, prompts = play.cast.agent, list[str]()

    class Careless:
        async def work(self, attempt: Attempt) -> str:
            said = await agent.work(attempt)
            if not attempt.job.listed:
                return said
            prompts.append(attempt.job.prompt)
            way = next((line for line in said.splitlines() if line.startswith("WAY")), "")
            return f"{wrong}\n{way}" if attempt.number == 1 else said

    play = evolve(play, cast=play.cast._replace(agent=Careless()))

    async def act() -> None:
        assert (await gone(stage, play)).state is State.DONE

    run(stage, act)
    (failure,) = [each.text for each in play.events if each.event is Event.FAILED]
    assert why in failure
    assert [failure in prompt for prompt in prompts] == [False, True]
