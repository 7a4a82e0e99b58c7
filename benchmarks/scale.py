"""Measured figures of planner runs on a Temporal server: `python -m benchmarks.scale [RUNS]`. docs/scale.md uses them.

A development server with its database in a file, one worker, and simulated agents, on one machine. Linux only.
"""

import asyncio
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from temporalio.api.enums.v1 import EventType

from lib.workflow.run.journal.journal import Event
from lib.workflow.run.temporal.client import far
from lib.workflow.run.temporal.payloads.stores import PAYLOADS

BIN: Final = os.path.dirname(sys.executable)
LONGEST: Final = 60.0
SLEEP: Final = 40
"""Seconds for which heartbeats are counted."""
TICK: Final = os.sysconf("SC_CLK_TCK")
REQUEST: Final = re.compile(r'^temporal_request\{.*?operation="(\w+)".*\} (\d+)$', re.MULTILINE)
POLLERS: Final = re.compile(r"^temporal_num_pollers\{.*\} (\d+)$", re.MULTILINE)


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def begun(*words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """Run a program during the block."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(words, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(LONGEST)


def until_open(port: int) -> None:
    """Return when a program listens at a port."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens at port {port}")


def busy(process: "subprocess.Popen[bytes]") -> float:
    """Return the seconds of the processor that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def rows(file: Path) -> Counter[str]:
    """Return the number of rows of each table of a database, and its bytes as `bytes`."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as base:
        names = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = {name: base.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
        size = base.execute("PRAGMA page_count").fetchone()[0] * base.execute("PRAGMA page_size").fetchone()[0]
    return Counter({**counts, "bytes": size})


def logged(place: str) -> str:
    """Return the metrics of a worker."""
    text: str = urllib.request.urlopen(f"http://{place}/metrics").read().decode()
    return text


def heartbeats(place: str, folder: Path, where: tuple[str, ...]) -> int:
    """Return the heartbeats that a worker sends for an agent at work, in a run that is left at work."""
    agent = ("--agent", f"sh -c 'cat > /dev/null; touch begun; sleep {3 * SLEEP}'")
    with begun(
        f"{BIN}/stepscript",
        "run",
        "problem-analysis",
        "x",
        "-C",
        str(folder),
        *agent,
        *("--engine", "temporal"),
        *where,
    ):
        while not (folder / "begun").exists():
            time.sleep(0.1)
        time.sleep(SLEEP)
    found = dict(REQUEST.findall(logged(place)))
    return int(found.get("RecordActivityTaskHeartbeat", 0))


async def histories(address: str) -> Counter[str]:
    """Return the sums over all runs: events, bytes, steps, agents."""
    client, sums = await far.far(address, "default"), Counter[str]()
    for run in await far.listed(client):
        history = await client.get_workflow_handle(run.id).fetch_history()
        said = await far.events(client, run)
        sums["events"] += len(history.events)
        sums.update(f"events {EventType.Name(event.event_type)}" for event in history.events)
        sums["bytes of history"] += sum(event.ByteSize() for event in history.events)
        sums["pages"] += sum(entry.event is Event.STEP for entry in said)
        sums["agents"] += sum(entry.event is Event.ATTEMPT for entry in said)
        kept = list(Path(run.folder, PAYLOADS).iterdir())
        sums["payload files"] += len(kept)
        sums["bytes of payloads"] += sum(path.stat().st_size for path in kept)
        sums["runs"] += 1
    return sums


def main(runs: int) -> None:
    """Print the figures of one run, as the mean of several."""
    port, metrics, folder = free_port(), free_port(), Path(tempfile.mkdtemp(prefix="stepscript-scale-"))
    address, file = f"127.0.0.1:{port}", folder / "runs.db"
    where = ("--address", address, "--host-queue", "scale")
    words = (f"{BIN}/temporal", "server", "start-dev", "--headless", "--port", str(port), "--db-filename", str(file))
    with begun(*words) as server:
        until_open(port)
        place = f"127.0.0.1:{metrics}"
        with begun(f"{BIN}/stepscript", "worker", *where, "--metrics", place) as worker:
            until_open(metrics)
            time.sleep(3)
            before, used = rows(file), (busy(server), busy(worker))
            start = time.monotonic()
            for number in range(runs):
                kept = ("--keep", str(folder / f"{number}"), "--engine", "temporal", *where)
                rehearsal = (f"{BIN}/stepscript", "rehearse", "planner", *kept)
                subprocess.run(rehearsal, check=True, stdout=subprocess.DEVNULL, cwd=folder)
            took = time.monotonic() - start
            served = logged(place)
            sums, beats = asyncio.run(histories(address)), heartbeats(place, folder, where)
            sums.update({f"rows of {name}": more for name, more in (rows(file) - before).items() if name != "bytes"})
            sums["bytes of database"] = rows(file)["bytes"] - before["bytes"]
            for operation, count in REQUEST.findall(served):
                sums[f"requests {operation}"] += int(count)
            print(f"heartbeats of an agent in {SLEEP} seconds {beats}")
            print(f"seconds of a run {took / runs:.1f}")
            print(f"processor of the server {(busy(server) - used[0]) * 1e3 / runs:,.0f} ms")
            print(f"processor of the worker {(busy(worker) - used[1]) * 1e3 / runs:,.0f} ms")
            print(f"waiting requests of the worker {sum(map(int, POLLERS.findall(served)))}")
    for name, total in sums.items():
        print(f"{name} {total / runs:,.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
