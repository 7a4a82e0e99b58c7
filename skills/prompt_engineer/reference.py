"""The reference of techniques: `techniques.md` as values."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import frozen

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.records import Record, read_records

PATH: Final = os.path.join(os.path.dirname(__file__), "techniques.md")
PAPER: Final = r"(.+) \((\w[^()]*), (\d{4})\), (arXiv:\d{4}\.\d{4,5}|doi:10\.\d{4,9}/\S+)"


class Kind(StrEnum):
    """The part of a prompt, or of its use, that a technique changes."""

    EXAMPLES = "examples"
    STEPS = "steps"
    SPLIT = "split"
    CONTEXT = "context"
    FORM = "form"
    CHECK = "check"
    SEARCH = "search"


SERVES: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.EXAMPLES: "form, labels or standard are easier to show than to describe",
        Kind.STEPS: "the answer takes several inferences, or a calculation",
        Kind.SPLIT: "the work has parts that differ, or is too much for one call",
        Kind.CONTEXT: "the input is long, foreign, badly worded or incomplete",
        Kind.FORM: "the answer is read by a program, or its length and wording matter",
        Kind.CHECK: "a first answer exists and can be compared with something",
        Kind.SEARCH: "you can try several answers or prompts and pick the best",
    }
)
"""The condition under which the techniques of a kind can help."""


@frozen
class Paper:
    """A publication of a technique, or of a finding about it."""

    title: str
    author: str
    """The first author's surname."""
    year: int
    """The year of the first public version."""
    identifier: str
    """`arXiv:…` or `doi:…`."""


@frozen(kw_only=True)
class Technique:
    """One entry of the reference."""

    id: str
    title: str
    kind: Kind
    helps: str
    hurts: str
    papers: tuple[Paper, ...]
    text: str
    """The entry's text without its heading."""


def read_techniques(path: str = PATH) -> tuple[Technique, ...]:
    """Return all entries, in their order. Raises WorkflowError, with the entry, for a malformed one."""
    records = read_records(path, once=("kind", "does", "helps", "hurts"), optional=("measured",), many=("paper",))
    return tuple(_technique(record) for record in records)


def kinds() -> str:
    """Return the kinds, each with the number of its techniques and the condition for it."""
    count = Counter(item.kind for item in read_techniques())
    return "\n".join(f"{kind} ({count[kind]}): {SERVES[kind]}" for kind in Kind)


def table(*wanted: Kind) -> str:
    """Return the id and title of every technique of these kinds, by kind."""
    techniques = read_techniques()
    lines = [[kind, *(f"  {item.id}: {item.title}" for item in techniques if item.kind is kind)] for kind in wanted]
    return "\n".join(line for group in lines for line in group)


def _technique(record: Record) -> Technique:
    try:
        kind = Kind(record.one("kind"))
    except ValueError:
        raise WorkflowError(f"{record.id}: kind {record.one('kind')!r}; write one of {', '.join(Kind)}") from None
    return Technique(
        id=record.id,
        title=record.title,
        kind=kind,
        helps=record.one("helps"),
        hurts=record.one("hurts"),
        papers=tuple(_paper(record.id, text) for text in record.fields["paper"]),
        text=record.text,
    )


def _paper(entry: str, text: str) -> Paper:
    found = re.fullmatch(PAPER, text)
    if found is None:
        raise WorkflowError(f"{entry}: {text!r:.80}: write `Title (Author, year), arXiv:…`, or `doi:…` at the end")
    return Paper(found[1], found[2], int(found[3]), found[4])
