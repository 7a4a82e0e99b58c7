"""Commands of the detecting steps, as pure functions of the run and a request; and the start of a run."""

import os
from typing import Annotated, Final, TypeAlias

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.results import Operation
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.errors import RefusedError
from lib.workflow.state.consent import mark_or_say
from lib.workflow.state.run_folder import make_run
from lib.workflow.state.store import Store
from lib.workflow.util.suggest import expected

from ..dimensions import read_dimensions
from ..limits import MAX_FOUND, MAX_MORE, MAX_SOURCES, MIN_SOURCES, MIN_SWEEPS
from ..record import TEXT, Candidate, Run, Sweep, changed
from ..standing import Standing
from .quotes import check_quotes
from .requests import Choice, Chosen, Judgement, Survey, Swept
from .telling import each_once, one, refused, result_of

Result: TypeAlias = tuple[Run, Node]
Dimension: TypeAlias = Annotated[str, Flag(positional=True, description="the id of a dimension that was chosen")]
CandidateId: TypeAlias = Annotated[str, Flag(positional=True, description="the id of a candidate, such as C-001")]


Evidence: TypeAlias = Annotated[
    str, Flag(long=True, rule=TEXT.check, description="what was seen, with places, one line")
]


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


BEYOND: Final = f"beyond the {MAX_FOUND} that its sweep puts first"
"""The reason why a candidate is not examined that a sweep lists under `more`."""


def close_sweep(
    run: Run,
    store: Store[Run],
    dimension: Dimension,
    swept: Annotated[Swept, Flag(description="an object: searched, found, more")],
) -> Result:
    """Record what a sweep found, and close it. Each quote must be at its line. The same again changes nothing."""
    if len(swept.found) > MAX_FOUND:
        raise RequestError(
            "{swept}: {n} found; report the {most} that matter", n=str(len(swept.found)), most=str(MAX_FOUND)
        )
    if len(swept.more) > MAX_MORE:
        raise RequestError("{swept}: {n} more; list {most}", n=str(len(swept.more)), most=str(MAX_MORE))
    if any(each.not_run for each in swept.more) and not all(each.not_run for each in swept.found):
        raise RequestError("{swept}: a pair that was not run is under `more`; put it into `found`, before the others")
    sweep = next((each for each in run.sweeps if each.dimension == dimension), None)
    if sweep is None:
        legal = expected(dimension, [each.dimension for each in run.sweeps])
        raise RefusedError("unknown-id", dimension, "this dimension was not chosen", legal)
    if sweep.searched is not None:
        before = tuple(each.found for each in run.candidates if each.dimension == dimension)
        if (sweep.searched, before) == (swept.searched, (*swept.found, *swept.more)):
            return run, result_of(dimension, False)
        raise refused(dimension, "its sweep is closed with another result", "Reply that it is already recorded.")
    check_quotes(run, os.path.dirname(store.path), (*swept.found, *swept.more))
    first = len(run.candidates) + 1
    new = [
        Candidate(id=f"C-{number:03d}", dimension=dimension, found=found)
        for number, found in enumerate(swept.found, first)
    ]
    new += [
        Candidate(id=f"C-{number:03d}", dimension=dimension, found=found, standing=Standing.DROPPED, why=BEYOND)
        for number, found in enumerate(swept.more, first + len(new))
    ]
    sweeps = tuple(evolve(each, searched=swept.searched) if each is sweep else each for each in run.sweeps)
    return evolve(run, sweeps=sweeps, candidates=(*run.candidates, *new)), result_of(dimension, True)


def select(
    run: Run, choices: Annotated[tuple[Choice, ...], Flag(description="a list of candidate, dive, why")]
) -> Result:
    """Record for every candidate if it is examined."""
    if run.open_sweeps():
        raise refused("candidates", "a sweep is open", "Wait until every sweep is closed.")
    each_once((each.candidate for each in choices), (each.id for each in run.of(Standing.FOUND)), "candidate")
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


def report(run: Run, candidate: CandidateId, evidence: Evidence) -> Result:
    """Record what the check of a candidate showed. You can change it until it has a verdict."""
    before = one(run.candidates, candidate)
    if before.standing is not Standing.SELECTED or before.verdict is not None:
        raise refused(candidate, "no agent is investigating it", "Reply with this reason.")
    after = evolve(run, candidates=changed(run.candidates, (candidate,), lambda each: evolve(each, evidence=evidence)))
    return after, result_of(candidate, after != run)


def judge(
    run: Run, verdicts: Annotated[tuple[Judgement, ...], Flag(description="a list of candidate, verdict, reason")]
) -> Result:
    """Record the verdict on every candidate that was examined."""
    if run.to_dive():
        raise refused(run.to_dive()[0].id, "it was not investigated yet", "Launch its agent first.")
    each_once((each.candidate for each in verdicts), (each.id for each in run.to_judge()), "candidate")
    by = {each.candidate: each for each in verdicts}
    after = changed(
        run.candidates, by, lambda each: evolve(each, verdict=by[each.id].verdict, reason=by[each.id].reason)
    )
    return evolve(run, candidates=after), result_of("verdicts", True)
