"""Payloads: short ones travel, long ones are kept by their digest, and changed ones are refused."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.converter import DataConverter, WorkflowSerializationContext
from temporalio.exceptions import ApplicationError

from lib.workflow.run.clients.job import Job
from lib.workflow.run.journal.projection import Question, RunProjection
from lib.workflow.run.temporal.payloads.payloads import CONVERTER, KEPT, SHORT, VALUE
from lib.workflow.run.temporal.payloads.stores import LONGEST, PAYLOADS
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import AttemptCall, Heard, Said, StepSaid
from lib.workflow.types import AgentRole
from tests.run.temporal.stages import PATIENCE

JOB = Job(key="1.1", role=AgentRole.DEVELOPER, prompt="Ünï <&]]> '" * 2000)
CALL = AttemptCall(job=JOB, number=2, reason="it is empty", patience=PATIENCE, digest="")


def converter(folder: Path) -> DataConverter:
    return CONVERTER.with_context(WorkflowSerializationContext("default", id_of("host", str(folder))))


@pytest.mark.parametrize(
    "value",
    [Question(key="1.asks", text="<x/>"), Heard(entries=(), count=3, account=RunProjection()), CALL, "text", None, 7],
)
def test_encoded_value_decodes_to_itself(value: object, tmp_path: Path) -> None:
    async def there_and_back() -> None:
        (payload,) = await converter(tmp_path).encode([value])
        assert payload.ByteSize() <= SHORT
        assert await converter(tmp_path).decode([payload]) == [value]

    asyncio.run(there_and_back())


def test_a_long_one_is_kept_once_in_the_folder_of_its_run(tmp_path: Path) -> None:
    payloads = asyncio.run(converter(tmp_path).encode([CALL, CALL]))
    assert {payload.metadata["encoding"] for payload in payloads} == {KEPT}
    assert len(list(Path(tmp_path, PAYLOADS).iterdir())) == 1


def _tampered(folder: Path, payload: Payload) -> None:
    (kept,) = Path(folder, PAYLOADS).iterdir()
    kept.write_bytes(kept.read_bytes().replace(b"empty", b"EMPTY"))


def _gone(folder: Path, payload: Payload) -> None:
    (kept,) = Path(folder, PAYLOADS).iterdir()
    kept.unlink()


def _elsewhere(folder: Path, payload: Payload) -> None:
    (kept,) = Path(folder, PAYLOADS).iterdir()
    kept.rename(folder / kept.name)
    report = json.loads(payload.data)
    payload.data = json.dumps({**report, "digest": f"../{report['digest']}"}).encode()


@pytest.mark.parametrize(("change", "is_final"), [(_tampered, True), (_gone, False), (_elsewhere, True)])
def test_changed_payload_file_is_refused_and_a_missing_one_may_come(
    change: Callable[[Path, Payload], None], is_final: bool, tmp_path: Path
) -> None:
    (payload,) = asyncio.run(converter(tmp_path).encode([CALL]))
    change(tmp_path, payload)
    with pytest.raises(ApplicationError) as error:
        asyncio.run(converter(tmp_path).decode([payload]))
    assert error.value.non_retryable is is_final


def test_payload_makes_no_folder_for_a_run_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ApplicationError, match=r"^Elsewhere") as error:
        asyncio.run(converter(tmp_path / "away").encode([CALL]))
    assert not error.value.non_retryable
    assert not (tmp_path / "away").exists()


def test_fields_that_a_newer_version_adds_are_ignored() -> None:
    data = b'{"key": "x", "text": "y", "colour": "blue", "inner": {"more": [1]}}'
    payload = Payload(metadata={"encoding": VALUE, "class": b"Question"}, data=data)
    assert asyncio.run(CONVERTER.decode([payload], [Question])) == [Question(key="x", text="y")]
    nested = b'{"entries": [{"event": "done", "colour": 1}], "count": 1, "account": {"pages": 2, "more": 3}}'
    payload = Payload(metadata={"encoding": VALUE, "class": b"Heard"}, data=nested)
    (heard,) = asyncio.run(CONVERTER.decode([payload], [Heard]))
    assert (heard.entries[0].event, heard.account.pages) == ("done", 2)


def test_one_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ApplicationError, match="16,777,216"):
        asyncio.run(converter(tmp_path).encode([StepSaid(status=0, out="x" * LONGEST, errors="")]))


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        (b"Said", b'{"failed": "x", "more": 1}', "text"),
        (b"Question", b'{"key": "x", "text": "y"}', "Question"),
        (b"RunProjection", b"{}", "RunProjection"),
    ],
)
def test_payload_of_another_class_is_refused(name: bytes, data: bytes, says: str) -> None:
    payload = Payload(metadata={"encoding": VALUE, "class": name}, data=data)
    with pytest.raises(ValueError, match=says):
        asyncio.run(CONVERTER.decode([payload], [Said]))
