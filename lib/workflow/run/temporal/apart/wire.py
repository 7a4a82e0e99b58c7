"""Messages between an agent's worker, whose host has no folder of the run, and the run's host."""

from typing import Annotated, Final

from attrs import frozen

from ....arguments.parameter import Arg
from ...clients.job import Job
from ...journal.spec import Spec
from ...worktrees.twins import At


@frozen(kw_only=True)
class Change:
    """A new state of the agent's worktree."""

    at: At
    pack: tuple[str, ...]
    """The shipped pack of the commits that the other host lacks (`Shipper`)."""


@frozen(kw_only=True)
class Known:
    """Commits of a repository of the run directory that the agent's host has, with all before them."""

    name: str
    commits: tuple[str, ...]


@frozen(kw_only=True)
class Sent:
    """A repository of the run directory, as the agent has it."""

    name: str
    common: At
    """The last state that both hosts had."""
    change: Change | None
    """None if nothing has changed since."""


@frozen(kw_only=True)
class Found:
    """A repository of the run directory that the agent lacks, or has in another state."""

    name: str
    change: Change
    tags: tuple[str, ...]
    """Each tag of its commits, after the commit and a blank."""


@frozen(kw_only=True)
class Copy:
    """A file of the run directory."""

    name: str
    digest: str
    text: str | None
    """None if the file is gone."""


@frozen(kw_only=True)
class OpenCall:
    """The start of an attempt."""

    job: Job
    token: str
    """Token of the attempt: later ones are greater."""
    known: tuple[str, ...]
    """Commits that the agent's host has, with all before them."""
    has: tuple[Known, ...] = ()
    """Repositories of the run directory that the agent's host has had before."""


@frozen(kw_only=True)
class OpenSaid:
    """The folders and the work of an attempt."""

    spec: Spec
    folder: str
    """The run directory on its host."""
    run_tree: str
    """The run's worktree there."""
    tree: str = ""
    """The agent's worktree there."""
    within: str = "."
    """Folder in the worktree in which the agent works."""
    change: Change | None = None
    copies: tuple[Copy, ...] = ()
    repositories: tuple[Found, ...] = ()
    reply: str | None = None
    """The reply, if an earlier attempt has done the work."""
    failed: str = ""
    """The reason why the agent cannot work."""


@frozen(kw_only=True)
class CommandCall:
    """A command of an agent."""

    key: str
    """Key of its job."""
    leads: bool
    """True if it works on a page, in the run's own worktree; a launched agent has one of its own."""
    token: str
    words: tuple[str, ...]
    """The module, and its arguments."""
    given: str
    """Its standard input."""
    common: At
    """The last state of the worktree that both hosts had."""
    change: Change | None
    known: tuple[str, ...]
    """Digests of the copies of files."""
    repositories: tuple[Sent, ...] = ()
    has: tuple[Known, ...] = ()
    """Further repositories of the run directory that the agent's host has had before."""


@frozen(kw_only=True)
class CommandSaid:
    """The result of a command."""

    status: Annotated[int, Arg(min=-(1 << 31), max=1 << 32)]
    out: str = ""
    errors: str = ""
    change: Change | None = None
    copies: tuple[Copy, ...] = ()
    repositories: tuple[Found, ...] = ()


@frozen(kw_only=True)
class CloseCall:
    """The end of an attempt; without a text it has failed."""

    job: Job
    token: str
    text: str | None
    common: At
    change: Change | None
    repositories: tuple[Sent, ...] = ()


@frozen(kw_only=True)
class CloseSaid:
    """The result of an attempt's end."""

    failed: str = ""
    """The reason why the attempt has failed, such as a conflict."""


CLASSES: Final = (OpenCall, OpenSaid, CommandCall, CommandSaid, CloseCall, CloseSaid)
"""Classes that payloads hold."""
