"""Crowds: many processes that change one state file at once, some of them killed at any moment."""

import os
import random
import signal
import time
from collections.abc import Callable, Sequence

from attrs import frozen

from lib.workflow.ast.parse import ParseError, parse
from lib.workflow.ast.results import EntityResult
from tests.databases.places import Place
from tests.warm import Warm


@frozen(kw_only=True)
class Report:
    """The result of one process."""

    number: int
    status: int
    """Its exit status; negative if a signal ended it."""
    result: EntityResult | None
    """Its complete output; None if it did not get that far."""


@frozen(kw_only=True)
class Crowd:
    """The actions of many processes on one file, and the condition that must hold afterwards."""

    name: str
    size: int
    prepare: Callable[[str], None]
    """A function that makes the state in a run's folder."""
    words: Callable[[str, int], Sequence[str]]
    """A function that returns the command of a process, without the interpreter, by the run's address and a number."""
    check: Callable[[str, Sequence[Report]], None]
    """A function that asserts that the file is readable and holds every reported change, and no others but those of
    processes that were killed before they could report.
    """


def meet(crowd: Crowd, place: Place, chance: random.Random | None = None) -> list[Report]:
    """Run all processes of the crowd at once, on one run.

    With `chance`, every third is killed at a random moment.
    """
    place.make()
    crowd.prepare(place.folder)
    other = place.another("another")  # of the same kind: a database needs more modules
    other.make()
    crowd.prepare(other.folder)
    homes = [{"PATH": os.environ["PATH"], **place.environment(number)} for number in range(crowd.size)]
    with Warm() as warm:
        warm.learn(warm.start(crowd.words(other.address, 0)[1:], homes[0]).ended())
        begun = time.monotonic()
        started = [warm.start(crowd.words(place.address, number)[1:], home) for number, home in enumerate(homes)]
        if chance is not None:
            spread = 2 * (time.monotonic() - begun)  # of the order of their run time, however busy the machine is
            moments = sorted((chance.uniform(0, spread), number) for number in range(0, crowd.size, 3))
            for moment, number in moments:
                time.sleep(max(0, begun + moment - time.monotonic()))
                os.kill(started[number].pid, signal.SIGKILL)
        every = [each.ended() for each in started]
    assert not [came.errors for came in every if "Traceback" in came.errors]
    return [Report(number=number, status=came.status, result=_result(came.out)) for number, came in enumerate(every)]


def all_report(crowd: Crowd, place: Place) -> None:
    """Assert that a crowd without kills makes and reports all its changes."""
    reports = meet(crowd, place)
    assert [report.status for report in reports] == [0] * crowd.size
    assert len(reported(reports)) == crowd.size
    crowd.check(place.folder, reports)


def some_are_killed(crowd: Crowd, place: Place, number: int) -> None:
    """Assert that reported changes persist although some processes are killed: others with each number."""
    reports = meet(crowd, place, random.Random(number))
    assert {report.status for report in reports if report.number % 3} == {0}
    assert {report.status for report in reports} <= {0, -9}
    crowd.check(place.folder, reports)


def _result(printed: str) -> EntityResult | None:
    try:
        blocks = parse(printed).blocks
    except ParseError:
        return None
    return blocks[0] if blocks and isinstance(blocks[0], EntityResult) else None


def reported(reports: Sequence[Report]) -> list[EntityResult]:
    """Return the results that processes reported."""
    return [report.result for report in reports if report.result is not None]


def unknown(reports: Sequence[Report]) -> int:
    """Return the number of processes that were killed before they could report."""
    return sum(report.status < 0 and report.result is None for report in reports)
