"""The record of a run: sources, sweeps, candidates, questions, tasks. Frozen: each change is a new value."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from attrs import evolve, field, frozen

from lib.workflow.arguments.parameter import Arg
from lib.workflow.util.characters import check_line
from lib.workflow.util.paths import project_paths, project_place
from lib.workflow.util.suggest import repeated

from .limits import MAX_ASKED, MAX_LINE, MAX_PLACE, MAX_TEXT, Depth
from .standing import Progress, Standing

if TYPE_CHECKING:
    from attrs import Attribute


class SourceKind(StrEnum):
    """The kind of a source, which decides the question if two sources differ."""

    DOCUMENT = "document"
    CODE = "code"
    CONFIGURATION = "configuration"
    SCHEMA = "schema"
    TEST = "test"
    OUTPUT = "output"


class Verdict(StrEnum):
    """The result of a candidate's check."""

    INCOHERENT = "incoherent"
    COHERENT = "coherent"
    UNDECIDED = "undecided"


class Line:
    """An attrs validator: one line of limited length that is not blank; or several, or none."""

    __slots__ = ("most",)

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, instance: object, attribute: "Attribute[Any]", value: str | tuple[str, ...] | None) -> None:
        for text in (value,) if isinstance(value, str) else value or ():
            self.check(text, f"{type(instance).__name__}.{attribute.name}")

    def check(self, text: str, where: str = "the text") -> None:
        """Raise ValueError, with the place, for any other text."""
        check_line(text, where)
        if not text.strip():
            raise ValueError(f"{where}: must not be blank")
        if len(text) > self.most:
            raise ValueError(f"{where}: has {len(text)} characters; the limit is {self.most}")


class Place(Line):
    """An attrs validator: `src/upload.py:8`, a file of the project and a place in it."""

    __slots__ = ()

    def check(self, text: str, where: str = "the text") -> None:
        """Raise ValueError, with the place, for any other text."""
        super().check(text, where)
        name, _, line = text.partition(":")
        try:
            project_place(text if len(name) == 1 and line.startswith("/") else name)  # `C:/` is a drive, not a file
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None


PLACE = Line(MAX_PLACE)
WHERE = Place(MAX_PLACE)
LINE = Line(MAX_LINE)
TEXT = Line(MAX_TEXT)
ASKED = Line(MAX_ASKED)
Number = Annotated[int, Arg(min=1)]
NOT_RUN = "not run:"
"""The prefix of a side's text that could not be tried."""


@frozen(kw_only=True)
class Source:
    """A place with claims or facts."""

    id: str = field(validator=PLACE)
    kind: SourceKind
    path: str = field(converter=project_place, validator=LINE)
    """A file or a folder, from the project's root."""


@frozen(kw_only=True)
class Sweep:
    """One dimension, searched by one agent."""

    dimension: str = field(validator=PLACE)
    sources: tuple[str, ...] = field(validator=PLACE)
    searched: str | None = field(default=None, validator=TEXT)
    """The places that were and were not searched; None while the sweep is open."""

    @property
    def id(self) -> str:
        """Return the dimension, which has only one sweep."""
        return self.dimension


@frozen(kw_only=True)
class Found:
    """Two places that seem to disagree about one fact."""

    fact: str = field(validator=LINE)
    """The subject of both, as a question that each would answer."""
    left: str = field(validator=WHERE)
    left_says: str = field(validator=LINE)
    right: str = field(validator=WHERE)
    right_says: str = field(validator=LINE)

    @property
    def not_run(self) -> bool:
        """Return True if a side could not be tried, so that nobody has seen it."""
        return self.left_says.startswith(NOT_RUN) or self.right_says.startswith(NOT_RUN)


@frozen(kw_only=True)
class Candidate:
    """A finding of a sweep, and its progress."""

    id: str = field(validator=PLACE)
    dimension: str = field(validator=PLACE)
    found: Found
    standing: Standing = Standing.FOUND
    why: str | None = field(default=None, validator=LINE)
    """The reason why it was dropped."""
    evidence: str | None = field(default=None, validator=TEXT)
    verdict: Verdict | None = None
    reason: str | None = field(default=None, validator=LINE)


@frozen(kw_only=True)
class Question:
    """A question to the user about candidates with one cause, and the rule that follows."""

    id: str = field(validator=PLACE)
    candidates: tuple[str, ...] = field(validator=PLACE)
    header: str = field(validator=LINE)
    text: str = field(validator=ASKED)
    options: tuple[str, ...] = field(validator=LINE)
    answer: str | None = field(default=None, validator=TEXT)
    rule: str | None = field(default=None, validator=TEXT)
    """The rule that holds from now on, by the answer."""
    files: tuple[str, ...] = field(default=(), converter=project_paths, validator=LINE)
    """The files that the rule changes; empty if nothing changes."""


