"""The store of payloads in a bucket: stored payloads come back, and every refusal says what to do."""

import asyncio
import http.server
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.converter import DataConverter, WorkflowSerializationContext
from temporalio.exceptions import ApplicationError

from lib.workflow.app.main import main
from lib.workflow.run.temporal.connection import ServerError, check_store, connected
from lib.workflow.run.temporal.payloads.payloads import KEPT
from lib.workflow.run.temporal.payloads.s3 import Bucket, bucket_of
from lib.workflow.run.temporal.payloads.sealing import data_converter
from lib.workflow.run.temporal.payloads.stores import LONGEST, STORE, room
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import StepSaid
from tests.run.temporal.buckets import BUCKET, SECRET, Buckets
from tests.run.temporal.servers import Server
from tests.wording import carries

LONG = StepSaid(status=0, out="page " * 2_000, errors="")
DATA = b"data"
DIGEST = sha256(DATA).hexdigest()


@pytest.fixture
def bucket(buckets: Buckets, monkeypatch: pytest.MonkeyPatch) -> Buckets:
    """Return the service, whose bucket is the store of this user."""
    buckets.use(monkeypatch)
    monkeypatch.setenv(STORE, f"s3://{BUCKET}/team/runs")
    return buckets


def converter(run: str) -> DataConverter:
    return data_converter(is_far=True).with_context(WorkflowSerializationContext("default", run))


def failure(act: Callable[[], object]) -> str:
    """Return the message of a store, which holds no secret."""
    with pytest.raises(OSError) as error:  # noqa: PT011 - the callers check the message
        act()
    assert SECRET not in str(error.value)
    return str(error.value)


def test_long_payload_of_a_run_is_an_object_under_the_prefix_and_comes_back(bucket: Buckets, tmp_path: Path) -> None:
    run = id_of("host", str(tmp_path / "away"))
    first, second = asyncio.run(converter(run).encode([LONG, LONG]))
    assert first == second
    assert first.metadata["encoding"] == KEPT
    assert asyncio.run(converter(run).decode([first])) == [LONG]
    ((name, data),) = bucket.stored().items()
    assert name == f"team/runs/{room(run)}/{sha256(data).hexdigest()}"
    assert not (tmp_path / "away").exists()
    with pytest.raises(ApplicationError, match=r"^Elsewhere") as error:
        asyncio.run(converter(f"{run}2").decode([first]))
    assert not error.value.non_retryable


def _changed(bucket: Buckets, payload: Payload) -> None:
    for name, data in bucket.stored().items():
        bucket.client().put_object(Bucket=BUCKET, Key=name, Body=data.replace(b"page", b"PAGE"))


def _longer(bucket: Buckets, payload: Payload) -> None:
    for name, data in bucket.stored().items():
        bucket.client().put_object(Bucket=BUCKET, Key=name, Body=data.ljust(LONGEST + 2))


def _gone(bucket: Buckets, payload: Payload) -> None:
    for name in bucket.stored():
        bucket.client().delete_object(Bucket=BUCKET, Key=name)


def _hostile(bucket: Buckets, payload: Payload) -> None:
    bucket.client().put_object(Bucket=BUCKET, Key="team/secret", Body=b"secret")
    payload.data = b'{"digest": "../../secret", "size": 6}'


@pytest.mark.parametrize(("change", "is_final"), [(_changed, True), (_longer, True), (_gone, False), (_hostile, True)])
def test_changed_object_is_refused_and_a_missing_one_may_come(
    change: Callable[[Buckets, Payload], None], is_final: bool, bucket: Buckets, tmp_path: Path
) -> None:
    run = id_of("host", str(tmp_path))
    (payload,) = asyncio.run(converter(run).encode([LONG]))
    change(bucket, payload)
    with pytest.raises(ApplicationError) as error:
        asyncio.run(converter(run).decode([payload]))
    assert error.value.non_retryable is is_final
    assert "secret" not in error.value.message.replace("../../secret", "")


@pytest.mark.parametrize(
    ("name", "prefix"),
    [("s3://abc", ""), ("s3://abc/", ""), ("s3://abc/x", "x/"), ("s3://abc/x.y/(1)/", "x.y/(1)/")],
)
def test_name_of_a_bucket_may_have_a_prefix(name: str, prefix: str) -> None:
    assert bucket_of(name) == Bucket("abc", prefix)
    assert str(bucket_of(name)) == f"s3://abc/{prefix}"


