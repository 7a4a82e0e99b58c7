"""The question about evident slips, which the user confirms together."""

from collections.abc import Iterator, Sequence
from typing import Final

from ..limits import MAX_ASKED, MAX_FILES
from ..pages.rows import cut
from ..record import Candidate
from .requests import Posed

HEADER: Final = "Slips"
ASKED: Final = "Evident slips. Does the first place of each change, so that it agrees with the second?"
OPTIONS: Final = ("all as listed: the first place of each changes", "none of them changes")
MAX_WORDS: Final = 80
"""Most characters of a quote in the list."""


def about(slips: Sequence[Candidate]) -> Iterator[Posed]:
    """Yield as few questions about all slips as their length and the files of a rule allow."""
    for number, some in enumerate(_groups(slips), 1):
        yield Posed(
            candidates=tuple(each.id for each in some),
            header=HEADER if number == 1 else f"{HEADER} {number}",
            text=_text(some),
            options=OPTIONS,
        )


def _groups(slips: Sequence[Candidate]) -> Iterator[Sequence[Candidate]]:
    some: list[Candidate] = []
    for each in slips:
        if some and (len(some) == MAX_FILES or len(_text([*some, each])) > MAX_ASKED):
            yield some
            some = []
        some = [*some, each]
    if some:
        yield some


def _text(slips: Sequence[Candidate]) -> str:
    return " ".join((ASKED, *(f"{number}) {_line(each)}" for number, each in enumerate(slips, 1))))


def _line(each: Candidate) -> str:
    found = each.found
    left, right = cut(found.left_says, MAX_WORDS), cut(found.right_says, MAX_WORDS)
    return f"{found.left} says “{left}”; {found.right} says “{right}”."
