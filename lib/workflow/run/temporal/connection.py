"""Connections to a Temporal server, with the TLS and the API key that Temporal's own tools use.

`temporalio.envconfig` reads them from the profile file and the variables `TEMPORAL_…`.
"""

import asyncio
import os
import re
from functools import cache
from typing import Final

from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.envconfig import ClientConfigProfile, ClientConnectConfig
from temporalio.runtime import LoggingConfig, PrometheusConfig, Runtime, TelemetryConfig, TelemetryFilter
from temporalio.service import RPCError, RPCStatusCode

from ...util.characters import on_a_screen
from .payloads.sealing import data_converter
from .payloads.store_choice import store_of
from .payloads.stores import STORE

CONNECT: Final = 5.0
"""Seconds for a server to answer at all."""
ADDRESS, NAMESPACE = "127.0.0.1:7233", "default"
"""The server of a user who names none."""
LONGEST: Final = 300
"""Maximum characters of a library's error."""
_CAUSES: Final = (
    (
        "UnknownIssuer",
        "nobody that this machine trusts has signed its certificate; name the file of its authority in "
        "TEMPORAL_TLS_SERVER_CA_CERT_PATH",
    ),
    ("NotValidForName", "its certificate is for another name; use that name, or set TEMPORAL_TLS_SERVER_NAME"),
    ("InvalidCertificate", "its certificate is not valid"),
    ("InvalidContentType", "it does not use TLS; unset TEMPORAL_TLS and TEMPORAL_API_KEY, or name another address"),
    (
        "transport error",
        "it ended the connection; if it requires TLS, set TEMPORAL_TLS=true, and if it requires a certificate, "
        "TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH",
    ),
    ("Unauthenticated", "it requires another API key or certificate; set TEMPORAL_API_KEY"),
    ("PermissionDenied", "this API key or certificate is not allowed to use the namespace"),
)
"""Texts in errors of the library, and what they mean for the user."""
_MISSING: Final = re.compile("ConnectionRefused|dns error|tcp connect error")


class ServerError(OSError):
    """Raised if the server cannot be asked; the message says what to do."""


def endpoint(address: str, namespace: str) -> tuple[str, str]:
    """Return the address and the namespace to use: the given ones, else those of the user's profile.

    Raises ValueError if the profile cannot be read.
    """
    profile = _profile()
    return address or profile.address or ADDRESS, namespace or profile.namespace or NAMESPACE


async def connected(address: str, namespace: str, is_far: bool = False, metrics: str = "") -> Client:
    """Return a client of the server. Raises ServerError with the reason if it cannot be used.

    Args:
        address: The server's address.
        namespace: The namespace on it.
        is_far: True if this machine has no folders of runs.
        metrics: `HOST:PORT` where this process serves its metrics; empty for none.
    """
    runtime = _runtime(metrics)
    try:
        converter = data_converter(is_far)
    except (ValueError, OSError) as error:
        raise ServerError(f"payloads cannot be encrypted or stored: {error}") from None
    try:
        more = _credentials(address)
        async with asyncio.timeout(CONNECT):
            return await Client.connect(
                address,
                namespace=namespace,
                data_converter=converter,
                runtime=runtime,
                tls=more.get("tls", False),
                api_key=more.get("api_key"),
                rpc_metadata=more.get("rpc_metadata", {}),
            )
    except TimeoutError:
        why = f"it did not answer within {CONNECT:g} seconds"
    except (RuntimeError, RPCError, ValueError) as error:
        why = str(error)
    raise ServerError(_sentence(address, why))


async def check_store() -> None:
    """Raise ServerError unless this user can write into the store of payloads, and read from it."""
    try:
        await asyncio.to_thread(store_of(os.environ.get(STORE, "")).check)
    except (OSError, ValueError) as error:
        raise ServerError(f"payloads cannot be stored: {error}") from None


async def check_namespace(client: Client) -> None:
    """Raise ServerError if the server has no such namespace, or does not let this user see it."""
    request = DescribeNamespaceRequest(namespace=client.namespace)
    try:
        await client.workflow_service.describe_namespace(request)
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise ServerError(f"the server did not describe namespace {client.namespace!r:.100}: {error}") from None
        raise ServerError(
            f"the server has no namespace {client.namespace!r:.100}; create it with `temporal operator namespace "
            f"create {client.namespace:.100}`, or name another with --namespace"
        ) from None


def _profile() -> ClientConfigProfile:
    """Return the user's profile, or an empty one. Raises ValueError if it cannot be read."""
    try:
        return ClientConfigProfile.load()
    except (RuntimeError, OSError) as error:
        raise ValueError(
            f"cannot read Temporal's configuration (TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE): "
            f"{on_a_screen(str(error))[:LONGEST]}"
        ) from None


def _credentials(address: str) -> ClientConnectConfig:
    """Return TLS, API key and headers for a server: those of a profile go only to the address that it names.

    Raises ValueError if they cannot be read.
    """
    profile = _profile()
    if profile.address not in (None, "", address):
        return {}
    try:
        return profile.to_client_connect_config()
    except (RuntimeError, OSError) as error:
        raise ValueError(f"cannot read the TLS files of Temporal's configuration: {error}") from None


def _sentence(address: str, why: str) -> str:
    """Return the message for a server that cannot be used, from the library's error."""
    short = on_a_screen(why.removeprefix("Failed client connect: "))[:LONGEST]
    if _MISSING.search(why):
        return (
            f"no Temporal server answers at {address!r:.200}; start one with `temporal server start-dev`, or name "
            f"another with --address ({short})"
        )
    meaning = next((meaning for text, meaning in _CAUSES if text in why), "")
    said = f"{meaning} ({short})" if meaning else short
    return f"cannot use the Temporal server at {address!r:.200}: {said}"


@cache
def _runtime(metrics: str) -> Runtime:
    """Return the process's only runtime, which does not log retries. Raises ServerError if it cannot serve metrics."""
    quiet = TelemetryFilter(core_level="ERROR", other_level="ERROR")
    served = PrometheusConfig(bind_address=metrics, durations_as_seconds=True) if metrics else None
    try:
        return Runtime(telemetry=TelemetryConfig(logging=LoggingConfig(filter=quiet), metrics=served))
    except (ValueError, RuntimeError) as error:
        raise ServerError(f"cannot serve metrics at {metrics!r:.100}: {error}") from None
