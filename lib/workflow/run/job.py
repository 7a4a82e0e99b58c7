"""What an agent is asked for, and what its reply must hold. Both are data: they travel to whoever runs the agent."""

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
"""Characters of a reply; an agent that says more has not replied but talked."""
LIST_BEGIN, LIST_END = "LIST:", "END OF LIST"
_WAY: Final = re.compile(r"^[ \t*`]*WAY:[ \t*`]*(\d{1,3})[ \t*`.]*$", re.MULTILINE)
_VERDICT: Final = re.compile(r"^[ \t*`]*(PASS|FAIL)\b", re.MULTILINE)


class ReplyError(ValueError):
    """A reply that is none: the attempt has failed, and this is why."""


class Want(StrEnum):
    """What the reply must hold."""

    WORD = "word"
    """Anything, as long as it is something."""
    VERDICT = "verdict"
    """A line that begins with PASS or FAIL."""
    WAY = "way"
    """The number of one of the ways on."""


@frozen(kw_only=True)
class Job:
    """One piece of work for one agent, finished: nothing is to be looked up."""

    key: str
    """Which piece of work of the run this is; the same in every repetition of the run."""
    role: AgentRole
    tier: Tier | None = None
    prompt: str
    """All that the agent is told."""
    told: str = ""
    """What the dispatch told it, answers included; a part of the prompt."""
    command: str = ""
    """The command that the agent starts with, or that printed the page."""
    page: str = ""
    """The print that the orchestrator thinks about; empty where the agent follows its command."""
    replies: tuple[str, ...] = ()
    """What the agents said that the page launched."""
    want: Want = Want.WORD
    ways: int = 0
    """How many there are to choose from."""
    roster: bool = False
    """Whether the reply must hold a list of agents, too, should the way be one that reads it."""


@frozen(kw_only=True)
class Reply:
    """What an agent said, read."""

    text: str
    passed: bool = False
    way: int = 0
    """The number of the way, from 1."""
    roster: str = ""
    questions: NeedsUserInput | None = None


def read_reply(job: Job, text: str) -> Reply:
    """The reply to a job. Raises ReplyError, with the reason, for a text that is none."""
    if not text.strip():
        raise ReplyError("its reply is empty")
    if len(text) > LONGEST:
        raise ReplyError(f"it has {len(text):,} characters; at most {LONGEST:,} are read")
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
        raise ReplyError("it holds both verdicts" if said else "it holds no line that begins with PASS or FAIL")
    return said == {"PASS"}


def _way(text: str, ways: int) -> int:
    said = {int(found[1]) for found in _WAY.finditer(text)}
    if len(said) != 1 or not 1 <= min(said) <= ways:
        named = ", ".join(map(str, sorted(said))) or "none"
        raise ReplyError(f"one line `WAY: n`, with n from 1 to {ways}, is expected; it names {named}")
    return said.pop()


def _roster(text: str) -> str:
    """The list between its marks; empty where there are none. The step that reads it says whether it is a good one."""
    _, begin, rest = text.partition(f"{LIST_BEGIN}\n")
    listed, end, _ = rest.partition(LIST_END)
    if not begin:
        return ""
    try:
        read_tasks(listed)
    except RefusedError as error:
        raise ReplyError(f"its list cannot be used: {error}") from None
    if not end:
        raise ReplyError(f"its list has no end; write {LIST_END} below it")
    return listed
