"""The scratch copy of a project: planned code is written where it runs, one commit for each milestone.

The copy is a git repository of its own. Its tag `base` is the project before the plan. Each recorded milestone is one
commit with the milestone's id as its message, in the order in which they were recorded. A difference for an earlier
milestone is put into its commit, and git rebases the commits that follow.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Final, NamedTuple

from lib.workflow.errors import RefusedError, UsageError
from lib.workflow.state.git import Said, asked, listed, repository
from lib.workflow.state.locks import BusyError, LockError, locked

BASE: Final = "base"
"""The tag of the project's state before the plan."""
FIXUP: Final = "fixup! "
"""The beginning of the message of a commit that is not yet part of its milestone's."""
WAIT: Final = 20.0
"""Seconds to wait for another process that is recording."""
SOON: Final = 1.0
"""Seconds in which git ends after the process that had started it."""
MAX_FILES: Final = 20_000
"""Most files of a project that is copied."""
MAX_BYTES: Final = 500_000_000
"""Most bytes of a project that is copied."""
SKIPPED: Final = frozenset({".git", ".stepscript", ".venv", "node_modules", "__pycache__"})
"""Folders that are not copied from a project that is not a git repository."""
_OURS: Final = (
    *("-c", "user.name=stepscript", "-c", "user.email=stepscript@localhost", "-c", "core.autocrlf=false"),
    *("-c", "commit.gpgSign=false", "-c", "core.excludesFile=", "-c", "gc.auto=0", "-c", "init.templateDir="),
)
"""Settings that make the copy's history the same for every user."""
_DIFF: Final = ("--no-color", "--no-renames")


class FileDelta(NamedTuple):
    """The change of one file by a milestone."""

    milestone: str
    file: str
    diff: str


def make_scratch(project: str, folder: str) -> None:
    """Copy a project into a folder, as a repository with one commit, if the folder does not exist.

    Files that git ignores, and links that lead out of the project, are not copied.

    Raises:
        RefusedError: The project is too large, or the folder cannot be written.
    """
    if os.path.isdir(folder):
        return
    new = f"{folder}.new"
    shutil.rmtree(new, ignore_errors=True)
    try:
        _copy(project, new)
    except OSError as error:
        fix = "Free space, or make the folder writable, and run the same command again."
        raise RefusedError(
            "unwritable-state", folder, f"it cannot be written: {error.strerror or error}", fix
        ) from None
    _git(new, "init", "-q", "-b", "main")
    _git(new, "add", "--all", "--force")
    _git(new, "commit", "-q", "--allow-empty", "-m", BASE)
    _git(new, "tag", BASE)
    os.rename(new, folder)


def private_copy(source: str) -> str:
    """Copy a project or a scratch copy into a new temporary folder that its caller owns, and return the folder."""
    parent = tempfile.mkdtemp(prefix="stepscript-copy-")
    folder = os.path.join(parent, os.path.basename(source.rstrip(os.sep)) or "project")
    make_scratch(source, folder)
    return folder


def _copy(project: str, folder: str) -> None:
    root = os.path.realpath(project)
    names = listed(project) if repository(project) else tuple(_walk(project))
    if len(names) > MAX_FILES:
        raise _too_large(project, f"it has {len(names):,} files, at most {MAX_FILES:,} are copied")
    left = MAX_BYTES
    os.makedirs(folder)
    for name in names:
        source, target = os.path.join(project, name), os.path.join(folder, name)
        if not os.path.lexists(source) or os.path.isdir(source):
            continue
        if not os.path.realpath(source).startswith(root + os.sep) or not (os.path.isfile(source)):
            continue
        left -= os.lstat(source).st_size
        if left < 0:
            raise _too_large(project, f"it has more than {MAX_BYTES:,} bytes")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def _walk(project: str) -> Iterator[str]:
    for folder, folders, files in os.walk(project):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        yield from (os.path.relpath(os.path.join(folder, name), project) for name in sorted(files))


def _too_large(project: str, what: str) -> RefusedError:
    return RefusedError("too-large", project, what, "Give the folder that the work concerns as the project's root.")


