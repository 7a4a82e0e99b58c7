"""Encrypted payloads: the server reads none of a run's texts, and nobody without the key can forge one."""

import asyncio
import base64
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.converter import DataConverter, WorkflowSerializationContext
from temporalio.exceptions import ApplicationError

from lib.workflow.run.engine import State
from lib.workflow.run.faults import Fault
from lib.workflow.run.temporal.client import far
from lib.workflow.run.temporal.connection import ServerError, connected
from lib.workflow.run.temporal.host_record import read_record
from lib.workflow.run.temporal.memo import Facts
from lib.workflow.run.temporal.payloads.payloads import KEYS, SEALED
from lib.workflow.run.temporal.payloads.sealing import data_converter, read_keys
from lib.workflow.run.temporal.payloads.stores import STORE
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import StepSaid
from tests.run.engines import gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.stages import Remotely

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
LONG = StepSaid(status=0, out="page " * 2_000, errors="")


def keys_in(folder: Path, *keys: bytes) -> str:
    """Return the path of a file of keys."""
    path = folder / "keys"
    path.write_bytes(b"\n".join(map(base64.b64encode, keys)))
    path.chmod(0o600)
    return str(path)


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the key of this user."""
    key = os.urandom(32)
    monkeypatch.setenv(KEYS, keys_in(tmp_path, key))
    return key


def converter(folder: Path) -> DataConverter:
    """Return the converter of a run, by the environment."""
    return data_converter().with_context(WorkflowSerializationContext("default", f"host:00000000:{folder}"))


@pytest.mark.parametrize("stored", [False, True])
def test_server_reads_nothing_of_an_encrypted_run(
    remote: Remotely, key: bytes, stored: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    if stored:
        monkeypatch.setenv(STORE, str(store))
    play = rehearsed(ANALYSIS, tmp_path, 3, tuple(Fault))

    async def act() -> None:
        async with remote.serving():
            assert (await gone(remote, play)).state is State.DONE
            client = await connected(remote.address, "default")
            run = next(each for each in await far.listed(client) if each.id == read_record(play.run).id)
            assert run.facts.workflow == play.workflow.name
            assert (await far.view(client, run)).account.halt == "done"
        monkeypatch.delenv(KEYS)
        other = await connected(remote.address, "default", is_far=True)
        handle = other.get_workflow_handle(read_record(play.run).id)
        sealed_text = (await handle.describe()).raw_description.SerializeToString()
        for event in (await handle.fetch_history()).events:
            sealed_text += event.SerializeToString()
        texts = [play.spec.request or "x", play.workflow.name, *(entry.text[:40] for entry in play.events)]
        wanted = {text.encode() for text in texts if len(text) > 5 and text not in run.id}
        assert len(wanted) > 5
        assert not [text for text in wanted if text in sealed_text]
        assert KEYS in (await far.find(other, run.id)).problem
        folders = [store] if stored else [Path(play.run, "payloads")]
        kept = b"".join(path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file())
        assert len(kept) > 2_000
        assert not [text for text in wanted if text in kept]
        assert Path(play.run, "payloads").exists() is not stored

    asyncio.run(act())


def test_machine_without_the_key_learns_nothing_and_is_told(
    remote: Remotely, key: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = rehearsed(ANALYSIS, tmp_path)

    async def act() -> None:
        async with remote.serving():
            assert (await gone(remote, play)).state is State.DONE
            monkeypatch.setenv(KEYS, keys_in(tmp_path, os.urandom(32)))
            client = await far.far(remote.address, "default")
            run = await far.find(client, read_record(play.run).id)
            now = await far.view(client, run)
            assert run.facts == Facts()
            assert now.account.pages == 0
            assert KEYS in now.problem

    asyncio.run(act())


def _changed(payload: Payload) -> None:
    payload.data = payload.data[:-1] + bytes([payload.data[-1] ^ 1])


def _cut(payload: Payload) -> None:
    payload.data = payload.data[:5]


def _plain(payload: Payload) -> None:
    payload.metadata["encoding"] = b"json/plain"


def _foreign(payload: Payload) -> None:
    payload.metadata["encryption-key-id"] = b"\xff\x00"


def test_encrypted_payload_names_the_variable_for_its_key(
    key: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (payload,) = asyncio.run(converter(tmp_path).encode(["text"]))
    monkeypatch.delenv(KEYS)
    with pytest.raises(ApplicationError, match=KEYS):
        asyncio.run(converter(tmp_path).decode([payload]))


@pytest.mark.parametrize("change", [_changed, _cut, _plain, _foreign])
def test_payload_that_the_key_did_not_make_is_refused(
    key: bytes, change: Callable[[Payload], None], tmp_path: Path
) -> None:
    (payload,) = asyncio.run(converter(tmp_path).encode(["text"]))
    assert payload.metadata["encoding"] == SEALED
    change(payload)
    with pytest.raises(ApplicationError) as error:
        asyncio.run(converter(tmp_path).decode([payload]))
    assert error.value.non_retryable


def test_payload_of_another_run_is_refused(key: bytes, tmp_path: Path) -> None:
    (payload,) = asyncio.run(converter(tmp_path / "one").encode(["text"]))
    with pytest.raises(ApplicationError, match=r"^Payload"):
        asyncio.run(converter(tmp_path / "two").decode([payload]))


def test_new_key_encrypts_and_an_old_one_still_decrypts(
    key: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = asyncio.run(converter(tmp_path).encode(["text"]))
    new_key = os.urandom(32)
    monkeypatch.setenv(KEYS, keys_in(tmp_path, new_key, key))
    assert asyncio.run(converter(tmp_path).decode([old])) == ["text"]
    (new,) = asyncio.run(converter(tmp_path).encode(["text"]))
    assert new.metadata["encryption-key-id"] == sha256(new_key).hexdigest()[:8].encode()


def test_store_serves_machines_without_the_run_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "store").mkdir()
    monkeypatch.setenv(STORE, str(tmp_path / "store"))
    context = WorkflowSerializationContext("default", id_of("host", str(tmp_path / "away")))
    (payload,) = asyncio.run(data_converter().with_context(context).encode([LONG]))
    assert asyncio.run(data_converter(is_far=True).with_context(context).decode([payload])) == [LONG]
    assert not (tmp_path / "away").exists()


def test_store_that_is_not_mounted_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, str(tmp_path / "store"))
    with pytest.raises(ApplicationError, match=r"^Elsewhere") as error:
        asyncio.run(converter(tmp_path).encode([LONG]))
    assert not error.value.non_retryable


@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        (base64.b64encode(b"k" * 32), 0o644, "chmod 600"),
        (base64.b64encode(b"secret"), 0o600, "32 bytes"),
        (b"secret-\xff", 0o600, "32 bytes"),
        (b"\n", 0o600, "keys' "),
        (b"x" * 70_000, 0o600, "70,000"),
    ],
)
def test_unusable_keys_are_reported_without_the_key(content: bytes, mode: int, says: str, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(content)
    path.chmod(mode)
    with pytest.raises((ValueError, OSError), match=says) as error:
        read_keys(str(path))
    assert "a2tra" not in str(error.value)  # the first key in Base64
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(("variable", "value"), [(KEYS, "/missing/keys"), (STORE, "relative/store")])
def test_unusable_environment_is_reported_before_the_server_is_asked(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ServerError, match=value):
        asyncio.run(connected("127.0.0.1:1", "default"))
