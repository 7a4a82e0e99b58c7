"""A bucket of S3, or of a service with its interface, as the store of long payloads.

Credentials, region and endpoint are those that boto3 finds by itself, as every program with it does.
"""

import re
import threading
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import field, frozen
from boto3.session import Session
from botocore import exceptions as its
from botocore.config import Config

from ....util.characters import on_a_screen
from .stores import LONGEST, S3, STORE, room

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

_NAME: Final = re.compile(rf"{S3}([a-z0-9][a-z0-9.-]{{1,61}}[a-z0-9])(?:/([A-Za-z0-9!_.*'()/-]{{0,512}}))?")
CONNECT, READ, ATTEMPTS = 5, 30, 3
"""Seconds to connect and to read, and attempts at a request."""
CONNECTIONS: Final = 32
"""Maximum connections; as many threads of a process may ask at once."""
_RENEW: Final = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give this machine a role"
_REGION: Final = "the bucket is in another region; set AWS_DEFAULT_REGION"
_MEANINGS: Final = {
    "NoSuchBucket": f"there is no such bucket; create it, or name another in {STORE}",
    "AccessDenied": "these credentials may not do that; allow them s3:GetObject and s3:PutObject there",
    "InvalidAccessKeyId": f"the service does not know the access key; {_RENEW}",
    "SignatureDoesNotMatch": f"the secret key does not belong to the access key; {_RENEW}",
    "ExpiredToken": f"the credentials have expired; {_RENEW}",
    "PermanentRedirect": _REGION,
    "AuthorizationHeaderMalformed": _REGION,
}
"""Codes of refusals by the service, and what they mean for the user."""
T = TypeVar("T")


@frozen(slots=False)
class Bucket:
    """A store of all runs in a bucket. A whole object is there, or none, and objects are never changed.

    Args:
        name: The bucket.
        prefix: Beginning of the names of all objects, empty or with a slash at its end.
    """

    name: str
    prefix: str
    _lock: threading.Lock = field(factory=threading.Lock, init=False, eq=False, repr=False)

    def put(self, run: str, digest: str, data: bytes) -> None:
        def send(client: "S3Client") -> None:
            client.put_object(Bucket=self.name, Key=self._key(run, digest), Body=data)

        self._asked("store", send)

    def get(self, run: str, digest: str) -> bytes:
        def fetch(client: "S3Client") -> bytes:
            with client.get_object(Bucket=self.name, Key=self._key(run, digest))["Body"] as body:
                return body.read(LONGEST + 1)[: LONGEST + 1]

        data = self._asked("read", fetch)
        if len(data) > LONGEST:
            raise ValueError(f"an object in {self} has over {LONGEST:,} bytes")
        return data

    def check(self) -> None:
        self.put("", sha256(b"").hexdigest(), b"")
        self.get("", sha256(b"").hexdigest())

    def __str__(self) -> str:
        return f"{S3}{self.name}/{self.prefix}"

    def _key(self, run: str, digest: str) -> str:
        return f"{self.prefix}{room(run)}/{digest}"

    def _asked(self, what: str, ask: "Callable[[S3Client], T]") -> T:
        """Return the result of a request. Raises OSError with what to do, and without the library's own words."""
        try:
            with self._lock:
                client = self._client
            return ask(client)
        except its.ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", "no code"))
            if code == "NoSuchKey":
                raise FileNotFoundError(f"there is no such object in {self}") from None
            why, name = _MEANINGS.get(code, "the service refuses it"), on_a_screen(code)[:60]
        except (its.BotoCoreError, ValueError) as error:
            why, name = _meaning(error), type(error).__name__
        raise OSError(f"cannot {what} an object in {self}: {why} ({name})")

    @cached_property
    def _client(self) -> "S3Client":
        config = Config(
            connect_timeout=CONNECT,
            read_timeout=READ,
            retries={"total_max_attempts": ATTEMPTS, "mode": "standard"},
            max_pool_connections=CONNECTIONS,
            # Some services with this interface know no others; each payload has a digest of our own.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        return Session().client("s3", config=config)


def bucket_of(name: str) -> Bucket:
    """Return the bucket with a name. Raises ValueError, whose message leaves the name out: it may hold a password."""
    found = _NAME.fullmatch(name)
    parts = (found[2] or "").removesuffix("/").split("/") if found else [".."]
    if found is None or (found[2] and any(part in ("", ".", "..") for part in parts)):
        raise ValueError(
            f"{STORE} names no bucket; write s3://BUCKET or s3://BUCKET/PREFIX, without credentials, and with letters, "
            "digits and !-_.*'() in the parts of the prefix"
        )
    return Bucket(found[1], "/".join((*parts, "")) if found[2] else "")


def _meaning(error: Exception) -> str:
    """Return what an error of the library means for the user; its own words may hold an address with a password."""
    if isinstance(error, (its.HTTPClientError, its.ConnectionError)):
        return "the service does not answer; check AWS_ENDPOINT_URL and the network"
    if isinstance(
        error, (its.NoCredentialsError, its.PartialCredentialsError, its.CredentialRetrievalError, its.SSOError)
    ):
        return f"there are no complete credentials; {_RENEW}"
    return "boto3 cannot ask the service; check the variables AWS_… and the files in ~/.aws"
