"""Prices of clients that report none: US dollars for a million tokens, from the user's settings."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

MILLION: Final = 1_000_000
_PRICE: Final = r"([A-Za-z0-9_.+-]{1,100})=([0-9]{1,6}(?:\.[0-9]{1,6})?)"
"""Pattern, compiled on first use."""


def prices_of(texts: Iterable[str]) -> Mapping[str, float]:
    """Return the prices by client from texts such as `codex=2.50`. Raises ValueError for any other text."""
    found: dict[str, float] = {}
    for text in texts:
        price = re.fullmatch(_PRICE, text)
        if price is None or price[1] in found:
            raise ValueError(f"price {text!r:.100}: write CLIENT=DOLLARS, once for each client, such as codex=2.50")
        found[price[1]] = float(price[2])
    return found


def estimate(tokens: int, dollars_per_million: float) -> float:
    """Return the price of tokens in dollars."""
    return tokens * dollars_per_million / MILLION
