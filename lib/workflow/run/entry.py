"""One line of a run's journal: an event, and what each kind of event must hold."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

from attrs import asdict, evolve, field, fields, frozen

from ..arguments.parameter import Arg
from ..ast.parse import parse
from ..ast.relay import NeedsUserInput, UserResponse
from ..codec import codec
from ..command import Command
from ..util.characters import check_line, storable
from .spec import Session, Spec

if TYPE_CHECKING:
    from attrs import Attribute

_KEY: Final = re.compile(r"(?:\d{1,9}(?:\.[a-z]{0,20}\d{0,9}){0,9})?")
_AT: Final = re.compile(r"(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)?")


class Event(StrEnum):
    """What happened."""

    BEGUN = "begun"
    """The run: `text` is its specification, `session` where it lay and what drove it."""
    RESUMED = "resumed"
    """The run went on: `session` as above."""
    STEP = "step"
    """A step's command was run: `text` is its print."""
    ATTEMPT = "attempt"
    """An agent was launched."""
    FAILED = "failed"
    """An attempt failed: `text` says why."""
    REPLIED = "replied"
    """An agent has replied."""
    LOST = "lost"
    """All attempts have failed: `text` says why the last did."""
    ASKED = "asked"
    """The user is asked: `text` holds the questions."""
    ANSWERED = "answered"
    """The user has answered: `text` holds the answers."""
    DONE = "done"
    """The end: `text` is the last reply."""
    STOPPED = "stopped"
    """The run cannot go on: `text` says why, `key` which activity is the cause, if one is."""
    CANCELLED = "cancelled"


SESSIONS: Final = (Event.BEGUN, Event.RESUMED)
"""The events that begin a session."""
Check = Callable[["Entry", "Attribute[Any]", str], None]


def _matches(pattern: "re.Pattern[str]", what: str) -> Check:
    def check(entry: "Entry", attribute: "Attribute[Any]", value: str) -> None:
        if pattern.fullmatch(value) is None:
            raise ValueError(f"Entry.{attribute.name}: {value!r:.60} is not {what}")

    return check


def _one_line(entry: "Entry", attribute: "Attribute[Any]", value: str) -> None:
    check_line(value, f"Entry.{attribute.name}")


@frozen(kw_only=True)
class Entry:
    """One line."""

    event: Event
    key: str = field(default="", validator=_matches(_KEY, "the key of an activity"))
    """Which activity this is about."""
    at: str = field(default="", validator=_matches(_AT, "a time, such as 2025-12-31T23:59:59.000000Z"))
    """When: ISO 8601, UTC."""
    who: str = field(default="", validator=_one_line)
    """The agent's role, or the step's title."""
    text: str = field(default="", converter=storable)
    errors: str = field(default="", converter=storable)
    """What a step wrote on standard error."""
    command: str = field(default="", validator=_one_line)
    """The step's command, or the command that an agent starts with."""
    number: Annotated[int, Arg(min=-(1 << 31), max=1 << 32)] = 0
    """A step's exit status; an attempt's number; the process that drives a run."""
    session: Session | None = None
    """Where the run lay when it was begun or resumed, and what drove it."""


_NAMES: Final = tuple(each.name for each in fields(Entry))
OPENING: Final = b'{"event": '
"""The bytes that begin a line. Within a line they cannot occur: a quote in a text is escaped."""


def stamped(entry: Entry) -> Entry:
    """Return the entry, as of now."""
    return evolve(entry, at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}Z")


def line_of(entry: Entry) -> str:
    """Return the line, in ASCII, without what is empty."""
    told = {name: getattr(entry, name) for name in _NAMES if getattr(entry, name) not in ("", 0, None)}
    if entry.session is not None:
        told["session"] = asdict(entry.session)
    return json.dumps(told, ensure_ascii=True)


def read_line(line: bytes | str) -> Entry:
    """Return the entry that a line is. Raises ValueError for any other line."""
    entry = codec(Entry).loads(line)
    _check(entry)
    return entry


def _check(entry: Entry) -> None:
    """Raises ValueError for an entry that does not hold what its event needs."""
    match entry.event:
        case Event.BEGUN:
            try:
                codec(Spec).loads(entry.text)
            except ValueError as error:
                raise ValueError(f"text: is not the specification of a run: {error}") from None
        case Event.STEP | Event.ATTEMPT | Event.FAILED | Event.REPLIED | Event.LOST if not entry.key:
            raise ValueError(f"{entry.event}: it has no key")
        case Event.STEP if entry.command:
            Command.read(entry.command)
        case Event.ASKED:
            read_questions(entry.text)
        case Event.ANSWERED:
            read_response(entry.text)
        case _:
            pass


def read_questions(text: str) -> NeedsUserInput:
    """Return the questions that an entry holds. Raises ValueError."""
    blocks = parse(text).blocks
    if len(blocks) == 1 and isinstance(blocks[0], NeedsUserInput):
        return blocks[0]
    raise ValueError("it holds no questions")


def read_response(text: str) -> UserResponse:
    """Return the answers that an entry holds. Raises ValueError."""
    blocks = parse(text).blocks
    if len(blocks) == 1 and isinstance(blocks[0], UserResponse):
        return blocks[0]
    raise ValueError("it holds no answers")
