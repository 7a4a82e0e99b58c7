"""Slots of the texts: the entries of a run in lines, up to the limit of a page."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from lib.workflow.core import StepContext

from .handlers import candidate_of, run_of, sweep_of, task_of
from .limits import MAX_LINE
from .orders import Fact, own
from .standing import Progress, Standing

if TYPE_CHECKING:
    from .record import Candidate, Question, Run, Task

Entries: TypeAlias = Iterable[tuple[str, str]]
"""Entries of a run, by id."""
ROOM: Final = 4000
"""Most characters of a list that has a page to itself. The rest is named by id."""
CUT: Final = " …"
"""The end of a text that is cut."""


def shown(entries: Callable[[StepContext], Entries], room: int = ROOM) -> Fact:
    """Return a slot that shows entries up to `room` characters, then the ids of the rest and a command to show one."""

    def text(context: StepContext) -> str:
        left, lines, rest = room, list[str](), list[str]()
        for name, line in entries(context):
            left -= len(line) + 1
            rest.append(name) if left < 0 else lines.append(line)
        if rest:
            command = own("show", rest[0])(context)
            lines.append(f"and {len(rest)} more, {', '.join(dict.fromkeys(rest))}; one whole: {command}")
        return "\n".join(lines) or "none"

    return text


def cell(text: str) -> str:
    """Return the text as a column of a row, with bars escaped."""
    return text.replace("|", "\\|")


def cut(text: str, most: int) -> str:
    """Return the text, cut to a length."""
    return text if len(text) <= most else f"{text[: most - 2].rstrip()}{CUT}"


def scope(context: StepContext) -> str:
    """Return the scope of the run."""
    return run_of(context).scope


def sources(context: StepContext) -> Entries:
    """Return all sources."""
    return ((s.id, f"{cell(s.id)} | {s.kind} | {cell(s.path)}") for s in run_of(context).sources)


def dimensions(context: StepContext) -> str:
    """Return the dimensions to choose from."""
    from .dimensions import table

    return table()


def part(field: str) -> Fact:
    """Return a slot with a field of the swept dimension."""

    def text(context: StepContext) -> str:
        from .dimensions import read_dimensions

        name = sweep_of(context).dimension
        return next(each.one(field) for each in read_dimensions() if each.id == name)

    return text


def places(context: StepContext) -> Entries:
    """Return the sources of this sweep."""
    chosen = sweep_of(context).sources
    sources = [source for source in run_of(context).sources if source.id in chosen]
    return ((s.id, f"{cell(s.id)} | {s.kind} | {cell(s.path)}") for s in sources)


def searched(context: StepContext) -> Entries:
    """Return the places that each sweep reports as searched."""
    sweeps = run_of(context).sweeps
    return ((each.dimension, f"{each.dimension}: {each.searched or 'open'}") for each in sweeps)


def _pair(each: "Candidate", fact: int = 60, words: int = 50) -> str:
    found = each.found
    left = f"{found.left}: {cut(found.left_says, words)}"
    right = f"{found.right}: {cut(found.right_says, words)}"
    return f"{each.id} | {each.dimension} | {cell(cut(found.fact, fact))} | {cell(left)} | {cell(right)}"


def candidates(context: StepContext) -> Entries:
    """Return the candidates that are neither chosen nor dropped."""
    return ((each.id, _pair(each)) for each in run_of(context).of(Standing.FOUND))


def cut_pairs(run: "Run") -> Iterator[str]:
    """Yield the candidates whose row is cut."""
    return (
        each.id
        for each in run.of(Standing.FOUND)
        if _pair(each).count(CUT) > _pair(each, MAX_LINE, MAX_LINE).count(CUT)
    )


def _both(each: "Candidate") -> str:
    found = each.found
    sides = f"  {found.left}: {found.left_says}\n  {found.right}: {found.right_says}"
    return f"{each.id} | {each.dimension} | {cell(found.fact)}\n{sides}"


def candidate(context: StepContext) -> str:
    """Return the candidate that is examined."""
    return _both(candidate_of(context))


def evidence(context: StepContext) -> Entries:
    """Return the evidence of the checks."""
    waiting = run_of(context).to_judge()
    return ((each.id, f"{each.id} | {cell(each.found.fact)}\n  {each.evidence}") for each in waiting)


def unasked(context: StepContext) -> Entries:
    """Return the incoherent candidates without a question. The page of the verdicts printed their evidence."""
    waiting = run_of(context).to_pose()
    return ((each.id, _both(each)) for each in waiting)


def to_ask(context: StepContext) -> str:
    """Return the open questions of the batch."""
    return ", ".join(each.id for each in run_of(context).to_ask()) or "none"


def answers(context: StepContext) -> Entries:
    """Return the answers without a rule."""
    waiting = run_of(context).to_settle()
    return ((q.id, f"{q.id} | {', '.join(q.candidates)} | {cell(q.header)}\n  the user: {q.answer}") for q in waiting)


def rules(context: StepContext) -> Entries:
    """Return the rules so far, with the files that they change."""
    return (_rule(each) for each in run_of(context).questions if each.rule)


def rules_of_wave(context: StepContext) -> Entries:
    """Return the rules that tasks of the wave carry out."""
    run = run_of(context)
    named = {name for each in run.tasks if each.wave == run.wave() for name in each.questions}
    return (_rule(each) for each in run.questions if each.id in named)


def _rule(each: "Question") -> tuple[str, str]:
    return each.id, f"{each.id} | {cell(each.rule or '')}\n  {_files(each.files)}"


def _files(files: tuple[str, ...]) -> str:
    return f"changes: {', '.join(files)}" if files else "changes nothing"


def task(context: StepContext) -> Entries:
    """Return the task of this agent: its files, the rules, the places that disagree."""
    run, mine = run_of(context), task_of(context)
    lines = [f"{mine.id} | files: {cell(', '.join(mine.files))}"]
    for question in run.questions:
        if question.id in mine.questions:
            lines.append(f"{question.id} | rule: {cell(question.rule or '')}")
            named = [each for each in run.candidates if each.id in question.candidates]
            lines += [f"  {each.found.left} against {each.found.right}: {each.found.fact}" for each in named]
    if mine.tries > 1:
        lines.append(f"The last try did not hold: {mine.report}")
    return ((mine.id, line) for line in lines)


def _task(each: "Task") -> str:
    blocked = " (blocked)" if each.blocked else ""
    said = f": {each.report}" if each.report else ""
    about = f"{each.id} | wave {each.wave} | {', '.join(each.questions)} | {cell(', '.join(each.files))}"
    return f"{about}\n  {each.progress}{blocked}{said}"


def delivered(context: StepContext) -> Entries:
    """Return the reports of the wave's agents."""
    run = run_of(context)
    return ((each.id, _task(each)) for each in run.tasks if each.wave == run.wave())


