"""JSON input of the commands: one document per step, so that its product is recorded whole or not at all."""

from attrs import field, frozen

from lib.workflow.util.paths import project_paths

from ..limits import Depth
from ..record import ASKED, LINE, PLACE, TEXT, Found, Number, Source, Verdict


@frozen(kw_only=True)
class Survey:
    """The scope of a run, its depth and its sources."""

    scope: str = field(validator=TEXT)
    depth: Depth = Depth.FULL
    sources: tuple[Source, ...]


@frozen(kw_only=True)
class Chosen:
    """A dimension, and the sources that are searched for it."""

    dimension: str = field(validator=PLACE)
    sources: tuple[str, ...] = field(validator=PLACE)


@frozen(kw_only=True)
class Swept:
    """The result of a sweep."""

    dimension: str = field(validator=PLACE)
    searched: str = field(validator=TEXT)
    found: tuple[Found, ...]
    """The candidates that may be examined."""
    slips: tuple[Found, ...] = ()
    """Evident slips: the left place says something else than the right one, which nobody doubts."""
    more: tuple[Found, ...] = ()
    """Other candidates; the report lists them."""


@frozen(kw_only=True)
class Choice:
    """The decision to examine a candidate or not."""

    candidate: str = field(validator=PLACE)
    dive: bool
    why: str = field(validator=LINE)


@frozen(kw_only=True)
class Seen:
    """The evidence of a candidate."""

    candidate: str = field(validator=PLACE)
    evidence: str = field(validator=TEXT)


@frozen(kw_only=True)
class Judgement:
    """The verdict on a candidate."""

    candidate: str = field(validator=PLACE)
    verdict: Verdict
    reason: str = field(validator=LINE)


@frozen(kw_only=True)
class Posed:
    """A question for the user."""

    candidates: tuple[str, ...] = field(validator=PLACE)
    header: str = field(validator=LINE)
    text: str = field(validator=ASKED)
    options: tuple[str, ...] = field(validator=LINE)


@frozen(kw_only=True)
class Decision:
    """The rule that follows from an answer, and the files to write it in."""

    question: str = field(validator=PLACE)
    rule: str = field(validator=TEXT)
    files: tuple[str, ...] = field(converter=project_paths, validator=LINE)


@frozen(kw_only=True)
class Planned:
    """The task of one agent, and its wave."""

    wave: Number
    questions: tuple[str, ...] = field(validator=PLACE)
    files: tuple[str, ...] = field(converter=project_paths, validator=LINE)


@frozen(kw_only=True)
class Check:
    """The result of a check: a task must do what its rules say, and nothing else."""

    task: str = field(validator=PLACE)
    good: bool
    why: str = field(validator=LINE)


@frozen(kw_only=True)
class Correction:
    """A text of an entry, and its replacement."""

    old: str = field(validator=TEXT)
    new: str = field(validator=TEXT)
