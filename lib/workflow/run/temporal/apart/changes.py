"""Changes of an agent's worktree on their way between hosts."""

from collections.abc import Iterable
from tempfile import TemporaryFile

from ...workplace import in_thread
from ...worktrees.repository import Repository
from ...worktrees.twins import At, Twin, read_pack, write_pack
from .shipping import Shipper
from .wire import Change


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


async def taken(shipper: Shipper, twin: Twin, common: At, change: Change | None) -> At:
    """Bring the run's worktree of an agent into the agent's state, which is returned. Raises RefusedError."""
    wanted = common if change is None else change.at
    if change is not None:
        await unpacked(shipper, twin.tree.repository, change, strict=True)
        known = await in_thread(lambda: twin.look(common))
        await in_thread(lambda: twin.turn(known, wanted))
    return wanted
