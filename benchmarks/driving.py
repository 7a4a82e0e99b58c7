"""Cost of driving agents, compared with asyncio alone; memory; the resume of a long journal."""

import asyncio
import json
import os
import tempfile
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from benchmarks.measure import Target, judge, medians, report
from benchmarks.starts import process
from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.step import Complete, CurrentAction, Invoke, InvokeAfter
from lib.workflow.command import Command
from lib.workflow.discovery import search
from lib.workflow.render.xml import render
from lib.workflow.run.allowed_commands import Known
from lib.workflow.run.clients.agents import Attempt, CommandAgent
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.engine import LocalEngine, Spec, State
from lib.workflow.run.journal.journal import JOURNAL
from lib.workflow.run.pool import Cast
from lib.workflow.types import AgentRole

if TYPE_CHECKING:
    from benchmarks.remotely import Remotely

PARALLEL = 8
PROGRAM = ("/bin/echo", "done")
BRIEF = ("/bin/sh", "-c", "sleep 0.1; echo done")
"""An agent that takes 0.1 s."""
START = Command("skills.problem_analysis.analyze", ("--step", "1"))
MOST = 1.3
MOST_FIXED = 1.5
"""Maximum cost of a run beyond its agents, in starts of Python."""
BARE = "python3 -I -c pass"
LINES = 10_000
READING = f"reading its {LINES:,} lines as JSON ten times"
RESUMING = f"a resume over {LINES:,} lines"
MOST_RESUMED = 2.1
"""Most times of READING that a resume takes; one reading is too short to compare with it."""
MOST_REMOTE = 2.2
"""Most times of an activity by Temporal's SDK alone that an agent takes there."""
MOST_GROWTH = 8.0
"""Most MiB over 1,000 dispatches."""
ON_DISK = tempfile.TemporaryDirectory(prefix="stepscript-")
"""The folder of runs, deleted after all, because deleting one would make the next slower."""
SHARED_MEMORY = "/dev/shm"
HAS_MEMORY = os.path.isdir(SHARED_MEMORY) and os.access(SHARED_MEMORY, os.W_OK)
IN_MEMORY = tempfile.TemporaryDirectory(prefix="stepscript-", dir=SHARED_MEMORY) if HAS_MEMORY else ON_DISK
"""The same in memory, where a new file costs what the system takes for it, whatever a disk holds."""
FILES = 2
"""New files that the driver makes for an agent: what it reads, and what it writes."""
KNOWN = Known(found.workflow for found in search("skills")[0])


class Nothing:
    """An agent that takes no time."""

    async def work(self, attempt: Attempt) -> str:
        return "done"


def page(agents: int) -> str:
    """Return a page that dispatches the agents."""
    launched = tuple(Agent(invoke=Invoke(START)) for _ in range(agents))
    dispatch = RosterDispatchNode(agent=AgentRole.EXPLORE, agents=launched)
    return render(Document([CurrentAction([dispatch]), InvokeAfter(invoke=Invoke(START))]))


def pages(agents: int, dispatches: int = 1) -> Iterator[str]:
    """Return the pages of a run."""
    return iter([*[page(agents)] * dispatches, render(Document([Complete()]))])


def driven(
    agents: int, agent: CommandAgent | Nothing, dispatches: int = 1, place: tempfile.TemporaryDirectory[str] = ON_DISK
) -> None:
    """Drive a run of a number of dispatches, each to a number of agents."""
    prints = pages(agents, dispatches)

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        return Printed(0, next(prints), "")

    spec = Spec(workflow="problem-analysis", start=str(START), agent="bench", max_parallel=PARALLEL)
    engine = LocalEngine(KNOWN, Cast(agent=agent, run_step=run_step))
    assert asyncio.run(engine.go(tempfile.mkdtemp(dir=place.name), spec)).state is State.DONE


