"""A job for an agent, and the parser of its reply. Both are data, so that they can travel to the agent's host."""

from enum import StrEnum
from typing import Final

from attrs import frozen

from ...ast.parse import ParseError
from ...ast.relay import NeedsUserInput
from ...errors import RefusedError
from ...handlers.ask_user import questions_in
from ...handlers.fan_out import roster_faults
from ...handlers.task_list import SHOWN, read_tasks
from ...types import AgentRole, Tier
from ...util.terminal import plain
from ..defaults import LONGEST_REPLY
from .marks import LIST_BEGIN as LIST_BEGIN
from .marks import LIST_END as LIST_END
from .marks import lists, verdicts, ways

LONGEST: Final = LONGEST_REPLY
"""Maximum characters of a reply; a longer one counts as a failure."""


class ReplyError(ValueError):
    """Raised for an invalid reply, with the reason: the attempt has failed."""


class Want(StrEnum):
    """The required content of a reply."""

    WORD = "word"
    """Any text that is not empty."""
    VERDICT = "verdict"
    """A line that begins with PASS or FAIL, for the whole or for an item."""
    WAY = "way"
    """The number of one of the ways on."""


@frozen(kw_only=True)
class Job:
    """One complete piece of work for one agent: nothing needs to be looked up."""

    key: str
    """Key of the work in the run; the same in every repetition of the run."""
    role: AgentRole
    tier: Tier | None = None
    prompt: str
    """The agent's whole prompt."""
    told: str = ""
    """The part of the prompt from the dispatch, with answers."""
    command: str = ""
    """Command that the agent starts with, or that printed the page."""
    page: str = ""
    """Page that the orchestrator works on; empty if the agent follows its command."""
    replies: tuple[str, ...] = ()
    """Replies of the agents that the page launched."""
    want: Want = Want.WORD
    ways: int = 0
    """Number of ways to choose from."""
    listed: tuple[int, ...] = ()
    """The ways that lead to a step which reads a list of agents; 0 is the only way."""
    least: int = 0
    most: int = 0
    characters: int = 0
    """Limits of that list: its entries, and the characters of each; 0 if unknown."""


@frozen(kw_only=True)
class Reply:
    """A parsed reply of an agent."""

    text: str
    passed: bool = False
    way: int = 0
    """Number of the way, from 1."""
    roster: str = ""
    questions: NeedsUserInput | None = None


def read_reply(job: Job, text: str) -> Reply:
    """Parse the reply to a job. Raises ReplyError, with the reason, if it is not valid."""
    if not text.strip():
        raise ReplyError("its reply is empty")
    if len(text) > LONGEST:
        raise ReplyError(f"its reply has {len(text):,} characters; the limit is {LONGEST:,}")
    try:
        questions = None if job.page else questions_in(plain(text))
    except ParseError as error:
        raise ReplyError(f"its questions cannot be used: {error}") from None
    if questions is not None:
        return Reply(text=text, questions=questions)
    match job.want:
        case Want.WORD:
            return Reply(text=text, roster=_roster(job, text, 0))
        case Want.VERDICT:
            return Reply(text=text, passed=_verdict(text))
        case Want.WAY:
            way = _way(text, job.ways)
            return Reply(text=text, way=way, roster=_roster(job, text, way))


def _verdict(text: str) -> bool:
    """Return True for PASS; one clear FAIL is a fail."""
    said = verdicts(text)
    if not said:
        raise ReplyError("no line of its reply starts with PASS or FAIL")
    return said == {True}


def _way(text: str, most: int) -> int:
    said = ways(text)
    if len(said) != 1 or not 1 <= min(said) <= most:
        named = ", ".join(map(str, sorted(said))) or "none"
        raise ReplyError(f"expected one line `WAY: n`, with n from 1 to {most}; its reply names {named}")
    return said.pop()


def _roster(job: Job, text: str, way: int) -> str:
    """Return the list between its marks, if the step that the way leads to reads one; else nothing."""
    if way not in job.listed:
        return ""
    try:
        found = lists(text)
        if len(found) != 1:
            raise ReplyError(
                f"it has {len(found)} different lists; write one"
                if found
                else f"it has no list; write it below a line {LIST_BEGIN} and above a line {LIST_END}"
            )
        tasks = read_tasks(found[0])
        faults = list(roster_faults(tasks, job.least, job.most, job.characters))
    except RefusedError as error:
        raise ReplyError(f"its list cannot be used: {error}") from None
    except ValueError as error:
        raise ReplyError(str(error)) from None
    if faults:
        raise ReplyError(f"its list cannot be used: {'; '.join(faults[:SHOWN])}")
    return found[0]
