"""Cost of a change of a review: in one process, as a process, and with fifty processes at once."""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import count

from attrs import evolve

from benchmarks.measure import Target, children, judge, medians, report
from benchmarks.starts import compiled, process
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import Review, ReviewItem
from skills.planner.schema.run import Run, Submission
from skills.planner.state.files import run_store
from skills.planner.state.reviews import review_store

PHASE = Phase.PLAN_DESIGN
SIZE = 50
"""Number of items, and of processes at once."""
BARE = "json, a lock and a rename"
CHECK = "The expiry of a token is compared in UTC, and a test shows what happens in the minute in which it expires."


def begin(folder: str) -> None:
    """Create a fresh review of fifty items."""
    path = os.path.join(folder, f"qr-{PHASE}.json")
    if os.path.exists(path):
        os.unlink(path)
    made = (Submission(phase=PHASE, iteration=1),)
    run = Run(id="run", task="x", project_root=folder, submissions=made)
    run_store(folder).create(run)
    items = (ReviewItem(id=f"qa-{n:03}", scope=f"file:src/part_{n}.py:L10-L50", check=CHECK) for n in range(SIZE))
    review_store(folder, PHASE).create(Review(phase=PHASE, iteration=1, items=tuple(items)))


def bare(folder: str) -> None:
    """Do the least that changes a file of JSON and loses nothing, whatever the disk takes.

    Lock, read, write a new file beside it, sync, rename, sync the folder.
    """
    path = os.path.join(folder, f"qr-{PHASE}.json")
    lock = os.open(os.path.join(folder, ".lock"), os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with open(path, "rb") as file:
        data = json.loads(file.read())
    with open(f"{path}.new", "wb") as new:
        new.write(json.dumps(data).encode())
        new.flush()
        os.fsync(new.fileno())
    os.replace(new.name, path)
    place = os.open(folder, os.O_RDONLY)
    os.fsync(place)
    os.close(place)
    os.close(lock)


def changes(folder: str) -> Callable[[], object]:
    """Return a change of one item, another each time."""
    numbers = count()

    def change() -> None:
        item_id, check = f"qa-{next(numbers) % SIZE:03}", f"{CHECK} {next(numbers)}"
        review_store(folder, PHASE).change(
            lambda review: (review.replace((item_id,), lambda item: evolve(item, check=check)), None)
        )

    return change


def verdict(folder: str, number: int) -> Sequence[str]:
    """Return the command that an agent runs."""
    options = ("--state-dir", folder, "--qr-phase", PHASE)
    return ("-I", "-m", "skills.planner.cli.qr", *options, "update-item", f"qa-{number:03}", "--status", "PASS")


def crowd(commands: Sequence[Sequence[str]]) -> float:
    """Return the seconds from the start of the first process to the end of the last, all at once."""
    begun = time.perf_counter()
    running = [subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, cwd="/") for words in commands]
    assert not any(process.wait() for process in running)
    return time.perf_counter() - begun


def main() -> bool:
    """Print the tables and return True if the targets are met."""
    compiled()
    with tempfile.TemporaryDirectory() as folder:
        begin(folder)
        inside = medians({BARE: lambda: bare(folder), "a change of the store": changes(folder)}, 60)
        report(f"A change of a review of {SIZE} items, in one process", inside, 1e-3, "ms")
        begin(folder)
        starts = {"python3 -c pass": process(("-c", "pass")), "cli.qr update-item": process(tuple(verdict(folder, 0)))}
        alone = medians(starts, 40, children)
        report("As a process, processor time", alone, 1e-3, "ms")
        together: dict[str, list[float]] = {"python3 -c pass, each": [], "cli.qr update-item, each": []}
        for _ in range(5):
            begin(folder)
            together["python3 -c pass, each"].append(crowd([("-c", "pass")] * SIZE))
            together["cli.qr update-item, each"].append(crowd([verdict(folder, number) for number in range(SIZE)]))
            assert all(item.status == "PASS" for item in review_store(folder, PHASE).load().items)
    each = {name: min(times) / SIZE for name, times in together.items()}
    report(f"{SIZE} processes at once, the best of 5", each, 1e-3, "ms")
    print(f"all {SIZE} verdicts: {each['cli.qr update-item, each'] * SIZE:.2f} s")
    good = judge(inside, Target("a change of the store", 2.5, BARE))
    good = judge(alone, Target("cli.qr update-item", 6.6, "python3 -c pass")) and good
    return judge(each, Target("cli.qr update-item, each", 7.5, "python3 -c pass, each")) and good
