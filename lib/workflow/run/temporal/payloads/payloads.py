"""Payloads of values: JSON by their classes; long ones are stored by their digest (`stores.py`).

So the server holds references, never documents.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from attrs import frozen
from temporalio.api.common.v1 import Payload
from temporalio.converter import (
    ActivitySerializationContext,
    BinaryNullPayloadConverter,
    CompositePayloadConverter,
    DataConverter,
    EncodingPayloadConverter,
    JSONPlainPayloadConverter,
    PayloadCodec,
    SerializationContext,
    WithSerializationContext,
    WorkflowSerializationContext,
)
from temporalio.exceptions import ApplicationError

from ....codec import codec
from ..place import run_of
from ..wire import CLASSES, ELSEWHERE, Heard
from .stores import LONGEST, RunFolders, Store

SHORT: Final = 2_048
"""Maximum bytes of a payload that is sent whole."""
LONGEST_HEARD: Final = 1 << 20
"""Maximum bytes of a reply to a query that is sent whole; the server passes on twice as much."""
_DIGEST: Final = re.compile("[0-9a-f]{64}")
VALUE, KEPT, SEALED = b"json/stepscript", b"json/stepscript-kept", b"binary/encrypted"
RUNS: Final = 256
"""Maximum runs whose converters are kept."""
KEYS: Final = "STEPSCRIPT_PAYLOAD_KEYS"
"""Variable that names the file of keys."""


@frozen(kw_only=True)
class Reference:
    """A stored payload: its digest, by which the store finds it, and its size in bytes."""

    digest: str
    size: int


class Values(EncodingPayloadConverter):
    """A converter of the classes that travel. Fields that a newer version adds are ignored."""

    @property
    def encoding(self) -> str:
        """Return its name."""
        return VALUE.decode()

    def to_payload(self, value: object) -> Payload | None:
        """Return the payload; None for a value of another class."""
        cls = type(value)
        if CLASSES.get(cls.__name__) is not cls:
            return None
        data = codec(cls).dumps(value).encode(errors="surrogatepass")
        return Payload(metadata={"encoding": VALUE, "class": cls.__name__.encode()}, data=data)

    def from_payload(self, payload: Payload, type_hint: type | None = None) -> object:
        """Return the value. Raises ValueError if its class is not the expected one."""
        name = payload.metadata["class"].decode()
        cls = CLASSES.get(name)
        if cls is None or type_hint not in (None, object, cls):
            raise ValueError(f"a payload holds {name!r:.40}; expected {type_hint}")
        return codec(cls, lenient=True).loads(payload.data.decode(errors="surrogatepass"))


class Converter(CompositePayloadConverter):
    """A converter for our classes, None, texts and numbers, and nothing else."""

    def __init__(self) -> None:
        super().__init__(BinaryNullPayloadConverter(), Values(), JSONPlainPayloadConverter())

    def from_payloads(self, payloads: Sequence[Payload], type_hints: list[type] | None = None) -> list[Any]:
        """Return the values. Raises ApplicationError for an encrypted payload: this process has no keys."""
        if any(payload.metadata.get("encoding") == SEALED for payload in payloads):
            raise _lost(f"a payload is encrypted; name the file of its key in {KEYS}")
        return super().from_payloads(payloads, type_hints)


class Keeper(PayloadCodec, WithSerializationContext):
    """A codec that stores long payloads. Each belongs to one run.

    Replies to queries travel whole: the server passes them on, and watchers may have no folder.
    """

    def __init__(self, store: Store, run_id: str | None = None) -> None:
        self._store, self._run_id = store, run_id

    def with_context(self, context: SerializationContext) -> "Keeper":
        """Return the keeper of a run."""
        if isinstance(context, (WorkflowSerializationContext, ActivitySerializationContext)):
            return Keeper(self._store, context.workflow_id and run_of(context.workflow_id))
        return self

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Replace long payloads by references. Raises ApplicationError for one that is too long."""
        return [payload if _is_whole(payload) else await asyncio.to_thread(self._keep, payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Replace references by their payloads. Raises ApplicationError if one is missing or has changed."""
        return [
            await asyncio.to_thread(self._find, payload) if payload.metadata.get("encoding") == KEPT else payload
            for payload in payloads
        ]

    def _keep(self, payload: Payload) -> Payload:
        data = payload.SerializeToString(deterministic=True)
        if len(data) > LONGEST:
            raise _lost(f"a payload has {len(data):,} bytes; the limit is {LONGEST:,}")
        digest = sha256(data).hexdigest()
        try:
            self._store.put(self._run, digest, data)
        except OSError as error:
            raise _away(f"cannot store a payload: {error}") from None
        except ValueError as error:
            raise _lost(f"cannot store a payload: {error}") from None
        encoded = codec(Reference).dumps(Reference(digest=digest, size=len(data)))
        return Payload(metadata={"encoding": KEPT}, data=encoded.encode())

    def _find(self, payload: Payload) -> Payload:
        try:
            reference = codec(Reference).loads(payload.data)
            if _DIGEST.fullmatch(reference.digest) is None:
                raise ValueError(f"{reference.digest!r:.80} is not a digest")
            data = self._store.get(self._run, reference.digest)
        except OSError as error:
            raise _away(f"cannot read a stored payload: {error}") from None
        except ValueError as error:
            raise _lost(f"cannot read a stored payload: {error}") from None
        if sha256(data).hexdigest() != reference.digest or len(data) != reference.size:
            raise _lost(f"{reference.digest}: the stored payload has changed")
        return Payload.FromString(data)

    @property
    def _run(self) -> str:
        if self._run_id is None:
            raise _lost("a long payload without a run")
        return self._run_id


class Away(PayloadCodec):
    """The codec of a machine without the folders of runs: its payloads travel whole."""

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Return them unchanged."""
        return list(payloads)

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Return them unchanged. Raises ValueError for a reference to a file."""
        if any(payload.metadata.get("encoding") == KEPT for payload in payloads):
            raise ValueError("the text is in the run directory on its host")
        return list(payloads)


def _is_whole(payload: Payload) -> bool:
    """Return True if a payload travels as it is."""
    is_heard = payload.metadata.get("class") == Heard.__name__.encode()
    return payload.ByteSize() <= (LONGEST_HEARD if is_heard else SHORT)


def _away(why: str) -> ApplicationError:
    """Return the error of a file that may be there later, or on another host."""
    return ApplicationError(why, type=ELSEWHERE)


def _lost(why: str) -> ApplicationError:
    return ApplicationError(why, type="Payload", non_retryable=True)


class RunConverter(DataConverter):
    """A data converter that makes that of a run once: the library asks for it several times for each payload."""

    def __post_init__(self) -> None:
        """Make the cache."""
        super().__post_init__()
        object.__setattr__(self, "_of", lru_cache(RUNS)(super().with_context))

    _of: Callable[[SerializationContext], "RunConverter"]

    def with_context(self, context: SerializationContext) -> "RunConverter":
        """Return the converter of a run."""
        if isinstance(context, ActivitySerializationContext) and context.workflow_id:
            context = WorkflowSerializationContext(context.namespace, context.workflow_id)
        return self._of(context)


CONVERTER: Final = RunConverter(payload_converter_class=Converter, payload_codec=Keeper(RunFolders()))
