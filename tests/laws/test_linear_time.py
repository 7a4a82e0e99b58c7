"""Reading any foreign text takes time in proportion to its length."""

import time
from collections.abc import Callable, Iterator
from heapq import nlargest

import pytest

from benchmarks.scanners import SCANNERS, TRIES, steep
from tests.patterns import ANCHORED, Used, texts, used, using

SHORT = 30
"""Characters of the shortest texts, at which a pattern whose time doubles with each of them is found."""
MEDIUM = 1_000
LONGEST = 8_000
"""Characters of the texts whose time at the medium size is suspect."""
SUSPECTS = 20
"""Most of them for each pattern and method, the slowest: a quadratic time comes on top of what all texts take."""
MOST = 0.02
"""Most seconds for the longest: a pattern that reads each character a few times takes 0.001, a quadratic one 0.035."""
SUSPECT = MOST / (LONGEST / MEDIUM) ** 2 / 2
"""Seconds at the medium size: half the time of a pattern whose quadratic time is too long for the longest text."""
SHORTEST = 0.004
"""Seconds from which on a time is measured."""


def test_patterns_of_the_library_and_of_the_skills_are_found() -> None:
    assert {"lib", "skills"} <= {name.partition(".")[0] for name in using()}


@pytest.mark.parametrize("module", using())
def test_each_pattern_of_a_module_takes_time_in_proportion_to_the_text(module: str) -> None:
    for each in used(module):
        _proportionate(each)


def _proportionate(each: Used) -> None:
    for name in {name if name in ANCHORED else "findall" for name in each.methods} or {"findall"}:
        way = getattr(each.pattern, name)
        times: list[tuple[float, int]] = []
        for size in (SHORT, MEDIUM):
            for number, text in enumerate(_texts(each, size)):
                seconds = _seconds(way, text)
                assert seconds < SUSPECT or _is_quick(way, text), f"{each.place}: {name} on {text[:40]!r} and so on"
                times += [(seconds, number)] if size == MEDIUM and seconds >= SUSPECT else []
        suspects = {number for _, number in nlargest(SUSPECTS, times)}
        for number, text in enumerate(_texts(each, LONGEST)):
            if number in suspects:
                assert _is_quick(way, text), f"{each.place}: {name} on {text[:40]!r} and so on"


def _texts(each: Used, size: int) -> Iterator[str | bytes]:
    is_bytes = isinstance(each.pattern.pattern, bytes)
    return (text.encode() if is_bytes else text for text in texts(each.pattern, size))


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
