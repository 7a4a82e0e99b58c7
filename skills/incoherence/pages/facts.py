"""Slots of the texts: the entries of a run in lines, up to the limit of a page."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from lib.workflow.core import StepContext

from ..handlers import candidates_of, run_of, sweeps_of, task_of
from ..standing import Progress, Standing
from .dimensions import read_dimensions, table
from .orders import Fact, own
from .rows import BEYOND, cell, places, sides, whole

if TYPE_CHECKING:
    from lib.workflow.prompts.records import Record

    from ..record import Candidate, Question, Run, Task

Entries: TypeAlias = Iterable[tuple[str, str]]
"""Entries of a run, by id."""
ROOM: Final = 4000
"""Most characters of a list that has a page to itself. A command shows the rest."""


def shown(entries: Callable[[StepContext], Entries], room: int = ROOM) -> Fact:
    """Return a slot that shows entries up to `room` characters, then a command that shows the rest."""

    def text(context: StepContext) -> str:
        left, lines, rest = room, list[str](), list[str]()
        for name, line in entries(context):
            left -= len(line) + 1
            rest.append(name) if left < 0 else lines.append(line)
        if rest:
            lines += [f"and {len(rest)} more:", str(own("show", ",".join(dict.fromkeys(rest)))(context))]
        return "\n".join(lines) or "none"

    return text


def scope(context: StepContext) -> str:
    """Return the scope of the run."""
    return run_of(context).scope


def dimensions(context: StepContext) -> str:
    """Return the dimensions to choose from."""
    return table()


def parts(context: StepContext) -> str:
    """Return what is compared in each dimension of this agent, and its sources."""
    known = {each.id: each for each in read_dimensions()}
    return "\n".join(_part(known[each.dimension], each.sources) for each in sweeps_of(context))


def _part(each: "Record", sources: tuple[str, ...]) -> str:
    return (
        f"{each.id} | {', '.join(map(cell, sources))}\n  compare: {each.one('compares')}\n  look: {each.one('look')}\n"
        f"  example: {each.one('example')}\n  no candidate: {each.one('not')}"
    )


def sources(context: StepContext) -> Entries:
    """Return the sources of this agent's dimensions."""
    chosen = {name for each in sweeps_of(context) for name in each.sources}
    found = (source for source in run_of(context).sources if source.id in chosen)
    return ((s.id, f"{cell(s.id)} | {s.kind} | {cell(s.path)}") for s in found)


def searched(context: StepContext) -> Entries:
    """Return the places that each sweep reports as searched."""
    sweeps = run_of(context).sweeps
    return ((each.dimension, f"{each.dimension}: {each.searched or 'open'}") for each in sweeps)


def candidates(context: StepContext) -> Entries:
    """Return the candidates that are neither chosen nor dropped."""
    return ((each.id, places(each)) for each in run_of(context).of(Standing.FOUND))


def slips(context: StepContext) -> int:
    """Return the number of slips, which are not chosen from."""
    return len(run_of(context).of(Standing.SLIP))


def examined(context: StepContext) -> Entries:
    """Return the candidates that this agent examines."""
    return ((each.id, whole(each)) for each in candidates_of(context))


def evidence(context: StepContext) -> Entries:
    """Return the evidence of the checks."""
    waiting = run_of(context).to_judge()
    return ((each.id, f"{each.id} | {cell(each.evidence or '')}") for each in waiting)


def unasked(context: StepContext) -> Entries:
    """Return the incoherent candidates without a question. The page of the verdicts printed their evidence."""
    waiting = (each for each in run_of(context).to_pose() if each.standing is not Standing.SLIP)
    return ((each.id, sides(each)) for each in waiting)


def unasked_slips(context: StepContext) -> str:
    """Return the sentence about slips that wait for the user; empty without slips."""
    run = run_of(context)
    waiting = [each for each in run.to_pose() if each.standing is Standing.SLIP]
    only = " Record an empty list if no candidate is listed above." if len(waiting) == len(run.to_pose()) else ""
    return f"The command adds the question about evident slips: {len(waiting)}.{only}" if waiting else ""


def answers(context: StepContext) -> Entries:
    """Return the answers without a rule."""
    waiting = run_of(context).to_settle()
    return ((q.id, f"{q.id} | {', '.join(q.candidates)} | {cell(q.header)}\n  the user: {q.answer}") for q in waiting)


