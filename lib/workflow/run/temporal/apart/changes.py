"""Changes of an agent's worktree on their way between hosts."""

from collections.abc import Awaitable, Callable, Iterable
from tempfile import TemporaryFile

from ...workplace import in_thread
from ...worktrees.repository import Repository
from ...worktrees.twins import At, Twin, read_pack, write_pack
from .shipping import Shipper
from .wire import Change

Within = Callable[[Callable[[], None]], Awaitable[None]]
"""Function that runs work on a worktree in a thread, alone if others use the same one."""


async def packed(shipper: Shipper, git: Repository, at: At, known: Iterable[str]) -> Change:
    """Return a state of a worktree for somebody who has the commits `known`. Raises RefusedError."""
    with TemporaryFile() as file:
        await in_thread(lambda: write_pack(git, at, known, file))
        return Change(at=at, pack=await shipper.send(file))


async def unpacked(shipper: Shipper, git: Repository, change: Change, strict: bool) -> None:
    """Add the commits of a change to a repository; arguments as for `read_pack`. Raises RefusedError."""
    with TemporaryFile() as file:
        await shipper.fetch(change.pack, file)
        await in_thread(lambda: read_pack(git, file, strict))


async def taken(shipper: Shipper, twin: Twin, common: At, change: Change | None, within: Within) -> None:
    """Bring the changes of an agent into its worktree on the run's host.

    Args:
        shipper: The shipper of the run.
        twin: The worktree.
        common: The last state that both hosts had. The worktree may have changed since.
        change: The agent's state; None if nothing has changed.
        within: Runs the work on the worktree.

    Raises:
        RefusedError: If the change cannot be used.
        CrashError: If it conflicts with what has changed meanwhile.
    """
    if change is None:
        return
    wanted = change.at
    await unpacked(shipper, twin.tree.repository, change, strict=True)

    def take() -> None:
        now = twin.look(common)
        twin.turn(now, wanted if now == common else twin.joined(common, now, wanted))

    await within(take)
