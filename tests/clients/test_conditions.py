"""The clients' own programs show the conditions that the driver recognises: without a login, and with a refused key."""

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lib.workflow.app.install.clients import Agent
from lib.workflow.app.install.doctor.asked import LOGINS, asked
from lib.workflow.run.clients.agents import Attempt, CrashError
from lib.workflow.run.clients.job import Job
from lib.workflow.run.clients.presets import agent_of
from lib.workflow.run.conditions.kinds import Kind
from lib.workflow.types import AgentRole
from tests.clients.models import Claude, Codex, Copilot, Gemini, Model, OpenCode, has_a_key
from tests.clients.programs import BIN, Somebody, empty_home

pytestmark = pytest.mark.clients
ENDS_WITHOUT_LOGIN = ("claude", "gemini", "copilot")
"""Codex waits for the network, and OpenCode for its free models."""
MODELS = (Claude(), Gemini(), Copilot(), Codex(), OpenCode())


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")


def failure(name: str, user: Somebody, environment: dict[str, str]) -> CrashError:
    """Return the failure of a client as an agent of the driver."""
    user.runs("git", "init", "-q")
    (user.folder / "agents").mkdir()
    every = {**empty_home(user.home), **environment, "PATH": os.environ["PATH"]}
    job = Job(key="1", role=AgentRole.DEVELOPER, prompt="Go on")
    attempt = Attempt(job=job, number=1, folder=str(user.folder / "agents"), environment=every, client=name)
    with pytest.raises(CrashError) as caught:
        asyncio.run(agent_of(name, cwd=str(user.folder), packages=["skills"]).work(attempt))
    return caught.value


@contextmanager
def refusing() -> Iterator[str]:
    """Serve a provider that refuses every key, in all interfaces, and yield its address."""
    error = {"type": "authentication_error", "code": "invalid_api_key", "message": "invalid x-api-key", "status": "401"}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"type": "error", "error": error}).encode()
            self.send_response(401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("name", ENDS_WITHOUT_LOGIN)
def test_client_without_a_login_is_recognised(name: str, newcomer: Somebody) -> None:
    found = failure(name, newcomer, {})
    assert found.condition is not None
    assert (found.condition.kind, found.condition.client) == (Kind.LOGIN, name)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.asks[0])
def test_client_whose_key_is_refused_is_recognised(model: Model, newcomer: Somebody) -> None:
    has_a_key(newcomer.home)
    with refusing() as address:
        found = failure(model.asks[0], newcomer, dict(model.reached(newcomer.home, address)))
    assert found.condition is not None
    assert found.condition.kind is Kind.LOGIN, str(found)


def test_clients_say_that_nobody_is_logged_in(newcomer: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in empty_home(newcomer.home).items():
        if name != "PATH":
            monkeypatch.setenv(name, value)
    found = {each.client: each for each in asked([*LOGINS, Agent.GEMINI, Agent.COPILOT], seconds=60)}
    assert all(each.version and not each.problem for each in found.values())
    assert {name: each.is_logged_in for name, each in found.items()} == {
        **{agent.value: False for agent in LOGINS},
        "gemini": None,
        "copilot": None,
    }
