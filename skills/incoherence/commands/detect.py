"""Commands of the detecting steps, as pure functions of the run and a request; and the start of a run."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, TypeAlias

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.results import Operation
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.state.consent import mark_or_say
from lib.workflow.state.run_folder import make_run
from lib.workflow.state.store import Store
from lib.workflow.util.suggest import expected, repeated

from ..limits import MAX_FOUND, MAX_MORE, MAX_SLIPS, MAX_SOURCES, MIN_SOURCES, MIN_SWEEPS
from ..pages.dimensions import read_dimensions
from ..pages.rows import BEYOND
from ..record import Candidate, Found, Run, Sweep, changed
from ..standing import Standing
from .quotes import placed, without_lines
from .requests import Choice, Chosen, Judgement, Seen, Survey, Swept
from .telling import each_once, one, refused, result_of

Result: TypeAlias = tuple[Run, Node]


def survey(store: Store[Run], survey: Annotated[Survey, Flag(description="an object: scope, depth, sources")]) -> Node:
    """Start the run with its scope and sources. A missing folder is made; the same again changes nothing."""
    if not MIN_SOURCES <= len(survey.sources) <= MAX_SOURCES:
        least, most = str(MIN_SOURCES), str(MAX_SOURCES)
        raise RequestError("{survey}: name {least} to {most} sources; more are folders", least=least, most=most)
    run = Run(scope=survey.scope, depth=survey.depth, sources=survey.sources)
    try:
        run.check()
    except ValueError as error:
        raise RequestError("{survey}: {problem}", problem=str(error)) from None
    folder = os.path.dirname(store.path)
    make_run(folder)
    if not os.path.lexists(store.path):
        mark_or_say(folder)
    begun = store.create(
        run, same=lambda found: (found.scope, found.depth, found.sources) == (run.scope, run.depth, run.sources)
    )
    return result_of("run", begun, Operation.CREATED)


def choose(run: Run, sweeps: Annotated[tuple[Chosen, ...], Flag(description="a list of dimension, sources")]) -> Result:
    """Record which dimensions are swept, and where. You can change it until a sweep is closed."""
    known = [each.id for each in read_dimensions()]
    for each in sweeps:
        if each.dimension not in known:
            raise RequestError(
                "{sweeps}: no dimension {id}; {legal}", id=each.dimension, legal=expected(each.dimension, known)
            )
        if not each.sources:
            raise RequestError("{sweeps}: {id} names no source", id=each.dimension)
    if not MIN_SWEEPS <= len(sweeps) <= run.depth.sweeps:
        legal = {"least": str(MIN_SWEEPS), "most": str(run.depth.sweeps), "given": str(len(sweeps))}
        raise RequestError("{sweeps}: {given} given; choose {least} to {most} dimensions", **legal)
    if any(sweep.searched for sweep in run.sweeps):
        raise refused("sweeps", "a sweep is already closed", "Go on with the sweeps that are open.")
    named = {name for each in sweeps for name in each.sources}
    for source in run.sources:
        if source.id not in named:
            raise refused(source.id, "no dimension uses this source", "Add it to the sources of a dimension.")
    after = evolve(run, sweeps=tuple(Sweep(dimension=each.dimension, sources=each.sources) for each in sweeps))
    return after, result_of("sweeps", after != run)


def sweep(
    run: Run,
    store: Store[Run],
    swept: Annotated[tuple[Swept, ...], Flag(description="a list of dimension, searched, found, slips, more")],
) -> Result:
    """Record what sweeps found, and close them. Each quote must be in its file. The same again changes nothing."""
    if not swept:
        raise RequestError("{swept}: names no dimension")
    known = {each.dimension: each for each in run.sweeps}
    for name in repeated(each.dimension for each in swept):
        raise refused(name, "the list names it twice", "Name it once.")
    for each in swept:
        _check(each)
        one(run.sweeps, each.dimension)
    open_ = [each for each in swept if known[each.dimension].searched is None]
    for each in swept:
        if each not in open_ and not _is_recorded(run, each):
            raise refused(each.dimension, "its sweep is closed with another result", "Leave it out.")
    given = _placed(run, os.path.dirname(store.path), open_)
    candidates = list(run.candidates)
    for each in given:
        candidates += _candidates(each, len(candidates) + 1)
    by = {each.dimension: each.searched for each in given}
    after = evolve(
        run,
        sweeps=changed(run.sweeps, by, lambda each: evolve(each, searched=by[each.dimension])),
        candidates=tuple(candidates),
    )
    return after, result_of(", ".join(each.dimension for each in swept), after != run)


def _check(swept: Swept) -> None:
    """Raise RequestError for a result with too many pairs, or with an unseen one that nobody would examine."""
    for what, pairs, most in (
        ("found", swept.found, MAX_FOUND),
        ("slips", swept.slips, MAX_SLIPS),
        ("more", swept.more, MAX_MORE),
    ):
        if len(pairs) > most:
            raise RequestError("{swept}: {n} {what}; give at most {most}", n=str(len(pairs)), what=what, most=str(most))
    if any(each.not_run for each in swept.slips):
        raise RequestError("{swept}: a pair that was not run is under `slips`; nobody has seen it; put it into `found`")
    if any(each.not_run for each in swept.more) and not all(each.not_run for each in swept.found):
        raise RequestError("{swept}: a pair that was not run is under `more`; put it into `found`, before the others")


def _pairs(swept: Swept) -> tuple[Found, ...]:
    return (*swept.found, *swept.slips, *swept.more)


def _placed(run: Run, state_dir: str, sweeps: Sequence[Swept]) -> list[Swept]:
    """Return results with the lines of their quotes. Raises RefusedError, for all of them at once, as `placed` does."""
    pairs = iter(placed(run, state_dir, (pair for each in sweeps for pair in _pairs(each))))
    return [
        evolve(
            each,
            found=tuple(islice(pairs, len(each.found))),
            slips=tuple(islice(pairs, len(each.slips))),
            more=tuple(islice(pairs, len(each.more))),
        )
        for each in sweeps
    ]


def _is_recorded(run: Run, swept: Swept) -> bool:
    """Return True if a closed sweep has this result. Lines do not count, because the record has the right ones."""
    before = [without_lines(each.found) for each in run.candidates if each.dimension == swept.dimension]
    given = [without_lines(each) for each in _pairs(swept)]
    return (one(run.sweeps, swept.dimension).searched, before) == (swept.searched, given)


def _candidates(swept: Swept, first: int) -> Iterator[Candidate]:
    """Yield the candidates of a sweep, numbered from `first`."""
    standings = [Standing.FOUND] * len(swept.found) + [Standing.SLIP] * len(swept.slips)
    standings += [Standing.DROPPED] * len(swept.more)
    for number, (found, standing) in enumerate(zip(_pairs(swept), standings, strict=True), first):
        why = BEYOND if standing is Standing.DROPPED else None
        yield Candidate(id=f"C-{number:03d}", dimension=swept.dimension, found=found, standing=standing, why=why)


def select(
    run: Run, choices: Annotated[tuple[Choice, ...], Flag(description="a list of candidate, dive, why")]
) -> Result:
    """Record for every candidate if it is examined; also for one that its sweep put under `more`, if you like."""
    if run.open_sweeps():
        raise refused("candidates", "a sweep is open", "Wait until every sweep is closed.")
    also = [each.id for each in run.of(Standing.DROPPED)]
    each_once((each.candidate for each in choices), (each.id for each in run.of(Standing.FOUND)), "candidate", also)
    dives = sum(each.dive for each in choices)
    if dives > run.depth.dives:
        raise refused("dives", f"{dives} dives are too many", f"Choose at most {run.depth.dives}.")
    by = {each.candidate: each for each in choices}
    for each in run.of(Standing.FOUND):
        doubled = any(other.dive and other.candidate in by[each.id].why for other in choices)
        if each.found.not_run and not by[each.id].dive and not doubled and dives < run.depth.dives:
            fix = "Set `dive` to true; or name, as the reason, a candidate with the same fact that is looked into."
            raise refused(each.id, "a side was not run, so nobody has seen it", fix)

    def settled(before: Candidate) -> Candidate:
        choice = by[before.id]
        return evolve(before, standing=Standing.SELECTED if choice.dive else Standing.DROPPED, why=choice.why)

    return evolve(run, candidates=changed(run.candidates, by, settled)), result_of("candidates", True)


def report(
    run: Run, evidence: Annotated[tuple[Seen, ...], Flag(description="a list of candidate, evidence")]
) -> Result:
    """Record what the checks of candidates showed. You can change it until a candidate has a verdict."""
    if not evidence:
        raise RequestError("{evidence}: names no candidate")
    waiting = [each.id for each in run.of(Standing.SELECTED) if each.verdict is None]
    for seen in evidence:
        one(run.candidates, seen.candidate)
    each_once((each.candidate for each in evidence), (), "candidate", also=waiting)
    by = {each.candidate: each.evidence for each in evidence}
    after = evolve(run, candidates=changed(run.candidates, by, lambda each: evolve(each, evidence=by[each.id])))
    return after, result_of(", ".join(by), after != run)


def judge(
    run: Run, verdicts: Annotated[tuple[Judgement, ...], Flag(description="a list of candidate, verdict, reason")]
) -> Result:
    """Record the verdict on every candidate that was examined. You can change one until a question is about it."""
    if run.to_dive():
        raise refused(run.to_dive()[0].id, "it was not investigated yet", "Launch its agent first.")
    posed = {name for question in run.questions for name in question.candidates}
    also = [each.id for each in run.candidates if each.verdict and each.id not in posed]
    each_once((each.candidate for each in verdicts), (each.id for each in run.to_judge()), "candidate", also)
    by = {each.candidate: each for each in verdicts}
    after = changed(
        run.candidates, by, lambda each: evolve(each, verdict=by[each.id].verdict, reason=by[each.id].reason)
    )
    return evolve(run, candidates=after), result_of("verdicts", True)
