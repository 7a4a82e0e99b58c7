"""States in which each step can be tried: the largest possible run before the step."""

import os
from collections.abc import Callable
from itertools import takewhile
from typing import Final

from attrs import evolve

from lib.workflow.core import Workflow
from lib.workflow.state.consent import mark_or_say
from lib.workflow.types import MAX_OPTIONS

from . import limits
from .due import STEPS
from .files import run_store
from .pages.dimensions import read_dimensions
from .record import Candidate, Found, Question, Run, Source, SourceKind, Sweep, Task, Verdict
from .standing import Progress, Standing

PLACE: Final = "docs/guide/uploads-and-downloads.md:1024".ljust(limits.MAX_PLACE, "x")
LINE: Final = 'What <is> said & "done" here ]]>, {{scope}} '.ljust(limits.MAX_LINE, "x")
TEXT: Final = "What was seen, with `places` and $OUTPUT ".ljust(limits.MAX_TEXT, "x")


def stage(workflow: Workflow, step: str, directory: str) -> None:
    """Make the state directory that `--state-dir` names, with the state that the step needs."""
    state_dir = os.path.join(directory, "state_dir")
    os.mkdir(state_dir)
    begin(step, state_dir)


def begin(step: str, state_dir: str) -> None:
    """Fill an empty state directory for a step."""
    if step == "survey":
        return
    run = Run(scope=TEXT, sources=_sources())
    for name, change in _CHANGES.items():
        if STEPS.index(step) > STEPS.index(name):
            run = change(run)
    run_store(state_dir).create(run)
    mark_or_say(state_dir)


def _sources() -> tuple[Source, ...]:
    return tuple(
        Source(id=f"S{number}", kind=SourceKind.DOCUMENT, path=LINE[:80]) for number in range(limits.MAX_SOURCES)
    )


def _chosen(run: Run) -> Run:
    names = [each.id for each in read_dimensions()[: limits.MAX_SWEEPS]]
    return evolve(run, sweeps=tuple(Sweep(dimension=n, sources=tuple(s.id for s in run.sources)) for n in names))


def _swept(run: Run) -> Run:
    found = Found(fact=LINE, left=PLACE, left_says=LINE, right=PLACE, right_says=LINE)
    names = [each.dimension for each in run.sweeps for _ in range(limits.MAX_FOUND)]
    candidates = tuple(
        Candidate(id=f"C-{number:03d}", dimension=name, found=found) for number, name in enumerate(names, 1)
    )
    return evolve(run, sweeps=tuple(evolve(each, searched=TEXT) for each in run.sweeps), candidates=candidates)


def _selected(run: Run) -> Run:
    standing = [Standing.SELECTED] * limits.MAX_DIVES
    standing += [Standing.DROPPED] * (len(run.candidates) - limits.MAX_DIVES)
    return evolve(
        run,
        candidates=tuple(
            evolve(each, standing=how, why=LINE) for each, how in zip(run.candidates, standing, strict=True)
        ),
    )


def _looked_into(run: Run) -> Run:
    return _of_selected(run, lambda each: evolve(each, evidence=TEXT))


def _judged(run: Run) -> Run:
    return _of_selected(run, lambda each: evolve(each, verdict=Verdict.INCOHERENT, reason=LINE))


def _of_selected(run: Run, by: Callable[[Candidate], Candidate]) -> Run:
    chosen = tuple(by(each) for each in takewhile(lambda each: each.standing is Standing.SELECTED, run.candidates))
    return evolve(run, candidates=(*chosen, *run.candidates[len(chosen) :]))


def _posed(run: Run) -> Run:
    """Add one question about all candidates, so that its answer ends the only batch."""
    waiting = tuple(each.id for each in run.to_pose())
    options = tuple(f"{number}: {LINE[:180]}" for number in range(MAX_OPTIONS))
    asked = Question(id="Q-001", candidates=waiting, header="Uploads", text=TEXT, options=options)
    return evolve(run, questions=(asked,))


def _answered(run: Run) -> Run:
    return evolve(run, questions=tuple(evolve(each, answer=TEXT) for each in run.questions))


def _settled(run: Run) -> Run:
    """Add as many rules as possible."""
    names = [each.id for each in run.candidates if each.verdict]
    files = tuple(f"docs/{number}/{'x' * 60}.md" for number in range(limits.MAX_TASKS))
    questions = tuple(
        evolve(run.questions[0], id=f"Q-{number:03d}", candidates=(name,), rule=TEXT, files=files)
        for number, name in enumerate(names, 1)
    )
    return evolve(run, questions=questions)


def _planned(run: Run) -> Run:
    questions = tuple(each.id for each in run.questions)
    files = run.questions[0].files
    return evolve(
        run,
        tasks=tuple(
            Task(id=f"T-{number:03d}", wave=1, questions=questions, files=(name,))
            for number, name in enumerate(files, 1)
        ),
    )


def _delivered(run: Run) -> Run:
    return evolve(run, tasks=tuple(evolve(each, progress=Progress.DELIVERED, report=TEXT) for each in run.tasks))


def _accepted(run: Run) -> Run:
    return evolve(run, tasks=tuple(evolve(each, progress=Progress.ACCEPTED) for each in run.tasks))


_CHANGES: Final[dict[str, Callable[[Run], Run]]] = {
    "dimensions": _chosen,
    "format": _swept,
    "select": _selected,
    "report": _looked_into,
    "verdicts": _judged,
    "pose": _posed,
    "ask": _answered,
    "settle": _settled,
    "plan": _planned,
    "apply": _delivered,
    "collect": _accepted,
}
"""The change that each step adds to the state, by the last step that does not need it."""
