"""What the commands are told as JSON: one document a step, so that its product is on record whole or not at all."""

from attrs import field, frozen

from lib.workflow.util.paths import project_paths

from ..record import ASKED, LINE, PLACE, TEXT, Found, Number, Source, Verdict


@frozen(kw_only=True)
class Survey:
    """What is looked at, and its sources."""

    scope: str = field(validator=TEXT)
    sources: tuple[Source, ...]


@frozen(kw_only=True)
class Chosen:
    """A dimension, and the sources that it is looked for in."""

    dimension: str = field(validator=PLACE)
    sources: tuple[str, ...] = field(validator=PLACE)


@frozen(kw_only=True)
class Swept:
    """What came of a sweep."""

    searched: str = field(validator=TEXT)
    found: tuple[Found, ...]
    """What may be looked into."""
    more: tuple[Found, ...] = ()
    """What was found besides; the report lists it."""


@frozen(kw_only=True)
class Choice:
    """Whether a candidate is looked into."""

    candidate: str = field(validator=PLACE)
    dive: bool
    why: str = field(validator=LINE)


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
    """What an answer makes true, and where that is to be written."""

    question: str = field(validator=PLACE)
    rule: str = field(validator=TEXT)
    files: tuple[str, ...] = field(converter=project_paths, validator=LINE)


@frozen(kw_only=True)
class Planned:
    """What one agent is to change, and in which wave."""

    wave: Number
    questions: tuple[str, ...] = field(validator=PLACE)
    files: tuple[str, ...] = field(converter=project_paths, validator=LINE)


@frozen(kw_only=True)
class Check:
    """Whether a task has done what its rules say, and nothing else."""

    task: str = field(validator=PLACE)
    good: bool
    why: str = field(validator=LINE)
