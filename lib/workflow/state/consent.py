"""Consent: records which runs this user started or agreed to.

A repository can bring a folder of runs. So when a user starts a run or agrees to one, a mark is left in its folder,
signed with a key that only this user can read. The mark names the real folder, its inode number and the project's
root. It does not fit a copy, a moved folder, or anything unpacked in the same place.
"""

import os
import stat
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..command.quoting import join
from ..errors import RefusedError
from ..util.digests import compare_digest, sha256, signature
from ..util.output import say
from .files import read_whole
from .locks import locked
from .run_dirs import check_unlinked, holder, is_within, user_folder

MARK: Final = "begun-here"
"""File in a run's folder."""
LONGEST: Final = 1 << 15
"""Maximum bytes of a mark: two paths and three numbers."""
KEY_SIZE: Final = 32
WAIT: Final = 5.0
"""Seconds to wait for another process that makes the key."""
CODE: Final = "not-yours"
"""Refusal code for a run without consent."""
MISSING: Final = "missing-key"
"""Refusal code for a user who has no key yet."""


class Begun(NamedTuple):
    """The content of a mark by this user."""

    place: str
    """Real path of the marked folder."""
    number: int
    """Inode number of the folder: another folder at the same path has another one."""
    root: str
    """Root of the project; empty for a run without one."""
    bound: str
    """Digest of the other things agreed to, such as the agent's program."""


class Wish(NamedTuple):
    """The actions that a run would take in the user's name."""

    about: str
    """Short description of the run, such as the user's task."""
    root: str
    """Folder of the project that it would change; empty if none."""
    commands: tuple[str, ...] = ()
    """Programs that it would start, one line each."""

    def lines(self) -> Iterator[str]:
        """Yield the wish for a reader, line by line."""
        yield f"it is about: {' '.join(self.about.split())}"
        if self.root:
            yield f"it would change files in: {self.root}"
        yield from (f"it would run: {command}" for command in self.commands)
        if not self.commands:
            yield "it would run no commands of its own"


def mark(folder: str, root: str = "", *bound: str) -> None:
    """Mark a run as started, or agreed to, by this user.

    Args:
        folder: The run's folder, which exists.
        root: Real folder of the project that the run works in; empty if none.
        bound: Other things that the user agrees to. If they change, the user is asked again.

    Raises:
        RefusedError: If no mark can be made: the key is missing, or the folder cannot be written or is behind a link.
    """
    check_unlinked(folder)
    place = os.path.realpath(folder)
    begun = Begun(place, os.stat(place).st_ino, root, _digest(bound))
    key = key_of_user(make=True)
    try:
        _write(os.path.join(place, MARK), _sealed(begun, key))
    except OSError as error:
        fix = "Make the folder writable."
        raise RefusedError("unwritable-state", place, f"it cannot be written: {error.strerror or error}", fix) from None


def begun(folder: str) -> Begun | None:
    """Return the content of this user's mark in a folder, or None. A copied or moved folder keeps its mark."""
    try:
        data = read_whole(os.path.join(folder, MARK), LONGEST)
        key = key_of_user(make=False)
        seal, place, number, root, bound = data.split(b"\0")
        found = Begun(os.fsdecode(place), int(number), os.fsdecode(root), bound.decode())
    except (OSError, ValueError):  # ValueError includes RefusedError: without a key, no mark exists
        return None
    return found if compare_digest(seal, _seal(found, key)) else None


def is_marked(folder: str, root: str | None = None, *bound: str) -> bool:
    """Return True if this user started, or agreed to, the run that is in this folder now.

    Args:
        folder: The run's folder.
        root: The project's root as the run names it; None if the caller does not use it.
        bound: As given to `mark`; compared only if `root` is given.
    """
    found = begun(folder)
    return found is not None and is_here(folder, found) and _fits(found, root, bound)


def mark_or_say(folder: str, root: str = "") -> None:
    """Mark a run that a script starts; on failure, warn on standard error and let the run start unmarked."""
    try:
        mark(folder, root)
    except RefusedError as error:
        say(f"Cannot mark the run as yours: {error}\n{error.fix}")


def is_strange(folder: str) -> bool:
    """Return True if a folder lacks the mark that this user could have made: no new run may use its contents."""
    try:
        key_of_user(make=False)
    except RefusedError:
        return False
    return not is_marked(folder)


def is_here(folder: str, found: Begun) -> bool:
    """Return True if a mark was made for the folder that holds it."""
    try:
        place = os.path.realpath(folder)
        return found.place == place and found.number == os.stat(place).st_ino
    except OSError:
        return False


def _fits(found: Begun, root: str | None, bound: tuple[str, ...]) -> bool:
    if root is None:
        return True
    real = not root or (os.path.isdir(root) and os.path.realpath(root) == root)
    return real and found.root == root and found.bound == _digest(bound)


