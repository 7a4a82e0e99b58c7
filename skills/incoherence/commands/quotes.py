"""Checks of quotes when they are recorded: each must be at the line that its place names."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from lib.workflow.errors import RefusedError
from lib.workflow.state.run_dirs import holder, inside
from lib.workflow.util.plurals import count

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


def check_quotes(run: Run, state_dir: str, found: Iterable[Found]) -> None:
    """Look up both sides of each pair in the project's files.

    Nothing is checked if the project is not here. Sides that are commands are not checked.

    Raises:
        RefusedError: A quote is not at its line; the message names the right line, or that line's text.
    """
    root = _project(run, state_dir)
    if root is None:
        return
    sides = [side for each in found for side in ((each.left, each.left_says), (each.right, each.right_says))]
    pages: dict[str, Page | None] = {}
    wrong = [fault for place, says in sides for fault in _faults(root, pages, place, says)]
    if wrong:
        fix = "Correct the place or copy the words as they are there (… marks a cut), and give the whole object again."
        raise RefusedError("misquoted", f"{len(wrong)} of {count(len(sides), 'quote')}", "\n".join(wrong), fix)


def _project(run: Run, state_dir: str) -> str | None:
    """Return the project's root: the folder that holds the run, or the working directory if it has all sources."""
    home = holder(state_dir)
    root = home or os.getcwd()
    there = [os.path.exists(os.path.join(root, source.path)) for source in run.sources]
    return root if (any(there) if home else all(there)) else None


def _faults(root: str, pages: dict[str, Page | None], place: str, says: str) -> Iterator[str]:
    """Yield the faults of one quote."""
    name, _, rest = place.partition(":")
    numbers = _LINES.match(rest.strip())
    if says.startswith(NOT_RUN):
        return
    try:
        path = inside(root, name)
    except RefusedError:
        yield f"{place}: leads out of the project"
        return
    if not os.path.isfile(path):
        if numbers and not os.path.isdir(path):
            yield f"{place}: there is no file {name}"
        return
    page = pages[path] if path in pages else pages.setdefault(path, _page(path))
    if page is None:
        return
    first = int(numbers[1]) if numbers else 1
    last = int(numbers[2] or first) if numbers else len(page.lines)
    at = quoted_at(page, says)
    if not at:
        there = page.lines[first - 1].strip() if numbers and 0 < first <= len(page.lines) else ""
        instead = f"there is: {there:.80}" if there else f"the file has {count(len(page.lines), 'line')}"
        yield f"{place}: {says!r:.80} is not in the file; {instead}"
    elif not any(first <= line <= last for line in at):
        nearest = min(at, key=lambda line: abs(line - first))
        yield f"{place}: {says!r:.80} is at line {nearest}; write {name}:{nearest}"


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
