"""The engines that runs are tried with."""

import os
from collections.abc import Iterator

import pytest

from tests.run.engines import Locally, Remotely, Stage
from tests.run.temporal.servers import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A Temporal server, for all tests of a process."""
    server = Server()
    yield server
    server.kill()


@pytest.fixture
def remote(server: Server) -> Remotely:
    """The engine of many hosts."""
    return Remotely(server.address, f"test-{os.urandom(4).hex()}")


@pytest.fixture(params=["local", "temporal"])
def stage(request: pytest.FixtureRequest) -> Stage:
    """Each engine."""
    if request.param == "local":
        return Locally()
    remote: Remotely = request.getfixturevalue("remote")
    return remote
