"""The signs of known conditions in the output of a program that failed.

The patterns are taken from the outputs in `tests/run/outputs`, which name their sources. All clients are tried for each
program, because a program of the user's own may start one of them.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import frozen

from .kinds import Condition, Kind
from .messages import messages
from .reset_times import reset_time

SHORTEST_LIMIT: Final = 60
"""Seconds: a rate that may be used again earlier than this is an overload, not a limit of usage."""
BEFORE: Final = 80
"""Maximum characters of a message before its sign."""
_SIGNS: Final = (
    (
        Kind.PERMISSION,
        r"cannot be used with root|not (?:inside|running in) a trusted directory|could not request permission from user"
        r"|auto-rejecting|user rejected permission",
    ),
    (
        Kind.CONTEXT,
        r"prompt is too long|conversation too long|ran out of room in the model's context|maximum context length"
        r"|context_length_exceeded|input token count|ContextOverflowError",
    ),
    (
        Kind.LIMIT,
        r"hit your [a-z0-9 -]{0,40}limit|hit a rate limit|usage ?limit|session limit|weekly (?:rate )?limit"
        r"|-hour limit reached|usage_limit_reached|exhausted your [a-z ]{0,20}(?:quota|capacity)"
        r"|daily [a-z0-9. -]{0,40}quota limit|TerminalQuotaError|quota will reset",
    ),
    (
        Kind.CREDIT,
        r"credit balance is too low|billing_error|insufficient_quota|exceeded your current quota|quota exceeded\. check"
        r"|quota_exceeded|you have no quota|out of credits|spend cap|premium request allowance",
    ),
    (
        Kind.MODEL,
        r"issue with the selected model|model_not_found|the model .{1,80} does not exist|ModelNotFoundError"
        r"|model not found|models/.{1,80} is not found|model '.{1,80}' not found|ModelUnavailableError"
        r"|model is not supported when using|from --model flag is not available",
    ),
    (
        Kind.LOGIN,
        r"not logged in|please run /login|invalid api key|api key not valid|incorrect api key|invalid x-api-key"
        r"|authentication_failed|failed to authenticate|login expired"
        r"|oauth (?:token|session)[a-z ]{0,10} (?:expired|revoked)|status:? 401"
        r"|401 unauthorized|please set an auth method|authentication failed with provider"
        r"|no authentication information|sign in again|API key is missing|ProviderAuthError",
    ),
    (
        Kind.OVERLOAD,
        r"overloaded|at capacity|high demand|rate.?limit|too many requests|temporarily limiting|RESOURCE_EXHAUSTED"
        r"|RetryableQuotaError|internal server error|service unavailable|api error:? 5\d\d",
    ),
    (
        Kind.NETWORK,
        r"ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|connection (?:refused|reset|error)|fetch failed"
        r"|unable to connect|could not connect|cannot connect|error sending request|waiting for network"
        r"|stream disconnected|certificate verification failed",
    ),
)
"""Patterns by kind. The first kind that fits a message counts: a message about a limit may also speak of its rate."""
SIGNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _SIGNS)


@frozen(kw_only=True)
class Sign:
    """A sign of a condition."""

    condition: Condition
    message: str
    """The message that shows it."""
    source: int
    """Number of the output that holds it, from 0."""


def recognised(texts: Sequence[str], client: str, now: datetime) -> Sign | None:
    """Return the sign of a condition in outputs of a program; None if they show none.

    Args:
        texts: The ends of its outputs, the most relevant first.
        client: The name of the program.
        now: The current time, with a zone.
    """
    for number, text in enumerate(texts):
        for message in messages(text.replace("\u2019", "'")):
            for kind, pattern in SIGNS:
                found = pattern.search(message)
                if found is not None:
                    said = message if found.start() < BEFORE else f"… {message[found.start() - BEFORE :]}"
                    return Sign(condition=_condition(kind, client, message, now), message=said, source=number)
    return None


def _condition(kind: Kind, client: str, message: str, now: datetime) -> Condition:
    if kind not in (Kind.LIMIT, Kind.CREDIT, Kind.OVERLOAD):
        return Condition(kind=kind, client=client)
    until = reset_time(message, now)
    if until - now.timestamp() > SHORTEST_LIMIT or (kind is Kind.LIMIT and until):
        return Condition(kind=Kind.LIMIT, client=client, until=until)
    return Condition(kind=kind, client=client)
