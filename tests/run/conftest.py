"""The engines that runs are tried with; without the extra `temporal` only the local one."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.run.engines import Locally, Stage

if TYPE_CHECKING:
    from tests.run.temporal.buckets import Buckets
    from tests.run.temporal.servers import Server
    from tests.run.temporal.stages import Remotely

HAS_TEMPORAL = find_spec("temporalio") is not None
collect_ignore = [] if HAS_TEMPORAL else ["temporal"]


@pytest.fixture(scope="package")
def server() -> "Iterator[Server]":
    """Start a Temporal server, for all tests of runs in a process; one with many runs is never idle."""
    from tests.run.temporal.servers import Server

    server = Server()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def buckets() -> "Iterator[Buckets]":
    """Start a service with the interface of S3, for all tests of a process."""
    from tests.run.temporal.buckets import Buckets

    buckets = Buckets()
    yield buckets
    buckets.end()


@pytest.fixture
def remote(server: "Server") -> "Remotely":
    """Return the Temporal engine."""
    from tests.run.temporal.stages import Remotely

    return Remotely(server.address, f"test-{os.urandom(4).hex()}")


@pytest.fixture(params=["local", *(["temporal"] if HAS_TEMPORAL else [])])
def stage(request: pytest.FixtureRequest) -> Stage:
    """Return each engine."""
    if request.param == "local":
        return Locally()
    remote: Remotely = request.getfixturevalue("remote")
    return remote
