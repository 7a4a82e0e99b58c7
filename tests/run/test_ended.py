"""Local runs: an ended run stays ended, an abandoned agent is tried again, and no agent waits for the disk."""

import asyncio
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.relay import Answer, UserResponse
from lib.workflow.render.xml import render
from lib.workflow.run.clients.agents import Attempt, CrashError
from lib.workflow.run.engine import State, write
from lib.workflow.run.journal.journal import JOURNAL, Entry, Event, Journal, line_of
from lib.workflow.run.local import read_questions
from lib.workflow.types import AgentRole
from tests.run.engines import Locally, Play, alone, failing, gone, rehearsed
from tests.run.runs import KNOWN

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
SURVEY = KNOWN.workflows["tests.workflows.survey.run"]
HERE = Locally()


def waiting(folder: Path) -> Play:
    """Return a run whose first agent is lost."""
    play = failing(alone(rehearsed(ANALYSIS, folder)), 3, "no credit")
    assert asyncio.run(gone(HERE, play)).state is State.WAITING
    return play


@pytest.mark.parametrize("end", [Event.DONE, Event.CANCELLED])
@pytest.mark.parametrize("more", [Event.ANSWERED, Event.CANCELLED])
def test_nothing_is_written_down_after_the_end_of_a_run(end: Event, more: Event, tmp_path: Path) -> None:
    play = waiting(tmp_path)
    write(play.run, Entry(event=end))
    with pytest.raises(ValueError, match=str(end)):
        write(play.run, Entry(event=more))


@pytest.mark.parametrize("more", [Event.ANSWERED, Event.CANCELLED, Event.RESUMED])
def test_journal_entries_after_the_end_of_a_run_change_nothing(more: Event, tmp_path: Path) -> None:
    play = waiting(tmp_path)
    write(play.run, Entry(event=Event.DONE, text="all is well"))
    text = render(UserResponse((Answer(header="x", text="y"),))) if more is Event.ANSWERED else ""
    with (Path(play.run) / JOURNAL).open("a") as file:
        file.write(f"{line_of(Entry(event=more, text=text))}\n")
    now = asyncio.run(HERE.stand(play))
    assert (now.state, now.account.questions) == (State.DONE, ())
    ended = asyncio.run(gone(HERE, play))
    assert (ended.state, ended.text) == (State.DONE, "all is well")


def test_question_about_a_lost_agent_names_its_step(tmp_path: Path) -> None:
    (asked,) = asyncio.run(HERE.stand(waiting(tmp_path))).account.questions
    first = ANALYSIS.steps[ANALYSIS.entry_point]
    assert first.title in read_questions(asked.text).questions[0].text


def test_agents_that_were_given_up_are_asked_about_again_and_all_tried_again(tmp_path: Path) -> None:
    play = alone(rehearsed(SURVEY, tmp_path))
    agent, lost = play.cast.agent, [True]
    worked: list[str] = []

    class Failing:
        async def work(self, attempt: Attempt) -> str:
            worked.append(attempt.job.key)
            if lost[0] and attempt.job.role is AgentRole.EXPLORE:
                raise CrashError("no credit")
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Failing()))

    async def act() -> None:
        assert (await gone(HERE, play)).state is State.WAITING
        (first,) = (await HERE.stand(play)).account.questions
        await HERE.answer(play, ["Give up"])
        assert (await gone(HERE, play)).state is State.STOPPED
        lost[0] = False
        count = len(worked)
        assert (await gone(HERE, play)).state is State.WAITING
        assert [each.key for each in (await HERE.stand(play)).account.questions] == [first.key]
        assert len(worked) == count
        await HERE.answer(play, ["Try again"])
        assert (await gone(HERE, play)).state is State.DONE

    asyncio.run(act())


def test_next_agent_starts_while_a_reply_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play, settled, started = rehearsed(SURVEY, tmp_path), Journal.settled, list[str]()
    agent, has_next = play.cast.agent, asyncio.Event()

    class Counted:
        async def work(self, attempt: Attempt) -> str:
            if attempt.job.role is AgentRole.EXPLORE:
                started.append(attempt.job.key)
                if len(started) > 1:
                    has_next.set()
            return await agent.work(attempt)

    async def slowly(journal: Journal) -> None:
        if started:
            await asyncio.wait_for(has_next.wait(), 10)
        await settled(journal)

    monkeypatch.setattr(Journal, "settled", slowly)
    play = evolve(play, cast=play.cast._replace(agent=Counted()), max_parallel=1)
    assert asyncio.run(gone(HERE, play)).state is State.DONE
    assert len(started) > 1
