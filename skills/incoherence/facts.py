"""What fills the slots of the texts: what is on record, in lines, as many as a print has room for."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from lib.workflow.core import StepContext

from .handlers import candidate_of, run_of, sweep_of, task_of
from .orders import Fact, own
from .standing import Standing

if TYPE_CHECKING:
    from .record import Candidate, Question, Task

Entries: TypeAlias = Iterable[tuple[str, str]]
"""What is on record, by id."""
ROOM: Final = 5000
"""Characters of a list that has a print to itself; what exceeds them is named by its id."""


def shown(entries: Callable[[StepContext], Entries], room: int = ROOM) -> Fact:
    """Entries as text, as many as there is room for; of the rest the ids, with the command that shows one."""

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


def cut(text: str, most: int) -> str:
    """The text, or its beginning."""
    return text if len(text) <= most else f"{text[: most - 2].rstrip()} …"


def scope(context: StepContext) -> str:
    """What the run looks at."""
    return run_of(context).scope


def sources(context: StepContext) -> Entries:
    """All sources."""
    return ((s.id, f"{s.id} | {s.kind} | {s.path}") for s in run_of(context).sources)


def dimensions(context: StepContext) -> str:
    """The dimensions to choose from."""
    from .dimensions import table

    return table()


def part(field: str) -> Fact:
    """What the data says of the dimension that is swept."""

    def told(context: StepContext) -> str:
        from .dimensions import read_dimensions

        name = sweep_of(context).dimension
        return next(each.one(field) for each in read_dimensions() if each.id == name)

    return told


def places(context: StepContext) -> Entries:
    """The sources of this sweep."""
    chosen = sweep_of(context).sources
    told = [source for source in run_of(context).sources if source.id in chosen]
    return ((s.id, f"{s.id} | {s.kind} | {s.path}") for s in told)


def searched(context: StepContext) -> Entries:
    """What each sweep says that it searched."""
    sweeps = run_of(context).sweeps
    return ((each.dimension, f"{each.dimension}: {cut(each.searched or 'open', 180)}") for each in sweeps)


def _pair(each: "Candidate") -> str:
    found = each.found
    left = f"{cut(found.left, 40)}: {cut(found.left_says, 50)}"
    right = f"{cut(found.right, 40)}: {cut(found.right_says, 50)}"
    return f"{each.id} | {each.dimension} | {cut(found.fact, 60)} | {left} | {right}"


def candidates(context: StepContext) -> Entries:
    """The candidates that nobody has chosen or dropped."""
    return ((each.id, _pair(each)) for each in run_of(context).of(Standing.FOUND))


def _both(each: "Candidate") -> str:
    found = each.found
    sides = f"  {found.left}: {found.left_says}\n  {found.right}: {found.right_says}"
    return f"{each.id} | {each.dimension} | {found.fact}\n{sides}"


def candidate(context: StepContext) -> str:
    """The candidate that is looked into."""
    return _both(candidate_of(context))


def evidence(context: StepContext) -> Entries:
    """What the looks have shown."""
    waiting = run_of(context).to_judge()
    return ((each.id, f"{each.id} | {each.found.fact}\n  {each.evidence}") for each in waiting)


def unasked(context: StepContext) -> Entries:
    """The incoherent candidates that no question is about."""
    waiting = run_of(context).to_pose()
    return ((each.id, f"{_both(each)}\n  verdict: {each.reason}") for each in waiting)


def _question(each: "Question") -> str:
    return f"{each.id} | {', '.join(each.candidates)} | {each.text}"


def to_ask(context: StepContext) -> str:
    """Which questions of the batch are open."""
    return ", ".join(each.id for each in run_of(context).to_ask()) or "none"


def answers(context: StepContext) -> Entries:
    """The answers that no rule was made of."""
    waiting = run_of(context).to_settle()
    return ((each.id, f"{_question(each)}\n  the user: {each.answer}") for each in waiting)


def rules(context: StepContext) -> Entries:
    """The rules so far, with the files that they change."""
    told = [each for each in run_of(context).questions if each.rule]
    return ((each.id, f"{each.id} | {each.rule}\n  {_files(each.files)}") for each in told)


def _files(files: tuple[str, ...]) -> str:
    return f"changes: {', '.join(files)}" if files else "changes nothing"


def task(context: StepContext) -> Entries:
    """The task of this agent: its files, the rules, the places that disagree."""
    run, mine = run_of(context), task_of(context)
    lines = [f"{mine.id} | files: {', '.join(mine.files)}"]
    for question in run.questions:
        if question.id in mine.questions:
            lines.append(f"{question.id} | rule: {question.rule}")
            named = [each for each in run.candidates if each.id in question.candidates]
            lines += [f"  {each.found.left} against {each.found.right}: {each.found.fact}" for each in named]
    if mine.tries > 1:
        lines.append(f"The last try did not hold: {mine.report}")
    return ((mine.id, line) for line in lines)


def _task(each: "Task") -> str:
    blocked = " (blocked)" if each.blocked else ""
    said = f": {each.report}" if each.report else ""
    about = f"{each.id} | wave {each.wave} | {', '.join(each.questions)} | {', '.join(each.files)}"
    return f"{about}\n  {each.progress}{blocked}{said}"


def delivered(context: StepContext) -> Entries:
    """What the agents of the wave say."""
    run = run_of(context)
    return ((each.id, _task(each)) for each in run.tasks if each.wave == run.wave())


def tasks(context: StepContext) -> Entries:
    """All tasks, and how far each has come."""
    return ((each.id, _task(each)) for each in run_of(context).tasks)


def outcome(context: StepContext) -> Entries:
    """Every candidate, with what became of it."""
    run = run_of(context)
    rule = {name: each for each in run.questions for name in each.candidates}
    lines = []
    for each in run.candidates:
        about = f"{each.id} | {cut(each.found.fact, 60)} | {cut(each.found.left, 40)} | {cut(each.found.right, 40)}"
        why = rule[each.id].id if each.id in rule else cut(each.reason or each.why or "", 60)
        lines.append((each.id, f"{about} | {each.verdict or each.standing}{f', {why}' if why else ''}"))
    return lines
