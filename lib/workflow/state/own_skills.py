"""Skills in a project's own folder, without a package: found there, and run only by the user's consent.

The folders are `skills` and `.stepscript/skills`. Their skills are modules of a package that exists in memory only. The
user agrees to the content of all files: a change, such as one that `git pull` brings, needs consent again. Compiled
files are neither read nor written, so nothing runs that the user has not agreed to.
"""

import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from itertools import islice
from typing import Final, NoReturn

from ..command import carry
from ..errors import RefusedError
from . import consent
from .files import read_whole
from .run_dirs import HOME, is_within, runs_folder
from .run_folder import make_home

PACKAGE: Final = "project_skills"
FOLDERS: Final = ("skills", f"{HOME}/skills")
CACHE: Final = "__pycache__"
MOST_FILES: Final = 2000
MOST_BYTES: Final = 16 << 20
"""Maximum bytes of all files."""
RUNNER: Final = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))),
    "stepscript",
    "own.py",
)
"""Script that starts a module of the package: RUNNER PROJECT -m MODULE."""


def project() -> str:
    """Return the project around the working directory: a repository, or a folder with runs."""
    return os.path.realpath(os.path.dirname(os.path.dirname(runs_folder())))


def folders(root: str) -> tuple[str, ...]:
    """Return the folders of a project that hold skills. Packages of Python do not count, and links are not followed."""
    return tuple(filter(_holds_skills, _places(root)))


def names(root: str) -> tuple[str, ...]:
    """Return the names of the folders of a project's skills."""
    return tuple(name for folder in folders(root) for name in _skills(folder))


def is_agreed(root: str) -> bool:
    """Return True if the user has agreed to the skills of a project, as they are now."""
    home = os.path.join(root, HOME)
    try:
        # without any mark the files are not read: a repository may bring large ones
        return consent.is_marked(home) and consent.is_marked(home, root, PACKAGE, content(root))
    except (RefusedError, OSError):
        return False


def is_empty(root: str) -> bool:
    """Return True if nothing is in the folders of a project's skills."""
    return not any(os.path.islink(path) or any(_files(path)) for path in _places(root))


def _places(root: str) -> tuple[str, ...]:
    return tuple(os.path.join(root, *name.split("/")) for name in FOLDERS)


def agree(root: str) -> None:
    """Record the user's consent to the skills of a project as they are now. Raises RefusedError, OSError."""
    digest = content(root)
    make_home(os.path.join(root, HOME))
    consent.mark(os.path.join(root, HOME), root, PACKAGE, digest)


def pending(root: str) -> str:
    """Return what the user has to know about skills without consent, with the command; empty if there are none."""
    found = folders(root)
    if not found or is_agreed(root):
        return ""
    return (
        f"{found[0]} holds skills of this project, to which you have not agreed as they are now; nothing of them "
        f"was run. Read them; if you agree, run:  {consent.command('trust', found[0])}"
    )


def admitted() -> tuple[str, ...]:
    """Make the agreed skills of the current project importable, and return their package; empty if there are none."""
    root = project()
    if not folders(root) or not is_agreed(root):
        return ()
    _make_importable(root)
    return (PACKAGE,)


def admit(root: str) -> None:
    """Make the skills of a project importable. Raises RefusedError if the user has not agreed to them."""
    real = os.path.realpath(root)
    if not folders(real):
        fix = "Run the command in the project that it was printed for, or print it again."
        raise RefusedError("no-skills", root, "this project holds no skills of its own", fix)
    if not is_agreed(real):
        content(real)  # its refusals say more
        raise RefusedError(consent.CODE, folders(real)[0], pending(real), "Show this to the user, and stop.")
    _make_importable(real)


def content(root: str) -> str:
    """Return a hash of all files of a project's skills. Raises RefusedError if they cannot be read as a whole."""
    whole, left = sha256(), MOST_BYTES
    files = [path for folder in folders(root) for path in islice(_files(folder), MOST_FILES + 1)]
    if len(files) > MOST_FILES:
        what = f"the skills of this project have more than {MOST_FILES:,} files"
        raise RefusedError("too-many", root, what, "Move other files out of the folders of skills.")
    for path in sorted(files):
        try:
            data = read_whole(path, left)
        except OSError as error:
            what = f"{path} {error.strerror}" if error.errno is None else f"{path}: {error.strerror}"
            raise RefusedError("odd-file", path, what, "Replace it with a regular file, or move it away.") from None
        left -= len(data)
        name = os.fsencode(os.path.relpath(path, root))
        whole.update(b"%d %b %d %b" % (len(name), name, len(data), data))
    return whole.hexdigest()


def _files(folder: str) -> Iterator[str]:
    for parent, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if name != CACHE)
        for name in inner:
            if os.path.islink(os.path.join(parent, name)):
                yield os.path.join(parent, name)  # reading it refuses it
        yield from (os.path.join(parent, name) for name in files)


def _holds_skills(folder: str) -> bool:
    linked = os.path.realpath(folder) != folder
    return not linked and not os.path.exists(os.path.join(folder, "__init__.py")) and bool(_skills(folder))


def _skills(folder: str) -> tuple[str, ...]:
    try:
        found = sorted(os.listdir(folder))[:MOST_FILES]
    except OSError:
        return ()
    return tuple(name for name in found if os.path.isfile(os.path.join(folder, name, "workflow.py")))


class _Uncached(SourceFileLoader):
    """A loader of source files that neither reads nor writes compiled ones."""

    def path_stats(self, path: object) -> NoReturn:
        raise OSError("compiled files do not count")


def _make_importable(root: str) -> None:
    inside = folders(root)
    known = sys.modules.get(PACKAGE)
    if known is not None and tuple(known.__path__) == inside:
        return
    for name in [name for name in sys.modules if f"{name}.".startswith(f"{PACKAGE}.")]:
        del sys.modules[name]

    def finder(path: str) -> FileFinder:
        if not any(is_within(path, folder) for folder in inside):
            raise ImportError(f"{path} is not a folder of the project's skills")
        return FileFinder(path, (_Uncached, [".py"]))

    sys.path_hooks.insert(0, finder)
    for path in [path for path in sys.path_importer_cache if any(is_within(path, folder) for folder in inside)]:
        del sys.path_importer_cache[path]
    spec = ModuleSpec(PACKAGE, None, is_package=True)
    spec.submodule_search_locations = list(inside)
    sys.modules[PACKAGE] = module_from_spec(spec)
    carry(PACKAGE, (RUNNER, root))
