"""The marks in a reply: a way, a verdict, a list. Decoration around them does not matter; two answers do.

A model writes `**WAY: 2**.`, `- FAIL: qa-1` or a list in a code fence, as a person would. So controls, Markdown
emphasis, quotes, headings, list marks, fences and a final full stop are removed before a mark is looked for.
"""

import re
from collections.abc import Iterator
from typing import Final

from ...util.terminal import plain

LIST_BEGIN: Final = "LIST:"
LIST_END: Final = "END OF LIST"
_DECORATION: Final = re.compile(r"[*_`~]+")
_BEFORE: Final = re.compile(r"[ \t>#+|\u2022-]*(?:\d{1,3}[.)] +)?")
_WAY: Final = re.compile(r"WAY ?[:=]? ?(\d{1,3})", re.IGNORECASE)
_VERDICT: Final = re.compile(
    r"(?:[\w./#-]{1,60} ?[:=|] ?|(?:(?:[Tt]he|[Mm]y|[Ff]inal|[Oo]verall) ){0,2}[Vv]erdict(?: is)? ?[:=|]? ?)?"
    r"(PASS(?:ED)?|FAIL(?:ED|URE|S)?)\b(.*)"
)
_NONE: Final = re.compile(r" ?[:=|-]? ?(?:0|none|nothing|no items?|n/a)\b", re.IGNORECASE)
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)[\w-]*[ \t]*")
_ENTRY: Final = re.compile(r"([ \t]*)(?:[*+\u2022]|\d{1,3}[.)]) +[*_`]*([A-Za-z_][\w.-]*)[*_`]*:[*_`]*")


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a reply without decoration."""
    for line in plain(text).split("\n"):
        bare = _DECORATION.sub("", line)
        yield bare[_match(_BEFORE, bare).end() :].rstrip(" \t.|")


def _match(pattern: "re.Pattern[str]", text: str) -> "re.Match[str]":
    found = pattern.match(text)
    assert found is not None
    return found


def ways(text: str) -> set[int]:
    """Return the numbers of all ways that a reply names."""
    found = (_WAY.fullmatch(line) for line in _lines(text))
    return {int(each[1]) for each in found if each}


def verdicts(text: str) -> set[bool]:
    """Return the verdicts in a reply, of the whole or of items: True for PASS, False for FAIL.

    A line with both words does not count, because it may repeat the question. `FAIL: none` and `PASS: 0` are counts.
    """
    said = set[bool]()
    for line in _lines(text):
        found = _VERDICT.match(line)
        if found is None:
            continue
        passed, rest = found[1].startswith("PASS"), found[2]
        if _NONE.match(rest) or ("FAIL" if passed else "PASS") in rest:
            continue
        said.add(passed)
    return said


def lists(text: str) -> tuple[str, ...]:
    """Return the different lists in a reply, between their marks.

    Raises:
        ValueError: If a list is not closed.
    """
    found: dict[str, None] = {}
    held: list[str] | None = None
    raw = plain(text).split("\n")
    for line, bare in zip(raw, _lines(text), strict=True):
        if held is None:
            held = [] if bare in (LIST_BEGIN, LIST_BEGIN[:-1]) else None
        elif bare.rstrip(":") == LIST_END:
            found[_tidied(held)] = None
            held = None
        elif not _FENCE.fullmatch(line):
            held.append(line)
    if held is not None:
        raise ValueError(f"its list is not closed; write {LIST_END} below it")
    return tuple(found)


def _tidied(lines: list[str]) -> str:
    """Return a list with `- ` before each entry."""
    first = next((line for line in lines if line.strip()), "")
    entry = _ENTRY.match(first)
    if entry is not None:
        margin = entry[1]
        lines = [
            f"{margin}- {each[2]}:{line[each.end() :]}" if (each := _ENTRY.match(line)) and each[1] == margin else line
            for line in lines
        ]
    return "".join(f"{line}\n" for line in lines)
