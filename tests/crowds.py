"""Crowds: many processes that change one state file at once, some of them killed at any moment."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import frozen

from lib.workflow.ast.parse import ParseError, parse
from lib.workflow.ast.results import EntityResult


@frozen(kw_only=True)
class Report:
    """What became of one process."""

    number: int
    status: int
    """Its exit status; negative where a signal ended it."""
    result: EntityResult | None
    """What it printed, whole; None where it did not come so far."""


@frozen(kw_only=True)
class Crowd:
    """What many processes do to one file, and what must hold of it afterwards."""

    name: str
    size: int
    prepare: Callable[[Path], None]
    """Makes the file in a folder."""
    words: Callable[[Path, int], Sequence[str]]
    """The command of the process of a number, behind the interpreter."""
    check: Callable[[Path, Sequence[Report]], None]
    """Asserts that the file is readable and holds every change that a process reported, and no other but those of
    processes that were killed before they could."""


def meet(crowd: Crowd, folder: Path, chance: random.Random | None = None) -> list[Report]:
    """All processes of the crowd at once, in a folder of their own. With `chance`, every third is killed at a moment
    of its choice."""
    crowd.prepare(folder)
    environment = {"PATH": os.environ["PATH"]}
    begun = time.monotonic()
    processes = [
        subprocess.Popen(
            [sys.executable, "-P", *crowd.words(folder, number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=environment,
            encoding="utf-8",
        )
        for number in range(crowd.size)
    ]
    if chance is not None:
        spread = 2 * (time.monotonic() - begun)  # of the order of what they take, however busy the machine is
        moments = sorted((chance.uniform(0, spread), number) for number in range(0, crowd.size, 3))
        for moment, number in moments:
            time.sleep(max(0, begun + moment - time.monotonic()))
            processes[number].kill()
    reports = []
    for number, process in enumerate(processes):
        printed, said = process.communicate(timeout=60)
        assert "Traceback" not in said, said
        reports.append(Report(number=number, status=process.returncode, result=_result(printed)))
    return reports


def all_report(crowd: Crowd, folder: Path) -> None:
    """Asserts that a crowd of which nobody is killed does all that it is to do, and says so."""
    reports = meet(crowd, folder)
    assert [report.status for report in reports] == [0] * crowd.size
    assert len(reported(reports)) == crowd.size
    crowd.check(folder, reports)


def some_are_killed(crowd: Crowd, folder: Path, number: int) -> None:
    """Asserts that what a crowd reports stands, though some of it are killed: others with each number."""
    reports = meet(crowd, folder, random.Random(number))
    assert {report.status for report in reports if report.number % 3} == {0}
    assert {report.status for report in reports} <= {0, -9}
    crowd.check(folder, reports)


def _result(printed: str) -> EntityResult | None:
    try:
        blocks = parse(printed).blocks
    except ParseError:
        return None
    return blocks[0] if blocks and isinstance(blocks[0], EntityResult) else None


def reported(reports: Sequence[Report]) -> list[EntityResult]:
    """What processes said they did."""
    return [report.result for report in reports if report.result is not None]


def unknown(reports: Sequence[Report]) -> int:
    """How many were killed before they could say whether they did it."""
    return sum(report.status < 0 and report.result is None for report in reports)
