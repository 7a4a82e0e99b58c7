"""One line of a run's journal: an event, and the rules for each kind of event."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final

from attrs import asdict, evolve, field, fields, frozen

from ...arguments.parameter import Arg
from ...codec import codec
from ...command import Command
from ...util.characters import check_line, storable
from ...util.structs import Struct
from .spec import Session, Spec

if TYPE_CHECKING:
    from attrs import Attribute

    from ...ast.relay import NeedsUserInput, UserResponse
    from ...ast.step import StepHeader

HEADER_END: Final = "</step_header>"
_KEY: Final = re.compile(r"(?:\d{1,9}(?:\.[a-z]{0,20}\d{0,9}){0,9})?")
_AT: Final = re.compile(r"(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)?")


class Event(StrEnum):
    """The kinds of events."""

    BEGUN = "begun"
    """The run started: `text` is its specification, `session` its folder and launcher."""
    RESUMED = "resumed"
    """The run was resumed: `session` as for BEGUN."""
    STEP = "step"
    """A step's command ran: `text` is its output."""
    ATTEMPT = "attempt"
    """An agent was launched."""
    FAILED = "failed"
    """An attempt failed: `text` is the reason."""
    PAUSED = "paused"
    """The next attempt waits until the time `until`: `text` is the reason."""
    REPLIED = "replied"
    """An agent replied."""
    LOST = "lost"
    """All attempts failed: `text` is the last reason."""
    ASKED = "asked"
    """The user is asked: `text` holds the questions."""
    ANSWERED = "answered"
    """The user answered: `text` holds the answers."""
    DONE = "done"
    """The run ended: `text` is the last reply."""
    STOPPED = "stopped"
    """The run cannot go on: `text` is the reason, `key` the activity that caused it, if any."""
    CANCELLED = "cancelled"


SESSIONS: Final = frozenset({Event.BEGUN, Event.RESUMED})
"""Events that start a session."""
Check = Callable[["Entry", "Attribute[Any]", str], None]


def _matches(pattern: "re.Pattern[str]", what: str) -> Check:
    def check(entry: "Entry", attribute: "Attribute[Any]", value: str) -> None:
        if pattern.fullmatch(value) is None:
            raise ValueError(f"Entry.{attribute.name}: {value!r:.60} is not {what}")

    return check


def _one_line(entry: "Entry", attribute: "Attribute[Any]", value: str) -> None:
    check_line(value, f"Entry.{attribute.name}")


@frozen(kw_only=True)
class Entry(Struct):
    """One line."""

    event: Event
    key: str = field(default="", validator=_matches(_KEY, "the key of an activity"))
    """Key of the activity."""
    at: str = field(default="", validator=_matches(_AT, "a time, such as 2025-12-31T23:59:59.000000Z"))
    """Time in ISO 8601, UTC."""
    who: str = field(default="", validator=_one_line)
    """Role of the agent, or title of the step."""
    text: str = field(default="", converter=storable)
    errors: str = field(default="", converter=storable)
    """Standard error of a step."""
    until: str = field(default="", validator=_matches(_AT, "a time, such as 2025-12-31T23:59:59.000000Z"))
    """Time of the next attempt."""
    command: str = field(default="", validator=_one_line)
    """Command of the step, or the command that an agent starts with."""
    number: Annotated[int, Arg(min=-(1 << 31), max=1 << 32)] = 0
    """Exit status of a step, number of an attempt, or id of the process that drives a run."""
    session: Session | None = None
    """Folder and launcher of the run when it was started or resumed."""


_NAMES: Final = tuple(each.name for each in fields(Entry))
OPENING: Final = b'{"event": '
"""Bytes at the beginning of a line. They cannot occur inside one, because quotes in texts are escaped."""


def stamped(entry: Entry) -> Entry:
    """Return the entry with the current time, if it has none."""
    return entry if entry.at else evolve(entry, at=stamp_now())


def stamp_now() -> str:
    """Return the current time as an entry holds it."""
    return stamp(datetime.now(UTC))


def stamp(moment: datetime) -> str:
    """Return a time in UTC as an entry holds it."""
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


def stamp_of(seconds: float) -> str:
    """Return a time in seconds since the epoch as an entry holds it."""
    return stamp(datetime.fromtimestamp(seconds, UTC))


def line_of(entry: Entry) -> str:
    """Return the line, in ASCII, without empty values."""
    values = {name: getattr(entry, name) for name in _NAMES if getattr(entry, name) not in ("", 0, None)}
    if entry.session is not None:
        values["session"] = asdict(entry.session)
    return json.dumps(values, ensure_ascii=True)


def read_line(line: bytes | str) -> Entry:
    """Parse a line. Raises ValueError if it is not an entry."""
    entry = codec(Entry).loads(line)
    _check(entry)
    return entry


def _check(entry: Entry) -> None:
    """Raise ValueError for an entry without the values that its event requires."""
    match entry.event:
        case Event.BEGUN:
            try:
                read_spec(entry.text)
            except ValueError as error:
                raise ValueError(f"text: is not the specification of a run: {error}") from None
        case Event.STEP | Event.ATTEMPT | Event.FAILED | Event.PAUSED | Event.REPLIED | Event.LOST if not entry.key:
            raise ValueError(f"{entry.event}: it has no key")
        case Event.PAUSED if not entry.until:
            raise ValueError(f"{entry.event}: it has no end")
        case Event.STEP if entry.command:
            Command.read(entry.command)
        case Event.ASKED:
            read_questions(entry.text)
        case Event.ANSWERED:
            read_response(entry.text)
        case _:
            pass


@lru_cache(maxsize=1)
def read_spec(text: str) -> Spec:
    """Return the specification of a run that an entry holds. Raises ValueError."""
    return codec(Spec).loads(text)


def read_questions(text: str) -> "NeedsUserInput":
    """Return the questions that an entry holds. Raises ValueError."""
    from ...ast import parse, relay  # most entries hold no document

    blocks = parse.parse(text).blocks
    if len(blocks) == 1 and isinstance(blocks[0], relay.NeedsUserInput):
        return blocks[0]
    raise ValueError("it holds no questions")


def read_response(text: str) -> "UserResponse":
    """Return the answers that an entry holds. Raises ValueError."""
    from ...ast import parse, relay

    blocks = parse.parse(text).blocks
    if len(blocks) == 1 and isinstance(blocks[0], relay.UserResponse):
        return blocks[0]
    raise ValueError("it holds no answers")


def header_of(page: str) -> "StepHeader | None":
    """Return the header of a page, which the result of a gate may precede; None for any other print."""
    from ...ast import parse, step

    before, end, _ = page.partition(HEADER_END)  # the rest, which is long, need not be read
    try:
        blocks = parse.parse(before + end).blocks if end else ()
    except parse.ParseError:
        return None
    return next((block for block in blocks if isinstance(block, step.StepHeader)), None)
