"""The run's host, for agents on hosts without the run's folder: opens attempts, runs commands, takes over the work."""

import os
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from attrs import evolve
from temporalio import activity
from temporalio.client import Client
from temporalio.exceptions import ApplicationError

from ....command import Command
from ....command.command import LAUNCHER_VARIABLE
from ....errors import RefusedError, UsageError
from ....state.locks import locked
from ....state.run_dirs import ELSEWHERE, OWN_WORKTREE
from ....util.output import REFUSED, USAGE
from ...clients.agents import fenced
from ...clients.job import ReplyError, read_reply
from ...clients.results import CrashError
from ...journal.journal import AGENTS
from ...journal.spec import Spec
from ...steps import as_process
from ...workplace import in_thread
from ...worktrees.of_agents import WaveWorkplace
from ...worktrees.tree import Tree
from ...worktrees.twins import Twin
from ..host.alive import stop
from ..host.host import Host
from ..host.memory import NEWER, Memory, Turns
from ..place import folder_of, run_of
from .commands import Allowed
from .copies import gathered
from .errand import CLOSE, COMMAND, OPEN
from .mirrors import all_found, all_taken, packed, taken
from .shipping import Shipper
from .spelling import LAUNCHER
from .wire import CloseCall, CloseSaid, CommandCall, CommandSaid, OpenCall, OpenSaid

T = TypeVar("T")
WAIT: Final = 600.0
"""Seconds to wait for another worker that lends or merges a worktree of the run."""


