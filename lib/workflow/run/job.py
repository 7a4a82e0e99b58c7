"""A job for an agent, and the parser of its reply. Both are data, so that they can travel to the agent's host."""

import re
from enum import StrEnum
from typing import Final

from attrs import frozen

from ..ast.parse import ParseError
from ..ast.relay import NeedsUserInput
from ..errors import RefusedError
from ..handlers.ask_user import questions_in
from ..handlers.task_list import read_tasks
from ..types import AgentRole, Tier

LONGEST: Final = 200_000
"""Maximum characters of a reply; a longer one counts as a failure."""
LIST_BEGIN, LIST_END = "LIST:", "END OF LIST"
_WAY: Final = re.compile(r"^[ \t*`]*WAY:[ \t*`]*(\d{1,3})[ \t*`.]*$", re.MULTILINE)
_VERDICT: Final = re.compile(r"^[ \t*`]*(PASS|FAIL)\b", re.MULTILINE)


class ReplyError(ValueError):
    """Raised for an invalid reply, with the reason: the attempt has failed."""


class Want(StrEnum):
    """The required content of a reply."""

    WORD = "word"
    """Any text that is not empty."""
    VERDICT = "verdict"
    """A line that begins with PASS or FAIL."""
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
    roster: bool = False
    """True if the reply must also hold a list of agents when the chosen way reads one."""


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
        questions = None if job.page else questions_in(text)
    except ParseError as error:
        raise ReplyError(f"its questions cannot be used: {error}") from None
    if questions is not None:
        return Reply(text=text, questions=questions)
    roster = _roster(text) if job.roster else ""
    match job.want:
        case Want.WORD:
            return Reply(text=text, roster=roster)
        case Want.VERDICT:
            return Reply(text=text, passed=_verdict(text))
        case Want.WAY:
            return Reply(text=text, way=_way(text, job.ways), roster=roster)


def _verdict(text: str) -> bool:
    said = {found[1] for found in _VERDICT.finditer(text)}
    if len(said) != 1:
        raise ReplyError("its reply has both verdicts" if said else "no line of its reply starts with PASS or FAIL")
    return said == {"PASS"}


def _way(text: str, ways: int) -> int:
    said = {int(found[1]) for found in _WAY.finditer(text)}
    if len(said) != 1 or not 1 <= min(said) <= ways:
        named = ", ".join(map(str, sorted(said))) or "none"
        raise ReplyError(f"expected one line `WAY: n`, with n from 1 to {ways}; its reply names {named}")
    return said.pop()


def _roster(text: str) -> str:
    """Return the list between its marks; empty if there are no marks. The step that reads it checks its content."""
    _, begin, rest = text.partition(f"{LIST_BEGIN}\n")
    listed, end, _ = rest.partition(LIST_END)
    if not begin:
        return ""
    try:
        read_tasks(listed)
    except RefusedError as error:
        raise ReplyError(f"its list cannot be used: {error}") from None
    if not end:
        raise ReplyError(f"its list is not closed; write {LIST_END} below it")
    return listed
