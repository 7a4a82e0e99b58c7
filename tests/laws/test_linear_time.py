"""Reading any foreign text takes time in proportion to its length."""

import time
from collections.abc import Callable

import pytest

from benchmarks.scanners import SCANNERS, TRIES, steep
from tests.patterns import ANCHORED, Used, texts, used

SIZES = (30, 500, 8_000)
"""Sizes in characters. A pattern whose time grows without bound is found at the first."""
MOST = 0.02
"""Most seconds for the longest: a pattern that reads each character a few times takes 0.001, a quadratic one 0.035."""
SHORTEST = 0.004
"""Seconds from which on a time is measured."""


@pytest.mark.parametrize("each", used(), ids=lambda each: each.place)
def test_a_pattern_takes_time_in_proportion_to_the_text(each: Used) -> None:
    names = {name if name in ANCHORED else "findall" for name in each.methods} or {"findall"}
    for size in SIZES:
        for text in texts(each.pattern, size):
            given = text.encode() if isinstance(each.pattern.pattern, bytes) else text
            for name in names:
                assert _is_quick(getattr(each.pattern, name), given), f"{name} on {text[:40]!r} and so on"


def _is_quick(way: Callable[[str | bytes], object], text: str | bytes) -> bool:
    """Return True if one of a few tries is fast enough: a busy machine makes some too long, none too short."""
    return any(_seconds(way, text) < MOST for _ in range(TRIES))


def _seconds(way: Callable[[str | bytes], object], text: str | bytes) -> float:
    begun = time.process_time()
    way(text)
    return time.process_time() - begun


@pytest.mark.parametrize("name", SCANNERS)
def test_a_reader_takes_time_in_proportion_to_the_text(name: str) -> None:
    assert steep(SHORTEST, [name]) == {}
