"""The JSON object in which Claude Code prints a reply, with its tokens and its price (`--output-format json`)."""

import json
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen

from ...util.structs import Struct

MOST: Final = 10**12
"""Maximum of a number that counts."""
_TOKENS: Final = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_OF_MODEL: Final = ("inputTokens", "outputTokens", "cacheCreationInputTokens", "cacheReadInputTokens")
"""Keys of the tokens in `usage`, and of each model in `modelUsage`, which also counts the client's own sub-agents."""


@frozen(kw_only=True)
class Envelope(Struct):
    """A reply with what it cost."""

    text: str
    is_error: bool = False
    """True if the text is an error message of the client."""
    tokens: int = 0
    """Tokens of all requests, including those that a cache served."""
    dollars: float = 0.0
    """Price in US dollars by the provider's list, also if a subscription pays."""


def opened(text: str) -> Envelope | None:
    """Return the envelope that an output is; None for any other output."""
    stripped = text.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("type") != "result" or "session_id" not in value:
        return None
    said = value.get("result")
    if not isinstance(said, str):
        return None
    models = value.get("modelUsage")
    rows = models.values() if isinstance(models, dict) and models else [value.get("usage")]
    return Envelope(
        text=said,
        is_error=value.get("is_error") is True,
        tokens=sum(_numbers(row) for row in rows if isinstance(row, dict)),
        dollars=_dollars(value.get("total_cost_usd")),
    )


def _numbers(row: Mapping[str, object]) -> int:
    return sum(_whole(map(row.get, (*_TOKENS, *_OF_MODEL))))


def _whole(values: Iterable[object]) -> Iterable[int]:
    return (each for each in values if type(each) is int and 0 <= each < MOST)


def _dollars(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and 0 <= value < MOST else 0.0  # NaN is in no range