def alone(agents: int, program: tuple[str, ...] = PROGRAM, file: BinaryIO | None = None) -> None:
    """Run the same programs with the same parallelism. Append their replies to the file, if any, and sync each."""

    def keep(reply: bytes, file: BinaryIO) -> None:
        file.write(reply)
        os.fsync(file.fileno())

    async def start(free: asyncio.Semaphore) -> None:
        async with free:
            process = await asyncio.create_subprocess_exec(*program, stdout=asyncio.subprocess.PIPE)
            reply, _ = await process.communicate()
        if file is not None:
            await asyncio.to_thread(keep, reply, file)

    async def all_of_them() -> None:
        free = asyncio.Semaphore(PARALLEL)
        await asyncio.gather(*(start(free) for _ in range(agents)))

    asyncio.run(all_of_them())


def kept(agents: int, place: tempfile.TemporaryDirectory[str]) -> None:
    """Run them with asyncio alone, and keep their replies: the least that a program does which must not lose them."""
    path = os.path.join(tempfile.mkdtemp(dir=place.name), "replies")
    with open(path, "xb", buffering=0) as file:
        alone(agents, file=file)


def new_file(place: tempfile.TemporaryDirectory[str], files: int = 500) -> float:
    """Return the seconds for a new empty file. On ext4 they vary from 7 to 800 us with what the disk holds."""
    folder = tempfile.mkdtemp(dir=place.name)
    begun = time.perf_counter()
    for number in range(files):
        os.close(os.open(os.path.join(folder, str(number)), os.O_CREAT | os.O_WRONLY))
    return (time.perf_counter() - begun) / files


def fixed_cost() -> bool:
    """Print the cost of a run beyond its agents, and return True if the target is met.

    It has a lock, a journal whose lines are synced, and fences. The keeper of programs has started before.
    """
    contenders = {
        BARE: process(("-I", "-c", "pass")),
        "asyncio alone, 1 agent": lambda: alone(1),
        "the driver, 1 agent": lambda: driven(1, CommandAgent(PROGRAM)),
    }
    bare, without, with_it = medians(contenders, 15).values()
    cost = with_it - without
    print(f"\nA run costs {cost * 1e3:.1f} ms beyond its agents")
    return judge({"a run": cost, BARE: bare}, Target("a run", MOST_FIXED, BARE))


def few() -> bool:
    """Print the cost of a run with ten agents, and return True if the target is met."""
    names = ("asyncio alone, 10 brief agents", "the driver, 10 brief agents")
    contenders = {
        names[0]: lambda: alone(10, BRIEF),
        names[1]: lambda: driven(10, CommandAgent(BRIEF)),
    }
    seconds = medians(contenders, 5)
    report(f"10 agents that take 0.1 s, {PARALLEL} at a time", seconds, 0.01, "ms per agent")
    return judge(seconds, Target(names[1], MOST, names[0]))


def many(agents: int) -> bool:
    """Print the cost of a run with agents that take no time, and return True if the target is met.

    On a disk most of it can be the cost of new files, which asyncio alone does not make. So the run in memory is
    judged. A run has a cost of its own, whatever its agents are; with ten agents it is most of the run, so their ratio
    has no target. The cost of its own has one, and so have ten agents that take 0.1 s.
    """
    names = (f"asyncio alone, {agents} agents", f"the driver, {agents} agents")
    contenders = {names[0]: lambda: alone(agents)}
    for place, where in ((IN_MEMORY, ""), (ON_DISK, ", on the disk")):
        contenders[f"asyncio, replies kept{where}"] = partial(kept, agents, place)
        contenders[names[1] + where] = partial(driven, agents, CommandAgent(PROGRAM), place=place)
    seconds = medians(contenders, 15 if agents < 1000 else 3)
    report(f"{agents} agents that take no time, {PARALLEL} at a time", seconds, agents / 1e3, "ms per agent")
    files = new_file(ON_DISK) * FILES * 1e3
    print(f"{agents / seconds[names[1]]:.0f} agents per second; on the disk an agent's new files take {files:.2f} ms")
    return agents == 10 or judge(seconds, Target(names[1], MOST, names[0]))


