"""Reading any foreign text takes time in proportion to its length."""

import time
from collections.abc import Callable

import pytest

from benchmarks.scanners import SCANNERS, TRIES, steep
from tests.patterns import ANCHORED, Used, texts, used, using

SIZES = (30, 1_000)
"""Sizes in characters. A pattern whose time grows without bound is found at the first."""
LONGEST = 8_000
"""Size of the texts for which the time at 1,000 characters is suspect."""
MOST = 0.02
"""Most seconds for the longest: a pattern that reads each character a few times takes 0.001, a quadratic one 0.035."""
SUSPECT = MOST / (LONGEST / SIZES[-1]) ** 2 / 2
"""Seconds at 1,000 characters: half the time of a pattern whose quadratic time is too long for the longest text."""
SHORTEST = 0.004
"""Seconds from which on a time is measured."""


def test_patterns_of_the_library_and_of_the_skills_are_found() -> None:
    assert {"lib", "skills"} <= {name.partition(".")[0] for name in using()}


@pytest.mark.parametrize("module", using())
def test_each_pattern_of_a_module_takes_time_in_proportion_to_the_text(module: str) -> None:
    for each in used(module):
        _proportionate(each)


def _proportionate(each: Used) -> None:
    names = {name if name in ANCHORED else "findall" for name in each.methods} or {"findall"}
    ways = [getattr(each.pattern, name) for name in sorted(names)]
    suspects: set[int] = set()
    for size in (*SIZES, LONGEST):
        for number, text in enumerate(texts(each.pattern, size)):
            if size == LONGEST and number not in suspects:
                continue
            given = text.encode() if isinstance(each.pattern.pattern, bytes) else text
            for way in ways:
                if _seconds(way, given) >= SUSPECT:
                    suspects.add(number)
                    assert _is_quick(way, given), f"{each.place}: {way.__name__} on {text[:40]!r} and so on"


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
