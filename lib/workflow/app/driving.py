"""A run of a workflow by the orchestrator program: how it is begun, gone on with, and what is said at its halt."""

import asyncio
import os
import signal
from collections.abc import Mapping
from itertools import count

from attrs import evolve

from ..cli.calls import read_call
from ..command import Command, flags
from ..core import Workflow
from ..errors import RefusedError
from ..run.engine import Ended, Engine, Spec, State
from ..run.entry import read_questions
from ..state.run_dirs import MARK, new_name, place_of_runs
from ..state.run_folder import make_run
from ..types import Value
from ..util.output import DONE, INTERRUPTED, REFUSED, WAITING
from .engines import Choice, at_length, choice_of, engine_of, fresh, is_rehearsal, known_workflows
from .found_runs import command_line, spelled
from .progress import watching
from .rehearsing import prepare, sequel
from .screen import Screen, err, out
from .start_commands import start
from .trust import mark

STATE_DIR = "state_dir"
TASK = "task"
"""The parameter that is what the user asks for; else the one text that a workflow must be told."""
REHEARSED = "A rehearsal: nobody asked for anything"
MOST_LINES = 40
"""Of what was said last."""
STATUS = {State.DONE: DONE, State.WAITING: WAITING, State.INTERRUPTED: INTERRUPTED}
"""The exit status of how a run has come to a halt; 1 for all else."""


def new_folder() -> str:
    """A folder for a run that begins now."""
    folder = place_of_runs()
    names = (new_name(os.urandom(MARK)) for _ in count())
    paths = (os.path.join(folder, name) for name in names)
    return next(path for path in paths if not os.path.exists(path))


def first_command(workflow: Workflow, request: str, given: Mapping[str, str], folder: str) -> Command:
    """The command that a run starts with. Raises ValueError for what the workflow does not take, or lacks.

    A task is not needed where a state directory is named: a run may have begun in it.
    """
    values: dict[str, Value] = {}
    takes = workflow.taken_by(workflow.entry_point)
    texts = [item.name for item in takes.values() if item.type is str and not item.choices and item.required]
    asked = TASK if TASK in takes else texts[0] if len(texts) == 1 else None
    if request and asked and asked not in given:
        values[asked] = " ".join(request.split())
    if asked == TASK and not {TASK, STATE_DIR} & {*values, *given}:
        raise ValueError(f'{workflow.name} needs a request: stepscript run {workflow.name} "what you want"')
    if STATE_DIR in takes:
        values[STATE_DIR] = folder
    command = Command(workflow.module, flags({"step": 1, **values, **given}))
    read_call(workflow, command.words)
    return command


def sample_command(workflow: Workflow, request: str, folder: str) -> Command:
    """The same for a rehearsal: what must be given and is not is a sample."""
    try:
        return first_command(workflow, request or REHEARSED, {}, folder)
    except ValueError:
        command = start(workflow)
        more = ("--state-dir", folder) if STATE_DIR in workflow.parameters else ()
        return Command(command.module, (*command.words, *more))


def go(
    run: str, spec: Spec, as_json: bool, kept: bool = True, choice: Choice | None = None, changed: bool = False
) -> int:
    """Begin the run or go on with it, show it, and return the exit status.

    Args:
        kept: Whether the run's folder stays: the commands that go on with it are printed.
        choice: The engine of a run that begins.
        changed: Whether it goes on though its workflow has changed.
    """
    screen, chosen = out(), choice or choice_of(run)
    make_run(os.path.dirname(run))
    while True:
        with watching(screen, as_json) as listen:
            engine = engine_of(run, spec, listen, chosen, listen.progress, changed)
            mark(run, spec, chosen)
            try:
                ended = at_length(_guarded(engine, run, spec))
            except OSError as error:
                raise _unwritable(run, error, kept) from None
        if not as_json:
            _tell(screen, run, ended, kept)
        following = _following(spec) if ended.state is State.DONE else None
        if following is None:
            return STATUS.get(ended.state, REFUSED)
        run, spec = fresh(os.path.dirname(run)), following
        if not as_json:
            screen.line()


def _unwritable(run: str, error: OSError, kept: bool) -> RefusedError:
    """What is said of a run whose folder has no room, or cannot be written any more."""
    again = f"; then go on by  {command_line('resume', spelled(run))}" if kept else ""
    what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    fix = f"see to the folder's rights and room{again}"
    return RefusedError("unwritable", os.path.dirname(run), f"the run cannot be written down: {what}", fix)


async def _guarded(engine: Engine, run: str, spec: Spec) -> Ended:
    """The run, which a signal interrupts in good order."""
    task = asyncio.ensure_future(engine.go(run, spec))
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await task


def _following(spec: Spec) -> Spec | None:
    """What is rehearsed when a rehearsal has ended, and can begin."""
    command = sequel(Command.read(spec.start)) if is_rehearsal(spec) else None
    if command is None:
        return None
    prepare(command)
    workflow = next(item for item in known_workflows() if item.module == command.module)
    return evolve(spec, workflow=workflow.name, start=str(command))


def _tell(screen: Screen, run: str, ended: Ended, kept: bool) -> None:
    screen.line()
    match ended.state:
        case State.DONE:
            screen.line(("done", "bold green"))
            for line in ended.text.strip().splitlines()[-MOST_LINES:]:
                screen.line(f"  {line}")
        case State.WAITING:
            screen.line(("waiting for you", "bold cyan"))
            ask(screen, run, ended.text)
        case State.INTERRUPTED if not kept:
            screen.line(("interrupted", "bold yellow"), "; one that is to go on later is kept:  --keep FOLDER")
        case State.INTERRUPTED:
            how = "; watch it by  " if ended.text else "; go on with  "
            screen.line((ended.text or "interrupted", "bold yellow"), how, command_line("resume", spelled(run)))
        case State.CANCELLED:
            screen.line(("cancelled", "bold red"))
        case _:
            screen.line((str(ended.state), "bold red"))
            err().error(ended.text)
            if kept:
                screen.line("try it once more with  ", command_line("resume", spelled(run)))


def ask(screen: Screen, run: str, text: str) -> None:
    """The questions of a run, and the command that answers."""
    number = questions(screen, run, text)
    screen.line()
    screen.line("answer by number, or in your words where an agent asks:")
    screen.line("  ", command_line("answer", spelled(run), *("1" for _ in range(number))))


def questions(screen: Screen, run: str, text: str) -> int:
    """The questions of a run; how many there are."""
    asked = read_questions(text)
    for question in asked.questions:
        screen.line()
        screen.paragraph(f"{question.header}: {question.text}", indent=2)
        for number, option in enumerate(question.options, 1):
            screen.paragraph(
                f"{number}  {option.label}" + (f" - {option.description}" if option.description else ""), 4
            )
    return len(asked.questions)