def resumed(lines: int) -> dict[str, float]:
    """Return the seconds of reading a journal's lines, and of a resume over them whose agents have all replied."""
    folder, count = tempfile.mkdtemp(dir=ON_DISK.name), 0

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        nonlocal count
        count += 1
        if count > lines // 19 + 1:
            raise KeyboardInterrupt
        return Printed(0, page(9), "")

    async def ending(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        return Printed(0, render(Document([Complete()])), "")

    spec = Spec(workflow="problem-analysis", start=str(START), agent="bench", max_parallel=PARALLEL)
    with suppress(KeyboardInterrupt):
        asyncio.run(LocalEngine(KNOWN, Cast(agent=Nothing(), run_step=run_step)).go(folder, spec))
    path = os.path.join(folder, JOURNAL)
    with open(path, "rb") as file:
        written = file.read()
    assert written.count(b"\n") >= lines

    def resume() -> None:
        with open(path, "wb") as again:
            again.write(written)
        end = asyncio.run(LocalEngine(KNOWN, Cast(agent=Nothing(), run_step=ending)).go(folder, spec))
        assert end.state is State.DONE

    def reading() -> None:
        for _ in range(10):
            assert [*map(json.loads, written.splitlines())]

    return medians({READING: reading, RESUMING: resume}, 7, time.process_time)


def grown(dispatches: int) -> float:
    """Return the MiB that a run needs at its peak beyond those of a run of a tenth of its dispatches."""
    peaks = []
    for many in (dispatches // 10, dispatches):
        tracemalloc.start()
        driven(4, Nothing(), many)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return (peaks[1] - peaks[0]) / (1 << 20)


def remotely_driven(remote: "Remotely", agents: int) -> None:
    """Drive a run of one dispatch with the Temporal engine."""
    start, request = str(START), os.urandom(8).hex()
    spec = Spec(workflow="problem-analysis", start=start, request=request, agent="bench", max_parallel=PARALLEL)
    remote.driven(spec, Nothing(), pages(agents))


def by_temporal() -> bool:
    """Print the cost of an agent with the Temporal engine, and return True if the target is met.

    The server and the worker share the machine, so other work on it counts: see also the processor's time. With 100
    agents the cost of the run itself counts too, so only 300 have a target.
    """
    from benchmarks.remotely import remotely  # here, because its heap would distort the other measurements

    met = True
    with remotely(KNOWN.workflows.values()) as remote:
        for agents in (100, 300):
            names = (f"Temporal's SDK alone, {agents} activities", f"by temporal, {agents} agents")
            contenders = {
                names[0]: lambda agents=agents: remote.alone(agents, PARALLEL),
                names[1]: lambda agents=agents: remotely_driven(remote, agents),
                f"the driver, {agents} agents": lambda agents=agents: driven(agents, Nothing()),
            }
            seconds = medians(contenders, 5)
            report(f"{agents} agents that take no time, {PARALLEL} at a time", seconds, agents / 1e3, "ms per agent")
            begun = time.process_time()
            remotely_driven(remote, agents)
            busy, rate = (time.process_time() - begun) * 1e3 / agents, agents / seconds[names[1]]
            print(f"{rate:.0f} agents per second; {busy:.1f} ms of the processor without the server")
            met = agents == 100 or judge(seconds, Target(names[1], MOST_REMOTE, names[0]))
    return met


def main() -> bool:
    """Print the tables and return True if the targets are met."""
    met = [fixed_cost(), few(), *map(many, (10, 100, 1000))]
    growth = grown(1000)
    met.append(growth <= MOST_GROWTH)
    verdict = "met" if met[-1] else "MISSED"
    print(f"target {verdict}: 1,000 dispatches grow the driver by {growth:.1f} MiB; at most {MOST_GROWTH:g}")
    seconds = resumed(LINES)
    report("A run whose agents have all replied", seconds, 1e-3, "ms")
    met += [judge(seconds, Target(RESUMING, MOST_RESUMED, READING)), by_temporal()]
    return all(met)
