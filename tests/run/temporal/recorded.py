"""The history of a run, recorded: `python -m tests.run.temporal.recorded` records a new one.

Do that if the driver takes another path than before. `wire.NAME` then gets the next number, because runs in flight
would go astray.
"""

import asyncio
import base64
import gzip
import json
import os
import tempfile
from pathlib import Path
from typing import Final

from attrs import evolve
from temporalio.client import WorkflowHistory

from lib.workflow.run.faults import Fault
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host_record import read_record
from lib.workflow.run.temporal.payloads.stores import PAYLOADS
from lib.workflow.run.temporal.place import id_of
from tests.run.engines import gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.servers import Server
from tests.run.temporal.stages import Remotely

FILE: Final = os.path.join(os.path.dirname(__file__), "recorded.json.gz")
QUEUE: Final = "recorded"
SEED: Final = 3


def restored(folder: Path) -> WorkflowHistory:
    """Return the recorded history, as that of a run in a folder, which gets the payloads of the recorded run."""
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        history = json.load(file)
    kept = folder / "driver" / PAYLOADS
    kept.mkdir(parents=True)
    for name, data in history["payloads"].items():
        (kept / name).write_bytes(base64.b64decode(data))
    return WorkflowHistory.from_json(id_of(QUEUE, str(folder / "driver")), history["history"])


async def _record(server: Server, folder: Path) -> None:
    remote = Remotely(server.address, QUEUE)
    play = rehearsed(KNOWN.workflows["tests.workflows.survey.run"], folder, SEED, tuple(Fault))
    async with remote.serving():
        await gone(remote, evolve(play, max_parallel=2))
        client = await connected(server.address, "default")
        history = await client.get_workflow_handle(read_record(play.run).id).fetch_history()
    kept = Path(play.run, PAYLOADS)
    payloads = {path.name: base64.b64encode(path.read_bytes()).decode() for path in sorted(kept.iterdir())}
    text = json.dumps({"history": json.loads(history.to_json()), "payloads": payloads})
    with open(FILE, "wb") as file:
        file.write(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    """Record the history."""
    server = Server()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_record(server, Path(folder)))
    server.kill()


if __name__ == "__main__":
    main()
