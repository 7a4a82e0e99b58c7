"""Search for contaminated wording in a text of any known language."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import frozen

from .comments import comments
from .kinds import Kind
from .languages import LANGUAGES, PLAIN, PROSE, PYTHON
from .pages import markdown_prose, plain_prose
from .passages import Line, Passage, passages
from .python import python_comments
from .wording import Where, rules

_WORD: Final = re.compile(r"(?<![\w.@$/\\'’-])[A-Za-z]++(?:['’-]\w++)?(?![\w=@/\\'’-]|\.\w)")
_DIGIT: Final = re.compile(r"\d")
_OPENS: Final = frozenset(".!?:;(|—–")
_SENTENCE: Final = re.compile(r"[.!?;]\s")
_CLAUSE: Final = re.compile(
    r"\b(?:if|when|whenever|once|until|whether|while|after|because|in case|that|which|what|who|whoever|whatever"
    r"|where|nothing|nobody|how)\b",
    re.IGNORECASE,
)
BEFORE: Final = 60
"""Characters before a word that are searched for the word's clause."""


@frozen(order=True)
class Finding:
    """Wording that is true only beside a change, a plan or an author."""

    line: int
    column: int
    kind: Kind
    wording: str


def findings(text: str, language: str) -> tuple[Finding, ...]:
    """Return the findings in a text of a language (a key of `languages`), in order."""
    return tuple(sorted(found for lines in _lines(text, language) for one in passages(lines) for found in of(one)))


def of(passage: Passage) -> Iterator[Finding]:
    """Yield the findings in a passage; if some overlap, the first."""
    text, end, by_word = passage.text, 0, rules()
    for found in _WORD.finditer(text):
        at, word = found.start(), _DIGIT.sub("0", found[0])
        if at < end:
            continue
        for rule in by_word.get(word) or by_word.get(word.lower(), ()):
            if _counts(text, at, rule.where) and (match := rule.then.match(text, found.end())):
                end = max(match.end(), found.end())
                yield Finding(*passage.place(at), rule.kind, text[at:end].rstrip())
                break


def _counts(text: str, at: int, where: Where) -> bool:
    if where is Where.ANY:
        return True
    if where is Where.OPENING:
        return at == 0 or (text[at - 1] == "(") or (text[at - 1] == " " and text[at - 2] in _OPENS)
    before = _SENTENCE.split(text[max(0, at - BEFORE) : at])[-1]
    return not _CLAUSE.search(before)


def _lines(text: str, language: str) -> Iterable[list[Line]]:
    if language in PYTHON:
        return python_comments(text)
    if language in PROSE:
        return markdown_prose(text)
    if language in PLAIN:
        return plain_prose(text)
    return comments(text, LANGUAGES[language])
