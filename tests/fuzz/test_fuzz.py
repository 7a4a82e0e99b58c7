"""Any input to any script, with any damage to its files: it reports its result, and breaks nothing.

A failed case is repeated by `python -m tests.fuzz SEED 1`.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from lib.workflow.testing.stage import memory
from lib.workflow.util.output import DONE, REFUSED, USAGE
from tests.fuzz.folders import Folders
from tests.fuzz.lines import OF_COMMANDS, flags, ordinary
from tests.fuzz.play import play
from tests.fuzz.streams import UNTOLD, as_process
from tests.scripts import STEPSCRIPT, starts
from tests.subjects import WORKFLOWS
from tests.tables.found import TABLES

FEW: Final = 200
"""Cases of `make test`."""
MANY: Final = 12_000
PROCESSES: Final = 500
"""Cases of which each is a process, with streams that are closed, full or broken."""
PARTS: Final = 12
"""Tests that share the many, so that all cores have work."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folders]:
    """Create the folders in memory if possible, because a case writes dozens of files."""
    place = Path(tempfile.mkdtemp(prefix="stepscript-fuzz-", dir=memory()))
    yield Folders(place)
    shutil.rmtree(place, ignore_errors=True)


def played(seeds: range, folders: Folders) -> tuple[str, Counter[int | None], int]:
    """Return the faults of these cases, the count of each status, and the number of changed state files."""
    found = [play(seed, folders) for seed in seeds]
    said = [f"{each.case}\n    {'; '.join(each.faults)}" for each in found if each.faults]
    return "\n".join(said), Counter(each.status for each in found), sum(each.written for each in found)


def test_a_few_hundred_strange_calls_end_as_they_should(folders: Folders) -> None:
    wrong, statuses, written = played(range(FEW), folders)
    assert wrong == ""
    assert min(statuses[status] for status in (DONE, REFUSED, USAGE)) >= FEW // 20  # more than one outcome occurs
    assert written >= FEW // 100


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_strange_calls_end_as_they_should(part: int, folders: Folders) -> None:
    each = MANY // PARTS
    wrong, _, written = played(range(1_000_000 + part * each, 1_000_000 + (part + 1) * each), folders)
    assert wrong == ""
    assert written >= each // 100


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_strange_calls_with_strange_streams_end_as_they_should(part: int, folders: Folders) -> None:
    each = PROCESSES // PARTS
    for seed in range(2_000_000 + part * each, 2_000_000 + (part + 1) * each):
        came = play(seed, folders, as_process)
        assert set(came.faults) <= UNTOLD, f"{came.case}\n    {came.faults}"


def test_fuzz_covers_every_script_and_command() -> None:
    commands = {start[-1] for start in starts() if start[1] == STEPSCRIPT}
    assert set(OF_COMMANDS) <= commands
    named = {start[-1] for start in starts()}
    assert {workflow.module for workflow in WORKFLOWS if workflow.module.startswith("skills.")} <= named
    assert {found.table.module for found in TABLES if found.table.module.startswith("skills.")} <= named
    for start in starts():
        assert ordinary(start)
    assert "--state-dir" in flags(("-m", "skills.planner.cli.plan"))
    assert "--finding" in flags(("-m", "skills.planner.cli.qr"))


def test_a_case_is_the_same_each_time(folders: Folders) -> None:
    for seed in range(7, 12):
        assert str(play(seed, folders).case) == str(play(seed, folders).case)
