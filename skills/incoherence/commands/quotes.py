"""Checks of quotes when they are recorded: each must be in the file that its place names, at one certain line."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from attrs import evolve

from lib.workflow.errors import RefusedError
from lib.workflow.state.run_dirs import inside
from lib.workflow.util.plurals import count

from ..limits import MAX_PLACE
from ..originals import project
from ..record import NOT_RUN, Found, Run

MAX_BYTES: Final = 1 << 20
"""Most bytes of a file in which quotes are looked up."""
WRAP: Final = 3
"""Lines after its first line on which a part of a quote may start."""
LEFT_OUT: Final = 60
"""Most words that the … of a quote can replace."""
_LINES: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?(?!\d)")
_CUT: Final = re.compile(r"\.\.\.|…")
_WORD: Final = re.compile(r"\w+")


class Word(NamedTuple):
    """A word of a file, and its line from 1."""

    text: str
    line: int


class Page(NamedTuple):
    """A text file, prepared for the lookup of quotes."""

    lines: Sequence[str]
    words: Sequence[Word]


def placed(run: Run, state_dir: str, found: Iterable[Found]) -> tuple[Found, ...]:
    """Return pairs with the line of each quote. A wrong line is corrected if the file has the quote once.

    Nothing is looked up if the project is not here. Sides that are commands are not looked up.

    Raises:
        RefusedError: A quote is not in its file, or several times and not at its line; the message names the nearest
            line, or the text that is there.
    """
    pairs = tuple(found)
    root = project(run, state_dir)
    if root is None:
        return pairs
    pages: dict[str, Page | None] = {}
    wrong = list[str]()

    def where(place: str, says: str) -> str:
        try:
            return _place(root, pages, place, says)
        except _WrongQuoteError as error:
            wrong.append(str(error))
            return place

    after = tuple(
        evolve(each, left=where(each.left, each.left_says), right=where(each.right, each.right_says)) for each in pairs
    )
    if wrong:
        fix = "Correct the place or copy the words as they are there (… marks a cut), and give the whole object again."
        raise RefusedError("misquoted", f"{len(wrong)} of {count(2 * len(pairs), 'quote')}", "\n".join(wrong), fix)
    return after


def without_lines(found: Found) -> Found:
    """Return a pair with its files alone as places, to compare it with one whose lines were corrected."""
    left, right = (
        name if numbers else place for place in (found.left, found.right) for name, numbers in [_named(place)]
    )
    return evolve(found, left=left, right=right)


class _WrongQuoteError(Exception):
    """A quote that its file does not have where its place says."""


def _named(place: str) -> tuple[str, re.Match[str] | None]:
    """Return the file of a place, and its lines."""
    name, _, rest = place.partition(":")
    return name, _LINES.match(rest.strip())


def _place(root: str, pages: dict[str, Page | None], place: str, says: str) -> str:
    """Return the place of one quote, with another line if the file has the quote only there.

    Raises:
        _WrongQuoteError: The file does not have the quote, or several times and not there.
    """
    name, numbers = _named(place)
    if says.startswith(NOT_RUN):
        return place
    try:
        path = inside(root, name)
    except RefusedError:
        raise _WrongQuoteError(f"{place}: leads out of the project") from None
    if not os.path.isfile(path):
        if numbers and not os.path.isdir(path):
            raise _WrongQuoteError(f"{place}: there is no file {name}")
        return place
    page = pages[path] if path in pages else pages.setdefault(path, _page(path))
    if page is None or (not numbers and quoted_at(page, says)):
        return place
    first = int(numbers[1]) if numbers else 1
    last = int(numbers[2] or first) if numbers else first
    at = sorted(set(quoted_at(page, says)))
    if any(first <= line <= last for line in at):
        return place
    corrected = f"{name}:{at[0]}" if len(at) == 1 else ""
    if corrected and len(corrected) <= MAX_PLACE:
        return corrected
    if at:
        nearest = min(at, key=lambda line: abs(line - first))
        raise _WrongQuoteError(
            f"{place}: {says!r:.80} is at {count(len(at), 'other line')}; the nearest is {name}:{nearest}"
        )
    there = page.lines[first - 1].strip() if numbers and 0 < first <= len(page.lines) else ""
    instead = f"there is: {there:.80}" if there else f"the file has {count(len(page.lines), 'line')}"
    raise _WrongQuoteError(f"{place}: {says!r:.80} is not in the file; {instead}")


def _page(path: str) -> Page | None:
    """Return a text file; None if it is too large or not text."""
    try:
        if os.path.getsize(path) > MAX_BYTES:
            return None
        with open(path, encoding="utf-8") as file:
            return page_of(file.read())
    except (OSError, UnicodeDecodeError):
        return None


def page_of(text: str) -> Page:
    """Return a text with its words."""
    lines = text.split("\n")
    words = [Word(word, number) for number, line in enumerate(lines, 1) for word in _WORD.findall(line.casefold())]
    return Page(lines, words)


def quoted_at(page: Page, says: str) -> Sequence[int]:
    """Return the lines at which a quote starts, compared by words: markup, wraps and quotation marks do not count."""
    parts = [words for part in _CUT.split(says) if (words := _WORD.findall(part.casefold()))]
    if parts:
        return [page.words[start].line for start in _starts(page.words, parts)]
    return [number for number, line in enumerate(page.lines, 1) if says.strip(" \"'`") in line]


def _starts(words: Sequence[Word], parts: Sequence[Sequence[str]]) -> Iterator[int]:
    """Yield the starts of the parts of a quote in order, each within `LEFT_OUT` words and `WRAP` lines of the last."""
    for start in _places(words, parts[0], 0, len(words)):
        at: int | None = start + len(parts[0])
        for part in parts[1:]:
            following = next(_places(words, part, at, at + LEFT_OUT), None) if at is not None else None
            near = following is not None and words[following].line <= words[start].line + WRAP
            at = following + len(part) if following is not None and near else None
        if at is not None:
            yield start


def _places(words: Sequence[Word], row: Sequence[str], start: int, end: int) -> Iterator[int]:
    """Yield the starts of a row of words, from one place to before another."""
    for at in range(start, min(end, len(words) - len(row) + 1)):
        if all(words[at + offset].text == word for offset, word in enumerate(row)):
            yield at
