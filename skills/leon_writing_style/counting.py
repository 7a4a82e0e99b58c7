"""Measurements of a text: the lengths of its sentences, and the hits of the tells' patterns."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from lib.workflow.util.plurals import count

from .tells import read_tells

MAX_PLACES: Final = 6
"""Most hits of one tell that are shown; its count is complete."""
AROUND: Final = 24
"""Characters shown on each side of a hit."""
NEAR: Final = 5
"""Words by which a sentence may differ from the average and still count as even."""

_WRAP: Final = re.compile(r"(?<=\S)\n(?!\s*(?:\n|$|#|[-*•]\s|\d+[.)]\s))")
"""A line break within a paragraph or a list item."""
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]")
_MARK: Final = re.compile(r"^[ \t]*(?:[-*•]|\d+[.)])[ \t]")
"""The start of a list item."""


def report(text: str) -> str:
    """Return sentences and their lengths, then each tell that has hits. Fenced code is left out."""
    prose = _prose(text)
    blocks = _WRAP.sub(" ", prose)  # of the same length, so that positions are the same in both
    found = "\n\n".join(_hits(blocks, prose))
    return f"{_of_sentences(sentences(blocks))}\n\n{found or 'no pattern of a tell is in it'}"


def sentences(blocks: str) -> list[list[str]]:
    """Return the words of each sentence.

    A sentence ends at `.`, `!` or `?` before a blank, and with its paragraph or list item. Headings are not sentences.
    """
    lines = (_MARK.sub("", line) for line in blocks.split("\n") if not _HEADING.match(line))
    parts = (part for line in lines for part in re.split(r"(?<=[.!?]) ", line))
    return [words for part in parts if (words := part.split())]


def _of_sentences(found: Sequence[Sequence[str]]) -> str:
    lengths = [len(words) for words in found] or [0]
    average = sum(lengths) / len(lengths)
    even = sum(abs(length - average) <= NEAR for length in lengths)
    alike = sum(one[0].lower() == other[0].lower() for one, other in pairwise(found))
    spread = f"{min(lengths)} to {max(lengths)} words, {average:.0f} on average"
    return "\n".join(
        [
            f"{count(sum(lengths), 'word')} in {count(len(found), 'sentence')} of {spread}",
            f"even-sentences: {even} of {len(found)} are within {NEAR} words of the average",
            f"same-openings: {alike} open with the first word of the one before",
        ]
    )


def _hits(blocks: str, prose: str) -> Iterator[str]:
    for tell in read_tells():
        hits = tell.hits(blocks)
        if hits:
            shown = [
                f"  line {prose.count(chr(10), 0, hit.end()) + 1}: {_around(blocks, hit)}" for hit in hits[:MAX_PLACES]
            ]
            more = [f"  and {len(hits) - MAX_PLACES} more"] if len(hits) > MAX_PLACES else []
            yield "\n".join([f"{tell.id}: {len(hits)}", *shown, *more, f"  instead: {tell.instead}"])


def _around(blocks: str, hit: "re.Match[str]") -> str:
    start, end = blocks.rfind("\n", 0, hit.end() - 1) + 1, blocks.find("\n", hit.end())
    end = len(blocks) if end < 0 else end
    return blocks[max(start, hit.start() - AROUND) : min(end, hit.end() + AROUND)].strip()


def _prose(text: str) -> str:
    """Return the text with every line of fenced code, and its fences, empty."""
    fenced = False
    kept: list[str] = []
    for line in text.split("\n"):
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced = fenced is not fence
        kept.append("" if fenced or fence else line)
    return "\n".join(kept)