def record(folder: str, milestone: str) -> None:
    """Commit the difference in the working tree for a milestone. Do nothing if none exists.

    Raises:
        RefusedError: Later milestones changed the same lines, so the difference belongs to one of them; or another
            process is recording.
    """
    with _alone(folder):
        chain = _commits(folder)
        _git(folder, "add", "--all")
        if milestone not in chain:
            _git(folder, "commit", "-q", "--allow-empty", "-m", milestone)
        elif not _git(folder, "status", "--porcelain").out:
            return
        elif [*chain][-1] == milestone:
            _git(folder, "commit", "-q", "--amend", "-m", milestone)
        else:
            _put_into(folder, milestone, chain[milestone])


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Hold the lock of the copy, and repair what a process left that was killed while it held the lock."""
    private = os.path.join(folder, ".git")
    try:
        with locked(os.path.join(private, "record.lock"), WAIT):
            if os.path.exists(index := os.path.join(private, "index.lock")):
                sleep(SOON)  # its git may still be at work
                with suppress(FileNotFoundError):
                    os.remove(index)
            if os.path.isdir(os.path.join(private, "rebase-merge")):
                _git(folder, "rebase", "--abort")
            if _git(folder, "log", "-1", "--format=%s").out.startswith(FIXUP):
                _git(folder, "reset", "-q", "--soft", "HEAD~1")
            yield
    except BusyError as error:
        fix = "Wait until the other command has ended, and run this one again."
        raise RefusedError("scratch", folder, str(error.strerror), fix) from None
    except LockError as error:
        fix = "Make the folder writable, and run the same command again."
        raise RefusedError("scratch", folder, f"it cannot be locked: {error.strerror}", fix) from None


def _put_into(folder: str, milestone: str, commit: str) -> None:
    """Put the staged difference into the commit of an earlier milestone."""
    _git(folder, "commit", "-q", f"--fixup={commit}")
    said = _try(folder, "rebase", "-q", "--interactive", "--autosquash", "--keep-empty", BASE)
    if said.status == 0:
        return
    conflicts = _git(folder, "diff", "--name-only", "--diff-filter=U").out.split()
    _git(folder, "rebase", "--abort")
    _git(folder, "reset", "-q", "--soft", "HEAD~1")
    what = f"a later milestone changed the same lines of {', '.join(conflicts) or 'its files'}"
    fix = "Nothing was recorded and the copy is as you left it. Record the difference for the last milestone instead."
    raise RefusedError("rebase-conflict", milestone, what, fix)


def _commits(folder: str) -> dict[str, str]:
    """Return the commit of each recorded milestone, in their order."""
    lines = _git(folder, "log", "--reverse", "--format=%s %H", f"{BASE}..HEAD").out.splitlines()
    return {name: commit for name, _, commit in (line.rpartition(" ") for line in lines)}


def deltas(folder: str) -> tuple[FileDelta, ...]:
    """Return the changes of each recorded milestone, file by file, each on top of those before it."""
    found: list[FileDelta] = []
    before = BASE
    with _alone(folder):
        for milestone, commit in _commits(folder).items():
            names = _git(folder, "diff", *_DIFF, "--name-only", "-z", before, commit).out.split("\0")
            found += (FileDelta(milestone, name, _diff(folder, before, commit, name)) for name in names if name)
            before = commit
    return tuple(found)


def _diff(folder: str, before: str, after: str, file: str) -> str:
    """Return the diff of one file, without git's header except for the mode of a program."""
    head, mark, body = _git(folder, "diff", *_DIFF, before, after, "--", file).out.partition("--- ")
    if not mark:
        what = "it is empty, binary, or only its mode changed: a diff cannot hold that"
        raise RefusedError("no-diff", file, what, "Write a line into an empty file; leave other files out of the plan.")
    mode = "new file mode 100755\n" if "new file mode 100755" in head else ""
    return f"{mode}{mark}{body}"


def _git(folder: str, question: str, *words: str) -> Said:
    """Run git in the copy. Raises RefusedError with git's own words if it fails."""
    said = _try(folder, question, *words)
    if said.status:
        fix = "Inspect the copy with git, or remove the folder: it is created again from the project and the plan."
        raise RefusedError("scratch", folder, f"git {question}: {said.errors.strip():.300}", fix)
    return said


def _try(folder: str, question: str, *words: str) -> Said:
    here = () if question == "init" else ("--work-tree", os.path.abspath(folder))
    try:
        return asked(folder, question, *words, options=(*_OURS, *here))
    except UsageError as error:
        raise RefusedError("scratch", folder, str(error), "Install git, or make the folder readable.") from None
