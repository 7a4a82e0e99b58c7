"""A local service with the interface of S3, moto's, as a process: it starts no sooner than a test needs it."""

import http.client
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

from tests.run.temporal.servers import free_port

BUCKET = "payloads"
SECRET = "s3-secret-of-this-user"


class Buckets:
    """The service, with one bucket."""

    def __init__(self) -> None:
        self.port = free_port()
        words = (sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port))
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self._process.stdout is not None
        while not re.search(r"Running on", self._process.stdout.readline()):
            assert self._process.poll() is None

    def use(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Give this process, and those that it starts, an empty bucket, by the variables that every program reads."""
        self.ask("reset")
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_ENDPOINT_URL_S3"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_CONFIG_FILE", "/missing")
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/missing")
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{self.port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        self.client().create_bucket(Bucket=BUCKET)

    def client(self) -> "S3Client":
        """Return a client, by the variables."""
        from boto3.session import Session

        return Session().client("s3")

    def ask(self, what: str, given: str = "") -> None:
        """Have the service forget everything, or check the rights of requests after the first `given` ones."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("POST", f"/moto-api/{what}", given)
        assert connection.getresponse().status == 200
        connection.close()

    def stored(self) -> dict[str, bytes]:
        """Return all objects by their names."""
        client = self.client()
        names = [each["Key"] for each in client.list_objects_v2(Bucket=BUCKET).get("Contents", ())]
        return {name: client.get_object(Bucket=BUCKET, Key=name)["Body"].read() for name in names}

    def end(self) -> None:
        """End the service."""
        self._process.kill()
        self._process.communicate()
