"""A run as a document for people: its status, open questions, findings, decisions and changes."""

import os
from collections.abc import Iterator

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Document
from lib.workflow.ast.prose import Tone, bullets, labelled, section
from lib.workflow.state.consent import Wish, how, is_marked, mark
from lib.workflow.state.run_dirs import holder

from . import due
from .due import STEPS, command_of
from .files import run_store
from .record import Candidate, Question, Run, Task, Verdict
from .standing import Progress

TONES = {Progress.ACCEPTED: Tone.GOOD, Progress.FAILED: Tone.BAD}


def report(state_dir: str) -> Document | None:
    """Return the run in that folder; None if it is not a run of incoherence. Raises StateError for a broken one."""
    run = run_store(state_dir).find()
    if run is None:
        return None
    made = section(
        "Report of incoherence",
        *_standing(run, state_dir),
        section("Candidates", *map(_candidate, run.candidates)),
        section("What was decided", *map(_question, run.questions)),
        section("Changes", *map(_task, run.tasks)),
    )
    return Document([made] if made else [])


def brief(state_dir: str) -> Document | None:
    """Return the status of the run in that folder and its open questions. Returns None and raises as `report`."""
    run = run_store(state_dir).find()
    return Document([part for part in _standing(run, state_dir) if part]) if run else None


def is_over(state_dir: str) -> bool | None:
    """Return True if that run has reached its report. Returns None and raises as `report`."""
    run = run_store(state_dir).find()
    return due.is_over(run) if run else None


def about(state_dir: str) -> str:
    """Return what that run of incoherence looks at. Raises as `report`."""
    run = run_store(state_dir).find()
    return run.scope if run else ""


def wish(state_dir: str) -> Wish | None:
    """Return the actions that the run would take if it went on. Returns None and raises as `report`."""
    run = run_store(state_dir).find()
    return Wish(run.scope, holder(state_dir) or "") if run else None


def adopt(state_dir: str) -> None:
    """Mark that run as agreed to by this user. Raises RefusedError if it cannot."""
    mark(state_dir)


def _standing(run: Run, state_dir: str) -> tuple[Node | None, ...]:
    opens = (labelled(f"The user decides {each.id}", each.text, tone=Tone.OPEN) for each in run.to_ask())
    return section("The run", *_run(run, state_dir)), section("Open questions", *opens)


def _run(run: Run, state_dir: str) -> Iterator[Node | None]:
    step = due.due(run)[0]
    yield labelled("Scope", run.scope)
    yield labelled("Depth", run.depth)
    yield labelled("Run", os.path.basename(os.path.abspath(state_dir)))
    yield labelled("Sweeps", _of(len(run.sweeps) - len(run.open_sweeps()), len(run.sweeps), "closed"))
    yield labelled("Candidates", str(len(run.candidates) or ""))
    yield labelled("Questions", _of(len(run.questions) - len(run.to_ask()), len(run.questions), "answered"))
    accepted = sum(each.progress is Progress.ACCEPTED for each in run.tasks)
    yield labelled("Tasks", _of(accepted, len(run.tasks), "accepted"))
    yield labelled("Next", f"step {STEPS.index(step) + 1} of {len(STEPS)}, {step}")
    if is_marked(state_dir):
        yield labelled("Command", Code(language="sh", text=str(command_of(step, state_dir))))
    else:
        yield labelled("Consent", how(state_dir), tone=Tone.OPEN)


def _of(some: int, every: int, how: str) -> str:
    return f"{some} of {every} {how}" if every else ""


def _candidate(each: Candidate) -> Node | None:
    found = each.found
    sides = bullets(f"{found.left}: {found.left_says}", f"{found.right}: {found.right_says}")
    tone = Tone.BAD if each.verdict is Verdict.INCOHERENT else None
    how = f"{each.verdict or each.standing}: {each.reason or each.why or 'no verdict yet'}"
    return labelled(f"{each.id}, {each.dimension}: {found.fact}", how, sides, tone=tone)


def _question(each: Question) -> Node | None:
    files = ", ".join(each.files)
    return labelled(f"{each.id}: {each.text}", each.answer, labelled("Rule", each.rule), labelled("Files", files))


def _task(each: Task) -> Node | None:
    where = f"{each.id}, wave {each.wave}, {each.progress}: {', '.join(each.files)}"
    return labelled(where, each.report or "nothing was said yet", tone=TONES.get(each.progress, Tone.OPEN))
