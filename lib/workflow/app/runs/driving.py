"""The commands' driver of a run: it starts and continues a run, and reports its halt."""

import asyncio
import os
import signal
from collections.abc import Mapping
from itertools import count

from attrs import evolve

from ...arguments.parameter import Value
from ...ast.relay import NeedsUserInput
from ...cli.calls import read_call
from ...command import Command, flags
from ...core import Workflow
from ...errors import RefusedError
from ...run.engine import Ended, Engine, Spec, State
from ...run.journal.entry import read_questions
from ...state.run_dirs import MARK, new_name, place_of_runs
from ...state.run_folder import make_run
from ...util.output import REFUSED
from ..output.screen import Screen, err, out
from ..skills.start_commands import start
from .engines import at_length, engine_of, fresh, is_rehearsal, known_workflows
from .found_runs import command_line, spelled
from .placing import result_of, show
from .rehearsing import prepare, sequel
from .standings import STATUS, Choice, choice_of, driven_before
from .trust import mark
from .views.progress import watching

STATE_DIR = "state_dir"
TASK = "task"
"""Parameter that takes the user's request; else the one text that a workflow requires."""
REHEARSED = "A rehearsal: nobody asked for anything"
MOST_LINES = 40
"""Maximum lines shown of the last reply."""


def new_folder() -> str:
    """Return a folder for a new run."""
    folder = place_of_runs()
    names = (new_name(os.urandom(MARK)) for _ in count())
    paths = (os.path.join(folder, name) for name in names)
    return next(path for path in paths if not os.path.exists(path))


def first_command(workflow: Workflow, request: str, given: Mapping[str, str], folder: str) -> Command:
    """Return the first command of a run. Raises ValueError if parameters are unknown or missing.

    A task is not required if a state directory is given, because a run may have started in it.
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
    """Return the first command of a rehearsal, with samples for missing parameters."""
    try:
        return first_command(workflow, request or REHEARSED, {}, folder)
    except ValueError:
        command = start(workflow)
        more = ("--state-dir", folder) if STATE_DIR in workflow.parameters else ()
        return Command(command.module, (*command.words, *more))


def go(
    run: str,
    spec: Spec,
    as_json: bool,
    kept: bool = True,
    choice: Choice | None = None,
    changed: bool = False,
    waits: bool = True,
) -> int:
    """Start or continue the run, show it, and return the exit status.

    Args:
        run: The driver's folder.
        spec: The specification of the run.
        as_json: If true, print one event per line.
        kept: True if the run's folder stays, so that the commands that go on with it are printed.
        choice: The engine of a new run; None to continue one.
        changed: If true, continue even if the workflow has changed.
        waits: If false, a usage limit is a question for the user.
    """
    screen, chosen = out(), choice or choice_of(run)
    make_run(os.path.dirname(run))
    while True:
        with watching(screen, as_json, driven_before(run)) as listen:
            engine = engine_of(run, spec, listen, chosen, listen.progress, changed, waits, choice is not None)
            mark(run, spec, chosen)
            try:
                ended = at_length(_guarded(engine, run, spec))
            except OSError as error:
                raise _unwritable(run, error, kept) from None
        if not as_json:
            _tell(screen, run, ended, kept)
            if ended.state in (State.DONE, State.STOPPED, State.CANCELLED):
                show(screen, result_of(run))
        following = _following(spec) if ended.state is State.DONE else None
        if following is None:
            return STATUS.get(ended.state, REFUSED)
        run, spec = fresh(os.path.dirname(run)), following
        if not as_json:
            screen.line()


def _unwritable(run: str, error: OSError, kept: bool) -> RefusedError:
    """Return the refusal for a run whose server refuses it, or whose folder has no room or is not writable any more."""
    resume = f"continue with  {command_line('resume', spelled(run))}" if kept else ""
    if error.errno is None:  # an error of a server, which says what to do
        return RefusedError(
            "no-server", os.path.dirname(run), str(error), f"The run was kept; {resume}" if kept else ""
        )
    again = f"; then {resume}" if kept else ""
    what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    fix = f"check the folder's permissions and free space{again}"
    return RefusedError("unwritable", os.path.dirname(run), f"the run cannot be recorded: {what}", fix)


async def _guarded(engine: Engine, run: str, spec: Spec) -> Ended:
    """Drive the run; signals interrupt it cleanly."""
    task = asyncio.ensure_future(engine.go(run, spec))
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await task


def _following(spec: Spec) -> Spec | None:
    """Return the sequel of a finished rehearsal, if it has one."""
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
            screen.line(("interrupted", "bold yellow"), "; to continue such a run later, keep it with  --keep FOLDER")
        case State.INTERRUPTED:
            how = "; watch it with  " if ended.text else "; continue with  "
            screen.line((ended.text or "interrupted", "bold yellow"), how, command_line("resume", spelled(run)))
        case State.CANCELLED:
            screen.line(("cancelled", "bold red"))
        case _:
            screen.line((str(ended.state), "bold red"))
            err().error(ended.text)
            if kept:
                screen.line("retry it with  ", command_line("resume", spelled(run)))


def ask(screen: Screen, run: str, text: str) -> None:
    """Show the questions of a run, and the command that answers."""
    number = questions(screen, run, read_questions(text))
    screen.line()
    screen.line("answer by number, or in your own words if an agent asks:")
    screen.line("  ", command_line("answer", spelled(run), *("1" for _ in range(number))))


def questions(screen: Screen, run: str, asked: NeedsUserInput) -> int:
    """Show the questions of a run and return their number."""
    for question in asked.questions:
        screen.line()
        screen.paragraph(f"{question.header}: {question.text}", indent=2)
        for number, option in enumerate(question.options, 1):
            screen.paragraph(
                f"{number}  {option.label}" + (f" - {option.description}" if option.description else ""), 4
            )
    return len(asked.questions)
