"""Handlers of the steps: the state that each reads, its parameters, its outcomes. `ask` and `launch` change it."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, TypeVar

from lib.workflow.core import AgentChoice, AnswersFile, Arg, AskAll, Outcome, State, StepContext, UsageError
from lib.workflow.util.suggest import expected

from .due import closed, in_order
from .files import run_store
from .limits import MAX_BATCH, MAX_PER_DIVER, MAX_PER_SWEEPER
from .originals import keep
from .standing import Progress, Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lib.workflow.ast.relay import Question as Asked

    from .record import Candidate, Named, Question, Run, Sweep, Task

T = TypeVar("T", bound="Named")

StateDir: TypeAlias = Annotated[
    str, Arg(description="the run directory; at step 1 the default is a new one in .stepscript/runs", path=True)
]
Dimensions: TypeAlias = Annotated[
    str, Arg(description="the dimensions to sweep, joined by commas", samples=("docs-code,docs-docs",))
]
Candidates: TypeAlias = Annotated[
    str, Arg(description="the candidates to investigate, joined by commas", samples=("C-001,C-002",))
]
TaskId: TypeAlias = Annotated[str, Arg(description="the task of this agent", samples=("T-001",))]
Alone: TypeAlias = Annotated[bool, Arg(description="the orchestrator does this itself, without an agent")]
Whole: TypeAlias = Annotated[bool, Arg(description="print the method again, even if the step was printed before")]
Going: TypeAlias = tuple[Literal[Outcome.OK], State]
Back: TypeAlias = tuple[Literal[Outcome.OK, Outcome.ITERATE, Outcome.SKIP], State]
Either: TypeAlias = AgentChoice[Literal[Outcome.OK, Outcome.SKIP]]


def folder(context: StepContext) -> str:
    """Return the state directory. Raises UsageError if it is missing, except in the first step."""
    given = context.workflow_params["state_dir"]
    if given is None and context.step_id == "survey":
        from .places import place_of_run  # only a step without a folder looks for one

        return place_of_run()
    if given is None:
        raise UsageError("--state-dir is missing; give it the folder that the commands of this run name")
    return str(given)


def found(context: StepContext) -> "Run | None":
    """Return the run, or None if it has not started."""
    return run_store(folder(context)).find()


def run_of(context: StepContext) -> "Run":
    """Return the run. Raises StateError if it has not started."""
    return run_store(folder(context)).load()


def _allowed(context: StepContext) -> "Run":
    """Return the run if it allows the step. Otherwise raises RefusedError, with the command of the next step."""
    run = found(context)
    in_order(run, context.step_id, folder(context))
    return run_of(context) if run is None else run


def survey(context: StepContext, state_dir: StateDir | None = None) -> Going:
    """Start without a run. From here on every command names the folder."""
    in_order(found(context), context.step_id, folder(context))
    return Outcome.OK, {"state_dir": folder(context)}


def dimensions(context: StepContext, state_dir: StateDir | None = None) -> Going:
    """Go on; the step before has named the folder."""
    return go_on(context)


def go_on(context: StepContext) -> Going:
    """Go on, if the state allows the step."""
    _allowed(context)
    return Outcome.OK, {}


def come_back(context: StepContext, whole: Whole = False) -> Going:
    """Go on from a step that a run reaches several times."""
    return go_on(context)


def batches(names: "Iterable[Named]", most: int) -> tuple[str, ...]:
    """Return the ids of entries, joined by commas, at most `most` for one agent."""
    ids = [each.id for each in names]
    return tuple(",".join(ids[start : start + most]) for start in range(0, len(ids), most))


def dispatch(context: StepContext) -> Either:
    """Choose between agents and the first open sweeps without one."""
    first = batches(_allowed(context).open_sweeps(), MAX_PER_SWEEPER)[0]
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {"dimensions": first, "alone": True}})


def sweeps_of(context: StepContext) -> "tuple[Sweep, ...]":
    """Return the open sweeps that the parameters name. Raises as `_open` does."""
    run = run_of(context)
    return _open(context, "dimensions", run.sweeps, run.open_sweeps(), "these sweeps are closed")


def _open(context: StepContext, name: str, every: "Iterable[T]", open_: "Sequence[T]", why: str) -> "tuple[T, ...]":
    """Return the open entries among those that a parameter names.

    Raises UsageError for an unknown one, RefusedError if none is open.
    """
    value = str(context.step_state[name])
    known = {each.id: each for each in every}
    for each in value.split(","):
        if each not in known:
            raise UsageError(f"--{name}: unknown id {each!r:.60}; {expected(each, [entry.id for entry in open_])}")
    named = tuple(known[each] for each in dict.fromkeys(value.split(",")) if known[each] in open_)
    if not named:
        raise closed(value, why)
    return named


def sweep(context: StepContext, dimensions: Dimensions, alone: Alone = False) -> Going:
    """Go through the steps of open sweeps."""
    sweeps_of(context)
    return Outcome.OK, {"dimensions": dimensions, "alone": alone}


def format_(context: StepContext, dimensions: Dimensions, alone: Alone = False) -> Back:
    """End an agent's work; an orchestrator that sweeps alone goes on."""
    mine = sweeps_of(context)
    return _back(alone, len(run_of(context).open_sweeps()) - len(mine))


