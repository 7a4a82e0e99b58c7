"""Connections to a server: TLS and API keys of the user's profile, and the reason for each failure."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from temporalio.client import Client

from lib.workflow.run.engine import State
from lib.workflow.run.temporal.connection import ServerError, check_namespace, connected, endpoint
from tests.run.engines import gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.servers import Server
from tests.run.temporal.stages import Remotely

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
PREFIX = "TEMPORAL_"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ADDRESS", "NAMESPACE", "API_KEY", "TLS", "PROFILE"):
        monkeypatch.delenv(PREFIX + name, raising=False)
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(tmp_path / "none.toml"))


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for `localhost`, with its key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl makes a certificate")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    how = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = "-addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE"
    words = f"{openssl} {how} {names} -keyout {path} -out {path}.crt"
    subprocess.run(words.split(), check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def encrypted(server: Server, certificate: Path, clients: bool = False) -> AsyncIterator[str]:
    """Serve a server by TLS during the block; `clients` need a certificate too."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.set_alpn_protocols(["h2"])
    if clients:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(certificate)
    host, port = server.address.split(":")

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection(host, port)
        await asyncio.gather(_copied(reader, forth), _copied(back, writer))

    front = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context)
    yield f"localhost:{front.sockets[0].getsockname()[1]}"
    front.close()


def trusting(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_TLS", "true")
    monkeypatch.setenv("TEMPORAL_TLS_SERVER_CA_CERT_PATH", f"{certificate}.crt")


@pytest.mark.parametrize("mutual", [False, True])
def test_a_run_is_driven_through_tls(
    server: Server, certificate: Path, mutual: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting(certificate, monkeypatch)
    if mutual:
        monkeypatch.setenv("TEMPORAL_TLS_CLIENT_CERT_PATH", f"{certificate}.crt")
        monkeypatch.setenv("TEMPORAL_TLS_CLIENT_KEY_PATH", str(certificate))

    async def act() -> None:
        async with encrypted(server, certificate, clients=mutual) as address:
            remote = Remotely(address, f"tls-{mutual}")
            async with remote.serving():
                assert (await gone(remote, rehearsed(ANALYSIS, tmp_path))).state is State.DONE

    asyncio.run(act())


def _untrusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_TLS", "true")


def _other_name(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusting(certificate, monkeypatch)
    monkeypatch.setenv("TEMPORAL_TLS_SERVER_NAME", "elsewhere")


def _missing_file(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusting(certificate, monkeypatch)
    monkeypatch.setenv("TEMPORAL_TLS_SERVER_CA_CERT_PATH", "/missing.crt")


def _plain(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pass


Setting = Callable[[Path, pytest.MonkeyPatch], None]


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        (_untrusted, "UnknownIssuer"),
        (_other_name, "TEMPORAL_TLS_SERVER_NAME"),
        (_missing_file, "/missing.crt"),
        (_plain, "'localhost:"),
    ],
)
def test_tls_that_fails_is_reported_with_its_cause(
    server: Server, certificate: Path, setting: Setting, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting(certificate, monkeypatch)

    async def act() -> None:
        async with encrypted(server, certificate) as address:
            with pytest.raises(ServerError, match=says):
                await connected(address, "default")

    asyncio.run(act())


async def _refused(server: Server) -> None:
    await connected("127.0.0.1:1", "default")


async def _no_name(server: Server) -> None:
    await connected("nowhere.invalid:7233", "default")


async def _no_namespace(server: Server) -> None:
    await check_namespace(await connected(server.address, "nowhere"))


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (_refused, "start-dev"),
        (_no_name, "nowhere.invalid"),
        (_no_namespace, "'nowhere'"),
    ],
)
def test_unusable_server_is_reported_with_its_cause(
    server: Server, ask: Callable[[Server], Coroutine[None, None, None]], says: str
) -> None:
    with pytest.raises(ServerError, match=says):
        asyncio.run(ask(server))


def test_tls_to_a_server_without_it_is_reported(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_TLS", "true")
    with pytest.raises(ServerError, match="TLS"):
        asyncio.run(connected(server.address, "default"))


PROFILES = """
[profile.default]
address = "first:1"
namespace = "team"
api_key = "first-key"

[profile.other]
address = "second:2"
"""


@pytest.mark.parametrize(
    ("variables", "given", "used"),
    [
        ({}, ("", ""), ("first:1", "team")),
        ({}, ("mine:3", ""), ("mine:3", "team")),
        ({"PROFILE": "other"}, ("", ""), ("second:2", "default")),
        ({"ADDRESS": "third:3", "NAMESPACE": "own"}, ("", ""), ("third:3", "own")),
    ],
)
def test_server_comes_from_options_then_variables_then_the_profile(
    variables: dict[str, str],
    given: tuple[str, str],
    used: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "none.toml").write_text(PROFILES)
    for name, value in variables.items():
        monkeypatch.setenv(PREFIX + name, value)
    assert endpoint(*given) == used


@pytest.mark.parametrize(("address", "key"), [("first:1", "first-key"), ("foreign:1", None)])
def test_an_api_key_goes_only_to_the_server_of_its_profile(
    address: str, key: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "none.toml").write_text(PROFILES)
    used: list[object] = []

    async def connect(address: str, *, api_key: str | None, tls: bool, **more: object) -> None:
        used.extend((api_key, bool(tls)))

    monkeypatch.setattr(Client, "connect", connect)
    asyncio.run(connected(address, "default"))
    assert used == [key, key is not None]


@pytest.mark.parametrize("text", ["[profile", "[profile.default]\naddress = 3"])
def test_broken_profile_is_reported(text: str, tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text(text)
    with pytest.raises(ValueError, match="TEMPORAL_CONFIG_FILE"):
        endpoint("", "")