def open_tasks(context: StepContext) -> Entries:
    """Return the open tasks of the wave: their files, and the reason why a check failed."""
    run = run_of(context)
    for each in run.tasks_of(Progress.OPEN, run.wave()):
        again = f"\n  not good: {each.report}" if each.report else ""
        yield each.id, f"{each.id} | {', '.join(each.questions)} | {cell(', '.join(each.files))}{again}"


def states(context: StepContext) -> Entries:
    """Return all tasks with their progress; those that are not accepted with their files and the reason."""
    for each in run_of(context).tasks:
        yield each.id, f"{each.id} | accepted" if each.progress is Progress.ACCEPTED else _task(each)


def _places(each: "Candidate") -> str:
    found = each.found
    return f"{each.id} | {cell(cut(found.fact, 60))} | {cell(found.left)} | {cell(found.right)}"


def outcome(context: StepContext) -> Entries:
    """Yield every candidate that was examined, with its result."""
    run = run_of(context)
    rule = {name: each for each in run.questions for name in each.candidates}
    for each in run.of(Standing.SELECTED):
        why = rule[each.id].id if each.id in rule else cut(each.reason or "", 60)
        yield each.id, f"{_places(each)} | {each.verdict or each.standing}{f', {cell(why)}' if why else ''}"


def unseen(context: StepContext) -> Entries:
    """Return every candidate that was not examined, with both places and the reason."""
    left = (each for each in run_of(context).candidates if each.standing is not Standing.SELECTED)
    return ((each.id, f"{_places(each)} | {cell(cut(each.why or 'nobody chose', 60))}") for each in left)
