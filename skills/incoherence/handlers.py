"""Handlers of the steps: the state that each reads, its parameters, its outcomes. Only `ask` changes the state."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, TypeVar

from lib.workflow.core import AgentChoice, Arg, AskUser, Outcome, State, StepContext, UsageError
from lib.workflow.util.suggest import expected

from .due import closed, in_order
from .files import run_store
from .standing import Progress, Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .record import Candidate, Run, Sweep, Task

T = TypeVar("T")

StateDir: TypeAlias = Annotated[
    str, Arg(description="the run directory; at step 1 the default is a new one in .stepscript/runs", path=True)
]
Dimension: TypeAlias = Annotated[str, Arg(description="the dimension of this sweep", samples=("docs-code",))]
CandidateId: TypeAlias = Annotated[str, Arg(description="the candidate to investigate", samples=("C-001",))]
TaskId: TypeAlias = Annotated[str, Arg(description="the task of this agent", samples=("T-001",))]
Alone: TypeAlias = Annotated[bool, Arg(description="the orchestrator does this itself, without an agent")]
Whole: TypeAlias = Annotated[bool, Arg(description="print the method again, even if the step was printed before")]
Answer: TypeAlias = Annotated[
    str, Arg(description="the user's choice: a question and the number of an option", samples=("Q-001:1",))
]
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


def dispatch(context: StepContext) -> Either:
    """Choose between agents and the first open sweep without one."""
    first = _allowed(context).open_sweeps()[0]
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {"dimension": first.dimension, "alone": True}})


def sweep_of(context: StepContext) -> "Sweep":
    """Return the open sweep that the parameters name. Raises as `_open` does."""
    run = run_of(context)
    known = {each.dimension: each for each in run.sweeps}
    return _open(context, "dimension", known, run.open_sweeps(), "this sweep is closed")


def _open(context: StepContext, name: str, known: "Mapping[str, T]", open_: "Sequence[T]", why: str) -> T:
    """Return the entry that a parameter names. Raises UsageError for an unknown one, RefusedError if it is not open."""
    value = str(context.step_state[name])
    if value not in known:
        legal = [key for key, each in known.items() if each in open_]
        raise UsageError(f"--{name}: unknown id {value!r:.60}; {expected(value, legal)}")
    if known[value] not in open_:
        raise closed(value, why)
    return known[value]


def sweep(context: StepContext, dimension: Dimension, alone: Alone = False) -> Going:
    """Go through the steps of an open sweep."""
    sweep_of(context)
    return Outcome.OK, {"dimension": dimension, "alone": alone}


def format_(context: StepContext, dimension: Dimension, alone: Alone = False) -> Back:
    """End an agent's work; an orchestrator that sweeps alone goes on."""
    sweep_of(context)
    return _back(alone, len(run_of(context).open_sweeps()))


def _back(alone: bool, waiting: int) -> Back:
    """Return the outcome: the end for an agent; without agents, the next entry, or the step after the last."""
    if not alone:
        return Outcome.OK, {}
    return (Outcome.ITERATE if waiting > 1 else Outcome.SKIP), {}


def select(context: StepContext) -> tuple[Literal[Outcome.SKIP], State] | Either:
    """Let the agent go on by its choices, or skip the checks if nothing was found."""
    if not _allowed(context).of(Standing.FOUND):
        return Outcome.SKIP, {}
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {}})


def dive(context: StepContext) -> Either:
    """Choose between agents and the first candidate without one."""
    first = _allowed(context).to_dive()[0]
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {"candidate": first.id, "alone": True}})


def candidate_of(context: StepContext) -> "Candidate":
    """Return the selected candidate that the parameters name. Raises as `_open` does."""
    run, why = run_of(context), "this candidate is not waiting for an investigation"
    return _open(context, "candidate", {each.id: each for each in run.candidates}, run.to_dive(), why)


def dig(context: StepContext, candidate: CandidateId, alone: Alone = False) -> Going:
    """Go through the check of a selected candidate."""
    candidate_of(context)
    return Outcome.OK, {"candidate": candidate, "alone": alone}


def report(context: StepContext, candidate: CandidateId, alone: Alone = False) -> Back:
    """End an agent's work; an orchestrator that checks alone goes on."""
    candidate_of(context)
    return _back(alone, len(run_of(context).to_dive()))


def verdicts(context: StepContext) -> Either:
    """Let the agent choose by its verdicts: there is something to ask, or not."""
    _allowed(context)
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {}})


def ask(context: StepContext, answer: Answer | None = None) -> Going | AskUser:
    """Record an answer, and ask the next question of the batch."""
    run = _allowed(context) if answer is None else _record(context, answer)
    waiting = run.to_ask()
    if not waiting:
        return Outcome.OK, {}
    from lib.workflow.ast.relay import Option, Question  # only the step that asks pays for this import

    first = waiting[0]
    asked = Question(
        header=first.header, text=first.text, options=tuple(Option(label=option) for option in first.options)
    )
    return AskUser(asked, *({"answer": f"{first.id}:{number}"} for number in range(1, len(first.options) + 1)))


def _record(context: StepContext, answer: str) -> "Run":
    """Return the run with the answer. Raises UsageError for an answer that no question offers."""
    from .record import answered

    name, _, number = answer.rpartition(":")

    def record(run: "Run") -> "tuple[Run, Run]":
        in_order(run, context.step_id, folder(context))
        for question in run.questions:
            if question.id == name and number in map(str, range(1, len(question.options) + 1)):
                if question.rule is not None:
                    raise closed(name, "a rule was made of its answer")
                after = answered(run, name, question.options[int(number) - 1])
                return after, after
        legal = [f"{each.id}:{n}" for each in run.questions for n in range(1, len(each.options) + 1)]
        raise UsageError(f"--answer: {answer!r:.60} is not an answer; {expected(answer, legal)}")

    return run_store(folder(context)).change(record)


def settle(context: StepContext, whole: Whole = False) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State] | Either:
    """Lead to the next batch if anything is unasked; else to the plan if a rule changes a file."""
    run = _allowed(context)
    if run.to_pose():
        return Outcome.ITERATE, {}
    return (Outcome.OK, {}) if run.to_change() else AgentChoice({Outcome.OK: {}, Outcome.SKIP: {}})


def launch(context: StepContext, whole: Whole = False) -> Either:
    """Choose between agents and the wave's first open task without one."""
    run = _allowed(context)
    first = run.tasks_of(Progress.OPEN, run.wave())[0]
    return AgentChoice({Outcome.OK: {}, Outcome.SKIP: {"task": first.id, "alone": True}})


def task_of(context: StepContext) -> "Task":
    """Return the open task of the wave that the parameters name. Raises as `_open` does."""
    run, why = run_of(context), "no agent may work on this task: its wave has not started, or it is delivered"
    return _open(context, "task", {each.id: each for each in run.tasks}, run.tasks_of(Progress.OPEN, run.wave()), why)


def apply(context: StepContext, task: TaskId, alone: Alone = False) -> Back:
    """End an agent's work; an orchestrator that changes files alone goes on."""
    task_of(context)
    run = run_of(context)
    return _back(alone, len(run.tasks_of(Progress.OPEN, run.wave())))


def next_(context: StepContext, whole: Whole = False) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State]:
    """Lead to the next wave, or to this one again while a task is open; else to the report."""
    return (Outcome.OK if _allowed(context).wave() is None else Outcome.ITERATE), {}
