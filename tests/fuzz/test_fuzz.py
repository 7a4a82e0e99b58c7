"""Whatever is given to whatever script, and whatever is wrong with its files, it says what it did, and breaks nothing.

A case that fails is repeated by `python -m tests.fuzz SEED 1`.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from lib.workflow.testing.process import Ran
from lib.workflow.testing.stage import memory
from tests.fuzz.folders import Folders
from tests.fuzz.lines import OF_COMMANDS, Line, flags, ordinary
from tests.fuzz.play import play
from tests.scripts import STEPSCRIPT, starts
from tests.subjects import ROOT

FEW: Final = 200
"""Cases of `make test`."""
MANY: Final = 12_000
PROCESSES: Final = 500
"""Cases of which each is a process, with streams that are closed, full or broken."""
PARTS: Final = 12
"""Tests that share the many, so that all cores have work."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folders]:
    """On the memory of the system where it can be: a case writes dozens of files."""
    import shutil
    import tempfile

    place = Path(tempfile.mkdtemp(prefix="stepscript-fuzz-", dir=memory()))
    yield Folders(place)
    shutil.rmtree(place, ignore_errors=True)


def played(seeds: range, folders: Folders) -> str:
    """What was wrong with the cases of these numbers."""
    failed = [(case, faults) for case, faults in (play(seed, folders) for seed in seeds) if faults]
    return "\n".join(f"{case}\n    {'; '.join(faults)}" for case, faults in failed)


def test_a_few_hundred_strange_calls_end_as_they_should(folders: Folders) -> None:
    assert played(range(FEW), folders) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_strange_calls_end_as_they_should(part: int, folders: Folders) -> None:
    each = MANY // PARTS
    assert played(range(1_000_000 + part * each, 1_000_000 + (part + 1) * each), folders) == ""


STREAMS: Final = ("", ">&-", ">/dev/full", "2>&-", "2>/dev/full", "<&-", "<&- >&- 2>&-", "| head -c 1 >/dev/null")


def as_process(line: Line) -> Ran:
    """The line as a process, by a shell that does something to its streams."""
    streams = random.Random(repr(line)).choice(STREAMS)
    command: list[str] = ["/bin/sh", "-c", f'"$@" {streams}', "sh", sys.executable, "-P", *line.start, *line.words]
    given = None if "<" in streams else line.given
    came = subprocess.run(
        command, capture_output=True, input=given, env={**os.environ, "PYTHONPATH": ROOT}, timeout=60, check=False
    )
    return Ran(came.returncode, came.stdout.decode(errors="replace"), came.stderr.decode(errors="replace"))


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_strange_calls_with_strange_streams_end_as_they_should(part: int, folders: Folders) -> None:
    each = PROCESSES // PARTS
    for seed in range(2_000_000 + part * each, 2_000_000 + (part + 1) * each):
        case, faults = play(seed, folders, as_process)
        silent = {"wrong usage that nobody is told of", "a refusal without a word"}  # where nobody can be
        assert set(faults) <= silent, f"{case}\n    {faults}"


def test_every_script_and_command_is_called_with_what_it_takes() -> None:
    commands = {start[-1] for start in starts() if start[1] == STEPSCRIPT}
    assert set(OF_COMMANDS) <= commands
    for start in starts():
        assert ordinary(start)
    assert "--state-dir" in flags(("-m", "skills.planner.cli.plan"))
    assert "--finding" in flags(("-m", "skills.planner.cli.qr"))


def test_a_case_is_the_same_each_time(folders: Folders) -> None:
    for seed in range(7, 12):
        assert [str(play(seed, folders)[0]) for _ in range(2)] == [str(play(seed, folders)[0])] * 2