def rules(context: StepContext) -> str:
    """Return the earlier rules by id, if there are any."""
    before = [each.id for each in run_of(context).questions if each.rule]
    return f"Rules of earlier rounds: {own('show', ','.join(before))(context)}" if before else ""


def task(context: StepContext) -> Entries:
    """Return the task of this agent: its files, the rules, the places that disagree."""
    run, mine = run_of(context), task_of(context)
    lines = [f"{mine.id} | files: {cell(', '.join(mine.files))}"]
    for question in run.questions:
        if question.id in mine.questions:
            lines.append(f"{question.id} | rule: {cell(question.rule or '')}")
            named = (each for each in run.candidates if each.id in question.candidates)
            lines += [_change(each) for each in named if not _is_elsewhere(each, question, mine)]
    if mine.tries > 1:
        lines.append(f"The last try did not hold: {mine.report}")
    return ((mine.id, line) for line in lines)


def _is_elsewhere(each: "Candidate", question: "Question", mine: "Task") -> bool:
    """Return True for a slip whose wrong place is in a file of the rule that the agent of another task changes."""
    name = each.found.left.partition(":")[0]
    return each.standing is Standing.SLIP and name in question.files and name not in mine.files


def _change(each: "Candidate") -> str:
    """Return both places, for the agent that changes them; for a slip with their words, which are the rule."""
    found = each.found
    if each.standing is Standing.SLIP:
        return f"  {found.left} says “{found.left_says}”; {found.right} says “{found.right_says}”"
    return f"  {found.left} against {found.right}: {found.fact}"


def _task(each: "Task") -> str:
    blocked = " (blocked)" if each.blocked else ""
    said = f": {each.report}" if each.report else ""
    about = f"{each.id} | wave {each.wave} | {', '.join(each.questions)} | {cell(', '.join(each.files))}"
    return f"{about}\n  {each.progress}{blocked}{said}"


def delivered(context: StepContext) -> Entries:
    """Return the reports of the wave's agents that nobody has checked."""
    run = run_of(context)
    return ((each.id, _task(each)) for each in run.tasks_of(Progress.DELIVERED, run.wave()))


def states(context: StepContext) -> Entries:
    """Return the tasks that are not accepted, with their files and the reason."""
    return ((each.id, _task(each)) for each in run_of(context).tasks if each.progress is not Progress.ACCEPTED)


def counts(context: StepContext) -> str:
    """Return the number of contradictions, and what became of them."""
    run = run_of(context)
    rule = {name: each for each in run.questions for name in each.candidates if each.rule}
    every = run.contradictions()
    kept = [each for each in every if each.id in rule and not rule[each.id].files]
    fixed = [each for each in every if each.id in rule and _is_done(run, rule[each.id])]
    left = ", ".join(each.id for each in every if each not in kept and each not in fixed)
    slips = sum(each.standing is Standing.SLIP for each in every)
    return (
        f"Contradictions {len(every)}, of them slips {slips}; fixed {len(fixed)}, decided without a change "
        f"{len(kept)}, left {len(every) - len(kept) - len(fixed)}{f' ({left})' if left else ''}"
    )


def _is_done(run: "Run", rule: "Question") -> bool:
    """Return True if accepted tasks have changed each file of the rule."""
    accepted = [each for each in run.tasks if each.progress is Progress.ACCEPTED and rule.id in each.questions]
    done = {file for each in accepted for file in each.files}
    return bool(rule.files) and done.issuperset(rule.files)


def corrected(context: StepContext) -> str:
    """Return the sentence about the count of a run with a failed task, whose files the step before restored."""
    failed = any(each.progress is Progress.FAILED for each in run_of(context).tasks)
    return " Correct the count by `STATE`." if failed else ""


def others(context: StepContext) -> Entries:
    """Return the candidates that were examined and are not incoherent, with the reason."""
    run = run_of(context)
    found = (each for each in run.of(Standing.SELECTED) if each not in run.contradictions())
    return ((each.id, f"{places(each)} | {each.verdict or 'open'}, {cell(each.reason or '')}") for each in found)


def unseen(context: StepContext) -> Entries:
    """Yield every candidate that was not examined; in full those that step 8 did not print."""
    left = [each for each in run_of(context).candidates if each.standing in (Standing.FOUND, Standing.DROPPED)]
    chosen = [each.id for each in left if each.why != BEYOND]
    if chosen:
        yield ",".join(chosen), f"{', '.join(chosen)}: as in step 8"
    yield from ((each.id, places(each)) for each in left if each.why == BEYOND)
