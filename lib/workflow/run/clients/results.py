"""The result of an attempt: its reply, or the reason why it has none, with the program's last words."""

import re
import signal
from datetime import UTC, datetime
from typing import Final

from ...util.characters import on_a_screen
from ...util.terminal import plain
from ..conditions.kinds import Condition, Kind
from ..conditions.messages import lines_of
from ..conditions.signs import recognised
from ..processes.capture import PART, tail
from ..processes.kept import Files, Over
from .envelope import opened
from .job import LONGEST, ReplyError

READ: Final = 4 * LONGEST
"""Maximum bytes of output that can be a reply: a character in UTF-8 has at most four."""
TAIL: Final = 16 << 10
"""Bytes read from the end of each output of a program that failed."""
QUOTED: Final = 400
"""Maximum characters of a program's last words in a reason."""
LAST_LINES: Final = 5
SHORT: Final = 600
"""Maximum characters of a reply that can be an error message of the client."""
_IS_ERROR: Final = re.compile(
    r"\[?API Error|Claude AI usage limit reached|You've hit your [a-z0-9 -]{0,40}limit|Credit balance is too low"
    r"|Not logged in|Invalid API key|Prompt is too long"
)
"""Beginning of a reply that is an error message: some versions of clients report success after such a message."""


class CrashError(Exception):
    """Raised for an attempt without a reply; the message says why.

    Args:
        message: The reason.
        condition: The condition of the client, if the attempt shows one.
    """

    def __init__(self, message: str, condition: Condition | None = None) -> None:
        super().__init__(message)
        self.condition = condition


def reply_of(files: Files, ended: Over, client: str) -> str:
    """Return the reply of a program that has ended.

    Args:
        files: The program's files.
        ended: How it ended.
        client: Its name.

    Raises:
        CrashError: If it failed.
        ReplyError: If its output is too long for a reply.
    """
    if ended.fault:
        raise CrashError(f"it cannot be run: {ended.fault}")
    if ended.status:
        raise _crash(files, client, _how(ended.status), (ended.errors, ended.out))
    if ended.out > READ:
        kept_part = "its first and last parts" if ended.out > 2 * PART else "all of it"
        raise ReplyError(
            f"it wrote {ended.out:,} bytes; a reply has at most {LONGEST:,} characters; {files.out} holds {kept_part}"
        )
    said = tail(files.out, READ)
    envelope = opened(said)
    text = plain(envelope.text if envelope else said)
    is_error = envelope is not None and envelope.is_error
    if is_error or (len(text) <= SHORT and _IS_ERROR.match(text.strip().replace("\u2019", "'"))):
        raise _crash(files, client, "its reply is an error message")
    return text


def late(files: Files, client: str, seconds: float) -> CrashError:
    """Return the error for a program that was ended at its time limit."""
    return _crash(files, client, f"it did not finish within {seconds:g} seconds")


def _crash(files: Files, client: str, how: str, sizes: tuple[int, int] = (0, 0)) -> CrashError:
    """Return the error for a program that gave no reply; `sizes` are the bytes on its standard error and output."""
    paths = (files.errors, files.out)
    ends = [tail(path, TAIL) for path in paths]
    sign = recognised(ends, client, local_time())
    if sign is None:
        lines = [" / ".join(lines_of(_said(text))[-LAST_LINES:]) for text in ends]
        source = 0 if lines[0] else 1
        condition, said = Condition(kind=Kind.FAILURE, client=client), on_a_screen(lines[source])
        said = said if len(said) <= QUOTED else f"… {said[-QUOTED:]}"
        fix = ""
    else:
        condition, source, said = sign.condition, sign.source, on_a_screen(sign.message)
        said = said if len(said) <= QUOTED else f"{said[:QUOTED]} …"
        fix = f". {condition.fix}"
    kept = "the first and last parts of its output are" if sizes[source] > 2 * PART else "its whole output is"
    words = f": {said} ({kept} in {paths[source]})" if said else "; it printed nothing"
    return CrashError(f"{condition.sentence} ({how}){words}{fix}", condition)


def _said(text: str) -> str:
    """Return the words of an output."""
    envelope = opened(text)
    return envelope.text if envelope else text


def local_time() -> datetime:
    """Return the time in the zone of this machine, which clients use too."""
    return datetime.now(UTC).astimezone()


def _how(status: int) -> str:
    if status > 0:
        return f"exit status {status}"
    name = signal.Signals(-status).name if -status in set(signal.Signals) else -status
    return f"ended by signal {name}"