@pytest.mark.parametrize(
    "name",
    [
        "s3://",
        "s3://ab",
        "S3://abc",
        "s3://Abc",
        "s3://abc/../x",
        "s3://abc/x/./y",
        "s3://abc//x",
        "s3://abc/x\n",
        "s3://abc/ü",
        "s3://abc/x?X-Amz-Signature=secret",
        "s3://key:secret@abc/x",
        "s3://abc:9000/secret",
        f"s3://abc/{'secret' * 90}",
    ],
)
def test_invalid_name_of_a_bucket_is_refused_without_showing_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, name)
    with pytest.raises(ServerError, match=STORE) as error:
        asyncio.run(connected("127.0.0.1:1", "default"))
    assert "secret" not in str(error.value)


def test_missing_bucket_is_reported_with_what_to_do(bucket: Buckets) -> None:
    said = failure(bucket_of("s3://elsewhere/x").check)
    assert carries(said, f"s3://elsewhere/x/ … {STORE} … NoSuchBucket")


def test_missing_credentials_are_reported_with_the_variables_for_them(
    bucket: Buckets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert carries(failure(bucket_of(f"s3://{BUCKET}").check), "AWS_SECRET_ACCESS_KEY … PartialCredentialsError")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    assert carries(failure(bucket_of(f"s3://{BUCKET}").check), "AWS_ACCESS_KEY_ID … NoCredentialsError")
    monkeypatch.setenv("AWS_PROFILE", "missing")
    assert carries(failure(bucket_of(f"s3://{BUCKET}").check), "~/.aws … ProfileNotFound")


def test_credentials_that_the_service_refuses_are_reported_with_what_they_need(
    bucket: Buckets, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boto3.session import Session

    iam = Session().client("iam")
    iam.create_user(UserName="worker")
    key = iam.create_access_key(UserName="worker")["AccessKey"]
    bucket.ask("reset-auth", "0")
    try:
        assert carries(failure(bucket_of(f"s3://{BUCKET}").check), "AWS_ACCESS_KEY_ID … InvalidAccessKeyId")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key["AccessKeyId"])
        assert "SignatureDoesNotMatch" in failure(bucket_of(f"s3://{BUCKET}").check)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key["SecretAccessKey"])
        said = failure(bucket_of(f"s3://{BUCKET}/x").check)
        assert carries(said, f"s3://{BUCKET}/x/ … s3:GetObject … s3:PutObject … AccessDenied")
        assert key["SecretAccessKey"] not in said
    finally:
        bucket.ask("reset-auth", "inf")


@pytest.fixture
def refusing() -> Iterator[tuple[str, list[int]]]:
    """Start a service that refuses every request with text of its own, and return its address and their number."""
    asked = list[int]()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            asked.append(self.rfile.read(int(self.headers["Content-Length"])).__len__())
            body = b"<Error><Code>Odd\x1b[31m&#10;code</Code><Message>secret</Message></Error>"
            self.send_response(418)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_unknown_refusal_is_one_line_without_the_words_of_the_service(
    bucket: Buckets, refusing: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", refusing[0])
    said = failure(bucket_of(f"s3://{BUCKET}").check)
    assert said.isprintable()
    assert "secret" not in said
    assert len(refusing[1]) == 1


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://127.0.0.1:1", "AWS_ENDPOINT_URL … EndpointConnectionError"),
        ("http://me:s3-secret-of-this-user@127.0.0.1:1", "AWS_ENDPOINT_URL"),
        ("s3-secret-of-this-user", "AWS_ … ValueError"),
    ],
)
def test_service_that_is_not_there_is_reported_without_its_address(
    address: str, says: str, bucket: Buckets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    assert carries(failure(bucket_of(f"s3://{BUCKET}").check), says)


def test_worker_checks_its_store_before_it_serves(
    bucket: Buckets, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(check_store())
    monkeypatch.setenv(STORE, "s3://elsewhere")
    assert main(("worker", "--address", server.address, "--host-queue", "q")) == 1
    shown = capsys.readouterr()
    assert carries(shown.err, f"s3://elsewhere/ … {STORE}")
    assert "serving" not in shown.out


def test_run_whose_launch_cannot_be_stored_is_refused_with_the_reason(
    bucket: Buckets,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STORE, "s3://elsewhere")
    words = ("run", "problem-analysis", "It hangs", "--agent", "true", "--engine", "temporal", "--host-queue", "q")
    assert main((*words, "--address", server.address)) == 1
    assert carries(capsys.readouterr().err, "s3://elsewhere/ … NoSuchBucket")