class Desk:
    """The activities for agents on other hosts.

    Args:
        host: The host, which knows its runs.
        client: The client of the server.
        allowed: The commands that agents may have run.
    """

    def __init__(self, host: Host, client: Client, allowed: Allowed) -> None:
        self._host, self._client, self._allowed = host, client, allowed

    @activity.defn(name=OPEN)
    async def open(self, call: OpenCall) -> OpenSaid:
        """Start an attempt. Every earlier one can change nothing more, and this one gets its work."""
        run, place, spec = self._run()
        memory, folder = Memory(folder_of(run), call.job), os.path.dirname(folder_of(run))
        said = OpenSaid(spec=spec, folder=folder, run_tree=place.tree.path, within=place.record.within)
        try:
            memory.turns.admit(call.token)
        except CrashError as error:
            raise ApplicationError(str(error), type="Stale", non_retryable=True) from None
        reply = memory.reply()
        if reply is not None:
            return evolve(said, reply=reply)
        shipper = Shipper(self._client, run)
        async with self._host.alive(memory.turns, call.token):
            try:
                tree = await in_thread(lambda: place.tree if call.job.page else _lent(place, call.job.key))
                at = await _alone(place, bool(call.job.page))(Twin(tree).look)
                change = await packed(shipper, tree.repository, at, call.known)
                found = await all_found(shipper, folder, call.has, {})
            except RefusedError as error:
                return evolve(said, failed=f"it has no folder to work in: {error}")
        return evolve(
            said,
            tree=tree.path,
            change=change,
            copies=gathered(folder, ()),
            repositories=found,
        )

    @activity.defn(name=COMMAND)
    async def command(self, call: CommandCall) -> CommandSaid:
        """Run a command of the current attempt, in the worktree of its agent."""
        run, place, spec = self._run()
        driver, turns = folder_of(run), Turns(os.path.join(folder_of(run), AGENTS), call.key)
        folder = os.path.dirname(driver)
        if not turns.is_current(call.token):
            return CommandSaid(status=REFUSED, errors=f"{NEWER}: stop, and write nothing more\n")
        shipper, twin = Shipper(self._client, run), Twin(_tree(place, call.key, call.leads))
        within, mine = _alone(place, call.leads), call.common if call.change is None else call.change.at
        async with self._host.alive(turns, call.token):
            try:
                here = twin.tree.folder(place.record)
                command = self._allowed.check(call.words, Command.read(spec.start), folder, here)
                await taken(shipper, twin, call.common, call.change, within)
                await all_taken(shipper, folder, call.repositories)
                environment = {
                    **fenced(turns.fence, call.token),
                    **({} if call.leads else {OWN_WORKTREE: twin.tree.path}),
                    LAUNCHER_VARIABLE: LAUNCHER,
                    ELSEWHERE: "1",
                }
                printed = await as_process(command, call.given, environment, here)
                after = await within(lambda: twin.look(mine))
                change = None if after == mine else await packed(shipper, twin.tree.repository, after, [mine.files])
                theirs = {each.name: each.change.at if each.change else each.common for each in call.repositories}
                found = await all_found(shipper, folder, call.has, theirs)
            except UsageError as error:
                return CommandSaid(status=USAGE, errors=f"{error}\n")
            except CrashError as error:
                return CommandSaid(status=REFUSED, errors=f"{error}\n")
            except RefusedError as error:
                return CommandSaid(status=REFUSED, errors=f"{error}\n{error.fix}\n")
        return CommandSaid(
            status=printed.status,
            out=printed.out,
            errors=printed.errors,
            change=change,
            copies=gathered(folder, call.known),
            repositories=found,
        )

    @activity.defn(name=CLOSE)
    async def close(self, call: CloseCall) -> CloseSaid:
        """End an attempt: the changes of an agent that has replied are merged, and its reply is kept."""
        run, place, _ = self._run()
        memory = Memory(folder_of(run), call.job)
        if call.text is not None and memory.reply() == call.text:
            return CloseSaid()
        if not memory.turns.is_current(call.token):
            return CloseSaid(failed=NEWER)
        leads, text = bool(call.job.page), call.text
        shipper, twin = Shipper(self._client, run), Twin(_tree(place, call.job.key, leads))
        async with self._host.alive(memory.turns, call.token):
            try:
                if twin.tree.place is not None:  # else an earlier start of this activity has merged it
                    await taken(shipper, twin, call.common, call.change, _alone(place, leads))
                    await all_taken(shipper, os.path.dirname(folder_of(run)), call.repositories)
                if text is not None:
                    read_reply(call.job, text)
                    if not leads:
                        await in_thread(lambda: _given(place, call.job.key))
                    memory.keep(text)
            except (CrashError, ReplyError) as error:
                return CloseSaid(failed=str(error))
            except RefusedError as error:
                return CloseSaid(failed=f"its changes cannot be taken over: {error}")
            finally:
                memory.turns.close(call.token)
        return CloseSaid()

    def _run(self) -> tuple[str, WaveWorkplace, Spec]:
        """Return the id of the run of this errand, its workplace and its specification."""
        run = run_of(activity.info().workflow_id or "")
        cast, spec = self._host.cast(run)
        if not isinstance(cast.workplace, WaveWorkplace):
            raise stop("the run was not started with --no-shared-folder: its agents need its folder")
        return run, cast.workplace, spec


def _lock(place: WaveWorkplace) -> str:
    return os.path.join(os.path.dirname(place.tree.path), ".lock")


def _alone(place: WaveWorkplace, leads: bool) -> "Callable[[Callable[[], T]], Awaitable[T]]":
    """Return a function that runs work on a worktree in a thread; if it is the run's own, alone."""

    def run(work: Callable[[], T]) -> T:
        if not leads:
            return work()
        with locked(_lock(place), WAIT):
            return work()

    return lambda work: in_thread(lambda: run(work))


def _tree(place: WaveWorkplace, key: str, leads: bool) -> Tree:
    """Return the worktree of an agent: that of the run if it works on a page."""
    return place.tree if leads else place.tree_of(key)


def _lent(place: WaveWorkplace, key: str) -> Tree:
    """Return the worktree of an agent; it begins with all work so far."""
    with locked(_lock(place), WAIT):
        place.lend(key)
    return place.tree_of(key)


def _given(place: WaveWorkplace, key: str) -> None:
    """Merge the worktree of an agent. Raises CrashError if that conflicts."""
    with locked(_lock(place), WAIT):
        place.give(key)