def root_of(folder: str, recorded: str, found: Begun | None) -> str:
    """Return the project's root of a run, by the run's real location.

    Args:
        folder: The run's folder.
        recorded: The root in the run's own file. It counts only for a run outside of a project, and for a project
            inside the run's folder.
        found: The folder's mark.

    Returns:
        The project whose `.stepscript/runs` holds the run. For a run elsewhere: the root at the same relative path as
        when this user started the run, else the recorded one.
    """
    place, root = os.path.realpath(folder), os.path.realpath(recorded)
    if is_within(root, place):
        return root
    if found and found.root and is_within(found.root, found.place):
        return os.path.join(place, os.path.relpath(found.root, found.place))
    held = holder(folder)
    if held is not None:
        return held
    if found and found.root and is_within(found.place, found.root):
        return os.path.normpath(os.path.join(place, os.path.relpath(found.root, found.place)))
    return root


def check(folder: str, root: str | None = None, *bound: str) -> None:
    """Raise RefusedError for a run that this user neither started nor agreed to; arguments as for `is_marked`."""
    if not is_marked(folder, root, *bound):
        raise RefusedError(CODE, folder, why_not(folder, root), how(folder))


def why_not(folder: str, root: str | None = None) -> str:
    """Return the reason why a run needs the user's consent, as the end of a sentence about its folder."""
    try:
        key_of_user(make=False)
    except RefusedError as error:
        if error.code != MISSING:
            return f"runs cannot be checked for your mark: {error}"
    found = begun(folder)
    if found is None:
        return "this run is not trusted: it may have come with the repository"
    if not is_here(folder, found):
        return f"this run was copied or moved: you started it in {found.place}"
    if root is not None and found.root != root:
        return f"the run names the project root {root}, but you agreed to {found.root}"
    return "the run has changed: it would do something that you did not agree to"


def how(folder: str) -> str:
    """Return how the user agrees to a run: one command, which first shows what the run would do."""
    return f"Show the user what it would run. After the user agrees, run:  {command('trust', os.path.realpath(folder))}"


def command(*words: str) -> str:
    """Return a `stepscript` command to copy, with the program beside this interpreter if it exists."""
    program = os.path.join(os.path.dirname(sys.executable), "stepscript")
    return join((program if os.path.isfile(program) else "stepscript", *words))


def key_of_user(make: bool) -> bytes:
    """Return the key that signs marks.

    Raises:
        RefusedError: If the key is not usable: the user has no home folder, or the key's folder cannot be used or
            belongs to another user.
    """
    folder = os.path.join(user_folder(), "trust")
    path = os.path.join(folder, "key")
    try:
        if make and not os.path.lexists(path):
            _make_key(folder, path)
        _own(folder, 0o700)
        key = read_whole(path, KEY_SIZE)
        _own(path, 0o600)
    except FileNotFoundError as error:
        if make:
            fix = "Set XDG_STATE_HOME to a folder that only you can write."
            raise RefusedError("no-key", path, f"{path} cannot be created: {error.strerror}", fix) from None
        raise RefusedError(MISSING, path, "this user has no key yet", "Start a run; it creates the key.") from None
    except OSError as error:
        fix = "Make it accessible to you only, or set XDG_STATE_HOME to a folder that only you can write."
        raise RefusedError("no-key", path, f"{path} cannot be used: {error.strerror or error}", fix) from None
    if len(key) != KEY_SIZE:
        raise RefusedError(
            "no-key", path, f"{path} is not a key of stepscript", "Move it away; the next run creates a new key."
        )
    return key


def _own(path: str, mode: int) -> None:
    """Remove other users' access to this user's file or folder. Raises OSError if it belongs to another user."""
    status = os.stat(path)
    if not hasattr(os, "geteuid"):
        return
    if status.st_uid != os.geteuid():
        raise OSError("it belongs to another user")
    if stat.S_IMODE(status.st_mode) & 0o077:
        os.chmod(path, mode)


def _make_key(folder: str, path: str) -> None:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with locked(f"{path}.lock", WAIT):
        if not os.path.lexists(path):
            _write(path, os.urandom(KEY_SIZE), lasts=True)


def _write(path: str, data: bytes, lasts: bool = False) -> None:
    """Write a private file atomically; with `lasts`, sync it to the disk."""
    new = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            if lasts:
                file.flush()
                os.fsync(handle)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise


def _sealed(found: Begun, key: bytes) -> bytes:
    return b"\0".join((_seal(found, key), *_fields(found)))


def _seal(found: Begun, key: bytes) -> bytes:
    return signature(key, b"\0".join(_fields(found))).hex().encode()


def _fields(found: Begun) -> Iterator[bytes]:
    yield os.fsencode(found.place)
    yield str(found.number).encode()
    yield os.fsencode(found.root)
    yield found.bound.encode()


def _digest(bound: tuple[str, ...]) -> str:
    return sha256(ascii(bound).encode()).hexdigest()
