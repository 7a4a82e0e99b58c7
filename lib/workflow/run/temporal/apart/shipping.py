"""Files that travel between hosts in the payload store: in parts, each encrypted and stored as any other payload."""

import asyncio
import base64
from typing import IO, Final

from temporalio.api.common.v1 import Payload
from temporalio.client import Client
from temporalio.converter import WorkflowSerializationContext

from ....errors import RefusedError

PART: Final = 8 << 20
"""Bytes of a part."""
MOST: Final = 2 << 30
"""Maximum bytes of a file."""
RAW: Final = b"binary/plain"


class Shipper:
    """The shipper of the files of a run.

    Args:
        client: The client of the server, whose converter encrypts and stores.
        run: The run's id on the server.
    """

    def __init__(self, client: Client, run: str) -> None:
        context = WorkflowSerializationContext(namespace=client.namespace, workflow_id=run)
        codec = client.data_converter.with_context(context).payload_codec
        assert codec is not None
        self._codec = codec

    async def send(self, file: IO[bytes]) -> tuple[str, ...]:
        """Store a file, from its beginning, and return its parts. Raises RefusedError for one that is too long."""
        file.seek(0, 2)
        if file.tell() > MOST:
            why = f"the files of the project have {file.tell():,} bytes; at most {MOST:,} are sent to another host"
            raise RefusedError("too-large", "git", why, "Start the run without --no-shared-folder.")
        file.seek(0)
        parts = []
        while data := await asyncio.to_thread(file.read, PART):
            (stored,) = await self._codec.encode([Payload(metadata={"encoding": RAW}, data=data)])
            parts.append(base64.b64encode(stored.SerializeToString()).decode())
        return tuple(parts)

    async def fetch(self, parts: tuple[str, ...], file: IO[bytes]) -> None:
        """Write a stored file, and go to its beginning. Raises ApplicationError if a part is missing or changed."""
        for part in parts:
            (found,) = await self._codec.decode([Payload.FromString(base64.b64decode(part))])
            await asyncio.to_thread(file.write, found.data)
        file.seek(0)