def _back(alone: bool, left: int) -> Back:
    """Return the outcome: the end for an agent; without agents, the next entries, or the step after the last."""
    if not alone:
        return Outcome.OK, {}
    return (Outcome.ITERATE if left else Outcome.SKIP), {}


def select(context: StepContext) -> tuple[Literal[Outcome.SKIP], State] | Either:
    """Let the agent go on by its choices, or skip the checks if there is nothing to choose from."""
    if not _allowed(context).of(Standing.FOUND):
        return Outcome.SKIP, {}
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {}})


def dive(context: StepContext) -> Either:
    """Choose between agents and the first candidates without one."""
    first = batches(_allowed(context).to_dive(), MAX_PER_DIVER)[0]
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {"candidates": first, "alone": True}})


def candidates_of(context: StepContext) -> "tuple[Candidate, ...]":
    """Return those of the candidates that the parameters name that wait for evidence. Raises as `_open` does."""
    run, why = run_of(context), "no candidate of these waits for an investigation"
    return _open(context, "candidates", run.candidates, run.to_dive(), why)


def dig(context: StepContext, candidates: Candidates, alone: Alone = False) -> Going:
    """Go through the check of selected candidates."""
    candidates_of(context)
    return Outcome.OK, {"candidates": candidates, "alone": alone}


def report(context: StepContext, candidates: Candidates, alone: Alone = False) -> Back:
    """End an agent's work; an orchestrator that checks alone goes on."""
    mine = candidates_of(context)
    return _back(alone, len(run_of(context).to_dive()) - len(mine))


def verdicts(
    context: StepContext,
) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State] | AgentChoice[Literal[Outcome.OK, Outcome.SKIP]]:
    """Let the agent choose by its verdicts. Without a candidate to judge, the slips alone decide."""
    run = _allowed(context)
    if not run.to_judge():
        return (Outcome.OK if run.to_pose() else Outcome.SKIP), {}
    if run.to_pose():
        return AgentChoice({Outcome.OK: {}})
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {}})


def ask(context: StepContext, answers_file: AnswersFile | None = None, whole: Whole = False) -> Going | AskAll:
    """Record answers, and ask the next questions."""
    run = _allowed(context) if answers_file is None else _record(context)
    waiting = run.to_ask()[:MAX_BATCH]
    return AskAll(*map(_asked, waiting)) if waiting else (Outcome.OK, {})


def _asked(question: "Question") -> "Asked":
    """Return a question as the relay prints it."""
    from lib.workflow.ast import relay

    options = tuple(relay.Option(label=option) for option in question.options)
    return relay.Question(header=question.header, text=question.text, options=options)


def _record(context: StepContext) -> "Run":
    """Return the run with the answers. Raises UsageError for an answer to no question, or one that is too long."""
    from lib.workflow.handlers.answers import by_header  # only this step, which asks, pays for the imports

    from .record import TEXT, answered

    def record(run: "Run") -> "tuple[Run, Run]":
        in_order(run, context.step_id, folder(context))
        open_ = [each for each in run.questions if each.rule is None]
        given = by_header([_asked(each) for each in open_], context.answers)
        try:
            for header, text in given.items():
                TEXT.check(text, f"answer {header!r}")
        except ValueError as error:
            raise UsageError(str(error)) from None
        after = answered(run, {each.id: given[each.header] for each in open_ if each.header in given})
        return after, after

    return run_store(folder(context)).change(record)


def settle(context: StepContext, whole: Whole = False) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State] | Either:
    """Lead to the next batch if anything is unasked; else to the plan if a rule changes a file."""
    run = _allowed(context)
    if run.to_pose():
        return Outcome.ITERATE, {}
    return (Outcome.OK, {}) if run.to_change() else AgentChoice({Outcome.OK: {}, Outcome.SKIP: {}})


def launch(context: StepContext, whole: Whole = False) -> Either:
    """Copy the files of the wave's open tasks; choose between agents and the first of these tasks without one."""
    run = _allowed(context)
    waiting = run.tasks_of(Progress.OPEN, run.wave())
    keep(run, folder(context), waiting)
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {"task": waiting[0].id, "alone": True}})


def task_of(context: StepContext) -> "Task":
    """Return the open task of the wave that the parameters name. Raises as `_open` does."""
    run, why = run_of(context), "no agent may work on this task: its wave has not started, or it is delivered"
    (task,) = _open(context, "task", run.tasks, run.tasks_of(Progress.OPEN, run.wave()), why)
    return task


def apply(context: StepContext, task: TaskId, alone: Alone = False) -> Back:
    """End an agent's work; an orchestrator that changes files alone goes on."""
    task_of(context)
    run = run_of(context)
    return _back(alone, len(run.tasks_of(Progress.OPEN, run.wave())) - 1)


def next_(
    context: StepContext, whole: Whole = False
) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State] | AgentChoice[Literal[Outcome.OK, Outcome.ITERATE]]:
    """Lead to the next wave, to this one again while a task is open, or to the report.

    Only a failed task gives the reader work on this step's own page.
    """
    run = _allowed(context)
    if any(each.progress is Progress.FAILED for each in run.tasks):
        return AgentChoice({Outcome.OK: {}}) if run.wave() is None else AgentChoice({Outcome.ITERATE: {}})
    return (Outcome.OK if run.wave() is None else Outcome.ITERATE), {}
