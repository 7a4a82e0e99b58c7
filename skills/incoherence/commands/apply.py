"""Commands of the applying steps: tasks in waves, the deliveries of their agents, the results of checks."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from attrs import evolve

from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.util.paths import file_key

from ..limits import MAX_FILES, MAX_TASKS, MAX_TRIES
from ..record import TEXT, Run, Task, changed
from ..standing import Progress
from .detect import Result
from .requests import Check, Planned
from .telling import each_once, one, refused, result_of

TaskId: TypeAlias = Annotated[str, Flag(positional=True, description="the id of a task, such as T-001")]
Said: TypeAlias = Annotated[str, Flag(long=True, rule=TEXT.check, description="what was changed, or why not; one line")]


class Delivery(StrEnum):
    """The result that an agent reports of its task."""

    DONE = "done"
    BLOCKED = "blocked"


def plan(
    run: Run, tasks: Annotated[tuple[Planned, ...], Flag(description="a list of wave, questions, files")]
) -> Result:
    """Record which files are changed together, and in which order. You can change it until a task is delivered."""
    if not 1 <= len(tasks) <= MAX_TASKS:
        raise RequestError("{tasks}: 1 to {most}", most=str(MAX_TASKS))
    for each in tasks:
        if not each.questions or not 1 <= len(each.files) <= MAX_FILES:
            raise RequestError("{tasks}: a task has questions, and 1 to {most} files", most=str(MAX_FILES))
    if any(task.progress is not Progress.OPEN or task.tries > 1 for task in run.tasks):
        raise refused("tasks", "a task is already delivered", "Go on with the tasks as they are.")
    if sorted({each.wave for each in tasks}) != list(range(1, max(each.wave for each in tasks) + 1)):
        raise refused("waves", "the numbers have a gap", "Count waves from 1.")
    _disjoint(tasks)
    _complete(run, tasks)
    new = tuple(
        Task(id=f"T-{n:03d}", wave=each.wave, questions=each.questions, files=each.files)
        for n, each in enumerate(tasks, 1)
    )
    after = evolve(run, tasks=new)
    return after, result_of("tasks", after != run)


def _disjoint(tasks: tuple[Planned, ...]) -> None:
    """Refuse two tasks of a wave that change the same file, because their agents would undo each other's work."""
    seen: set[tuple[int, str]] = set()
    for task in tasks:
        for name in task.files:
            key = file_key(name)
            if (task.wave, key) in seen:
                raise refused(name, f"two tasks of wave {task.wave} change it", "Put them into one task, or two waves.")
            seen.add((task.wave, key))


def _complete(run: Run, tasks: tuple[Planned, ...]) -> None:
    """Check that every file of every rule is changed by a task, and that no other file is."""
    wanted = {(each.id, name) for each in run.to_change() for name in each.files}
    named = {name for _, name in wanted}
    given = {(question, name) for task in tasks for question in task.questions for name in task.files}
    for task in tasks:
        for question in task.questions:
            one(run.to_change(), question)
        for name in task.files:
            if name not in named:
                raise refused(name, "no rule changes it", "Leave it out, or name it in the decision that changes it.")
    for question, name in sorted(wanted - given):
        raise refused(question, f"no task changes {name} for it", "Add the file, and the question, to a task.")


def deliver(
    run: Run, task: TaskId, outcome: Annotated[Delivery, Flag(description="how it went")], said: Said
) -> Result:
    """Record what an agent did. The same again changes nothing."""
    before = one(run.tasks, task)
    delivered = evolve(before, progress=Progress.DELIVERED, blocked=outcome is Delivery.BLOCKED, report=said)
    if before == delivered:
        return run, result_of(task, False)
    if before.progress is not Progress.OPEN or before.wave != run.wave():
        raise refused(task, "no agent is working on it", "Reply with this reason.")
    return evolve(run, tasks=changed(run.tasks, (task,), lambda _: delivered)), result_of(task, True)


def check(run: Run, checks: Annotated[tuple[Check, ...], Flag(description="a list of task, good, why")]) -> Result:
    """Record for every delivered task if its change is right. A wrong one is opened again once, then it has failed."""
    wave = run.wave()
    if run.tasks_of(Progress.OPEN, wave):
        raise refused(
            run.tasks_of(Progress.OPEN, wave)[0].id, "it is not delivered", "Wait for every task of the wave."
        )
    each_once((each.task for each in checks), (each.id for each in run.tasks_of(Progress.DELIVERED, wave)), "task")
    by = {each.task: each for each in checks}

    def judged(before: Task) -> Task:
        if by[before.id].good:
            return evolve(before, progress=Progress.ACCEPTED)
        if before.tries < MAX_TRIES:
            return evolve(
                before, progress=Progress.OPEN, blocked=False, tries=before.tries + 1, report=by[before.id].why
            )
        return evolve(before, progress=Progress.FAILED, report=by[before.id].why)

    return evolve(run, tasks=changed(run.tasks, by, judged)), result_of("tasks", True)
