"""Proof of every workflow of the project: laws 1, 2, 5, 6 and 7 for all that can be printed."""

import gc
import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from tests.databases.places import InDatabase, Place
    from tests.databases.server import Server

MEMORY: Final = "/dev/shm"
"""Folder in the system's memory, if it has one: on a disk, tests of states mostly wait for syncs."""
ROOM: Final = 2 << 30
"""Bytes that must be free there."""

stepscript_packages = ("skills", "tests.workflows")
collect_ignore = ["plugins/faulty_project"]  # its faults are intended; `plugins/test_proof.py` expects them

if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = MEMORY

_STATE = tempfile.TemporaryDirectory(prefix="stepscript-state-")
os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = _STATE.name
"""Separate state of the tests, set as soon as tests are collected, so that the user's own is not touched."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long tests first; the order is the same in every worker."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> "Generator[None, object, object]":
    """Hide the collected tests from the garbage collector, which would scan them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()  # attrs makes a class with slots from another one, which nobody needs
        gc.freeze()
        gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Return half as many workers again as there are processors, because tests of runs wait for processes."""
    return max((os.cpu_count() or 1) * 3 // 2, 1)


@pytest.fixture(scope="session")
def database() -> "Iterator[Server]":
    """Start a PostgreSQL server for all tests of a process, or skip the test and say how to get one."""
    from tests.databases.server import MISSING, Server, programs

    found = programs()
    if found is None:
        pytest.skip(MISSING)
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'stepscript[postgres]'")
    server = Server(found)
    yield server
    server.close()


@pytest.fixture
def in_database(database: "Server", tmp_path: "Path") -> "InDatabase":
    """Return the place of a new run in the database."""
    from tests.databases.places import InDatabase, new_name

    return InDatabase(database, tmp_path, new_name())


@pytest.fixture(params=["folder", "database"])
def place(request: pytest.FixtureRequest, tmp_path: "Path") -> "Place":
    """Return each kind of place of a run's documents."""
    from tests.databases.places import InFolder

    if request.param == "folder":
        return InFolder(tmp_path)
    found: InDatabase = request.getfixturevalue("in_database")
    return found
