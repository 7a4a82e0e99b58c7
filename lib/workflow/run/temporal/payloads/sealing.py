"""Encryption of payloads by AES-GCM, with the names of Temporal's own samples: the server cannot read or forge them."""

import base64
import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import field, frozen
from temporalio.api.common.v1 import Payload
from temporalio.converter import (
    ActivitySerializationContext,
    DataConverter,
    DefaultFailureConverterWithEncodedAttributes,
    PayloadCodec,
    SerializationContext,
    WithSerializationContext,
    WorkflowSerializationContext,
)
from temporalio.exceptions import ApplicationError

from ....state.files import OTHERS, read_whole
from ..place import run_of
from .payloads import CONVERTER, KEYS, SEALED, Away, Converter, Keeper, RunConverter
from .store_choice import store_of
from .stores import STORE

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_ID: Final = "encryption-key-id"
SIZE, NONCE = 32, 12
"""Bytes of a key and of a nonce."""
MAX_SIZE: Final = 64 << 10


@frozen
class Keys:
    """The keys of a file: the first one encrypts, and all decrypt."""

    ciphers: "Mapping[bytes, AESGCM]" = field(repr=False)
    first: bytes
    """Name of the first key: a part of its digest."""


def read_keys(path: str) -> Keys:
    """Return the keys in a file, one per line in Base64. Raises ValueError, OSError; no message holds a key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if hasattr(os, "getuid") and os.stat(path).st_mode & OTHERS:
        raise ValueError(f"others can read {path!r:.200}; run:  chmod 600 {path}")
    ciphers = dict[bytes, AESGCM]()
    for number, line in enumerate(read_whole(path, MAX_SIZE).split(), 1):
        try:
            key = base64.b64decode(line, validate=True)
        except ValueError:
            key = b""
        if len(key) != SIZE:
            raise ValueError(f"key {number} in {path!r:.200} is not Base64 of {SIZE} bytes; make one with `{HOW}`")
        ciphers[sha256(key).hexdigest()[:8].encode()] = AESGCM(key)
    if not ciphers:
        raise ValueError(f"{path!r:.200} has no key; make one with `{HOW}`")
    return Keys(ciphers, next(iter(ciphers)))


HOW: Final = f"openssl rand -base64 {SIZE}"


class Sealer(PayloadCodec, WithSerializationContext):
    """A codec that encrypts payloads before the next codec stores long ones. A payload belongs to one run."""

    def __init__(self, keys: Keys, inner: Keeper | Away, run_id: str = "") -> None:
        self._keys, self._inner, self._run = keys, inner, run_id.encode()

    def with_context(self, context: SerializationContext) -> "Sealer":
        """Return the codec of a run."""
        if not isinstance(context, (WorkflowSerializationContext, ActivitySerializationContext)):
            return self
        inner = self._inner.with_context(context) if isinstance(self._inner, Keeper) else self._inner
        return Sealer(self._keys, inner, run_of(context.workflow_id or ""))

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Encrypt payloads."""
        return await self._inner.encode([self._sealed(payload) for payload in payloads])

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Decrypt payloads. Raises ApplicationError for any that these keys did not encrypt for this run."""
        return [self._opened(payload) for payload in await self._inner.decode(payloads)]

    def _sealed(self, payload: Payload) -> Payload:
        nonce, cipher = os.urandom(NONCE), self._keys.ciphers[self._keys.first]
        metadata = {"encoding": SEALED, KEY_ID: self._keys.first}
        if "class" in payload.metadata:  # the next codec sends some classes whole
            metadata["class"] = payload.metadata["class"]
        data = cipher.encrypt(nonce, payload.SerializeToString(), self._run)
        return Payload(metadata=metadata, data=nonce + data)

    def _opened(self, payload: Payload) -> Payload:
        from cryptography.exceptions import InvalidTag

        if payload.metadata.get("encoding") != SEALED:
            raise _refused(f"a payload is not encrypted, and {KEYS} requires it")
        name = payload.metadata.get(KEY_ID, b"")
        cipher = self._keys.ciphers.get(name)
        if cipher is None:
            raise _refused(f"a payload is encrypted with key {name.decode(errors='replace')!r:.40}; add it to {KEYS}")
        try:
            data = cipher.decrypt(payload.data[:NONCE], payload.data[NONCE:], self._run)
        except (InvalidTag, ValueError):
            raise _refused("a payload was changed, or belongs to another run") from None
        return Payload.FromString(data)


def check_apart(pool: str) -> None:
    """Raise ValueError unless agents on hosts without a shared folder can get their work, and only from key holders."""
    missing = [name for name in (KEYS, STORE) if not os.environ.get(name)]
    if not pool:
        raise ValueError("--no-shared-folder is for the agents of a pool: add --pool NAME")
    if missing:
        raise ValueError(
            f"--no-shared-folder needs {' and '.join(missing)}: the store carries the work, and the key proves that it "
            "comes from you"
        )


def data_converter(is_far: bool = False) -> DataConverter:
    """Return the converter by the user's environment. Raises ValueError, OSError if keys or store cannot be used.

    Args:
        is_far: True for a machine without the folders of runs.
    """
    store, path = os.environ.get(STORE, ""), os.environ.get(KEYS, "")
    inner = Away() if is_far and not store else Keeper(store_of(store))
    if path:
        return RunConverter(
            payload_converter_class=Converter,
            payload_codec=Sealer(read_keys(path), inner),
            failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
        )
    return RunConverter(payload_converter_class=Converter, payload_codec=inner) if is_far or store else CONVERTER


def _refused(why: str) -> ApplicationError:
    return ApplicationError(why, type="Payload", non_retryable=True)