@frozen(kw_only=True)
class Task:
    """The changes of one agent in a wave."""

    id: str = field(validator=PLACE)
    wave: Number
    questions: tuple[str, ...] = field(validator=PLACE)
    files: tuple[str, ...] = field(converter=project_paths, validator=LINE)
    progress: Progress = Progress.OPEN
    tries: Number = 1
    blocked: bool = False
    """True if its agent reports that it could not be done."""
    report: str | None = field(default=None, validator=TEXT)
    """The agent's report; for a task that is open again, the reason why its check failed."""

    @property
    def checked(self) -> int:
        """Return the number of its checks."""
        return self.tries - (self.progress in UNFINISHED)


class Named(Protocol):
    """An entry with an id."""

    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=Named)


@frozen(kw_only=True)
class Run:
    """All entries of a run."""

    scope: str = field(validator=TEXT)
    depth: Depth = Depth.FULL
    sources: tuple[Source, ...]
    sweeps: tuple[Sweep, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    questions: tuple[Question, ...] = ()
    tasks: tuple[Task, ...] = ()

    def open_sweeps(self) -> tuple[Sweep, ...]:
        """Return the sweeps that no agent has closed."""
        return tuple(sweep for sweep in self.sweeps if sweep.searched is None)

    def of(self, standing: Standing) -> tuple[Candidate, ...]:
        """Return the candidates with that status."""
        return tuple(each for each in self.candidates if each.standing is standing)

    def to_dive(self) -> tuple[Candidate, ...]:
        """Return the candidates that were selected and not examined."""
        return tuple(each for each in self.of(Standing.SELECTED) if each.evidence is None)

    def to_judge(self) -> tuple[Candidate, ...]:
        """Return the candidates that were examined and have no verdict."""
        return tuple(each for each in self.of(Standing.SELECTED) if each.evidence and each.verdict is None)

    def contradictions(self) -> tuple[Candidate, ...]:
        """Return the incoherent candidates and the slips."""
        return tuple(
            each for each in self.candidates if each.verdict is Verdict.INCOHERENT or each.standing is Standing.SLIP
        )

    def to_pose(self) -> tuple[Candidate, ...]:
        """Return the contradictions without a question."""
        posed = {name for question in self.questions for name in question.candidates}
        return tuple(each for each in self.contradictions() if each.id not in posed)

    def to_ask(self) -> tuple[Question, ...]:
        """Return the questions that the user has not answered."""
        return tuple(each for each in self.questions if each.answer is None)

    def to_settle(self) -> tuple[Question, ...]:
        """Return the answers without a rule."""
        return tuple(each for each in self.questions if each.answer and each.rule is None)

    def to_change(self) -> tuple[Question, ...]:
        """Return the questions whose rule changes files."""
        return tuple(each for each in self.questions if each.files)

    def wave(self) -> int | None:
        """Return the current wave: the first with a task that is neither accepted nor failed."""
        return min((each.wave for each in self.tasks if each.progress in UNFINISHED), default=None)

    def tasks_of(self, progress: Progress, wave: int | None) -> tuple[Task, ...]:
        """Return the tasks of a wave with that progress."""
        return tuple(each for each in self.tasks if each.progress is progress and each.wave == wave)

    def checks(self) -> int:
        """Return the number of times that waves were checked."""
        waves = {each.wave for each in self.tasks}
        return sum(max(each.checked for each in self.tasks if each.wave == wave) for wave in waves)

    def check(self) -> None:
        """Raise ValueError for duplicate ids, and for references that lead nowhere."""
        for many in (self.sources, self.candidates, self.questions, self.tasks):
            _distinct(tuple(each.id for each in many))
        _distinct(tuple(sweep.dimension for sweep in self.sweeps))
        _lead(self.sources, (name for sweep in self.sweeps for name in sweep.sources))
        _lead(self.candidates, (name for each in self.questions for name in each.candidates))
        _lead(self.questions, (name for task in self.tasks for name in task.questions))


UNFINISHED = (Progress.OPEN, Progress.DELIVERED)


def _distinct(ids: tuple[str, ...]) -> None:
    for name in repeated(ids):
        raise ValueError(f"duplicate id {name!r}")


def _lead(targets: Iterable[Named], names: Iterable[str]) -> None:
    strangers = sorted(set(names) - {each.id for each in targets})
    if strangers:
        raise ValueError(f"unknown id {strangers[0]!r}")


def changed(many: tuple[N, ...], ids: Iterable[str], by: Callable[[N], N]) -> tuple[N, ...]:
    """Return the entries, with those of the given ids changed by the function."""
    chosen = frozenset(ids)
    return tuple(by(each) if each.id in chosen else each for each in many)


def answered(run: Run, answers: Mapping[str, str]) -> Run:
    """Return the run with the user's answers, by the id of the question."""
    return evolve(run, questions=changed(run.questions, answers, lambda each: evolve(each, answer=answers[each.id])))
