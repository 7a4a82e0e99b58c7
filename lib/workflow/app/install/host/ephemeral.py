"""Detection of an interpreter that will soon be gone: in a cache (`uvx`, `pipx run`) or a temporary folder."""

import os
import tempfile
from collections.abc import Iterator
from typing import Final

from ....errors import RefusedError
from ....state.run_dirs import home_folder, is_within
from ..launcher import lines

TAG: Final = "CACHEDIR.TAG"
"""File that marks a folder as a cache: https://bford.info/cachedir/"""
_TEMPORARY: Final = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - named to be refused


def check_lasting(python: str, root: str, source: str) -> None:
    """Check that an interpreter lasts as long as an installation.

    Args:
        python: Path of the interpreter; a name without a folder is not checked.
        root: Folder of the installation. If it is in a temporary folder too, the interpreter lasts as long.
        source: What the package is installed from.

    Raises:
        RefusedError: If it lies in a cache or in a temporary folder.
    """
    folder = _cleared(python, root) if os.path.isabs(python) else None
    if folder is not None:
        what = f"this Python lies in {folder}, which is cleared at any time; the installed files would name it"
        with_uv, with_pipx, _ = lines([source])
        line = with_pipx if "pipx" in python.split(os.sep) else with_uv
        raise RefusedError("ephemeral", python, what, f"Install a lasting copy first:  {line} && stepscript install")


def _cleared(python: str, root: str) -> str | None:
    place = os.path.realpath(os.path.dirname(python))
    real = os.path.realpath(root)
    temporary = [os.path.realpath(folder) for folder in (tempfile.gettempdir(), *_TEMPORARY)]
    refused = [] if any(is_within(real, folder) for folder in temporary) else temporary
    for folder in (*refused, *map(os.path.realpath, (*_caches(), *_tagged(os.path.dirname(place))))):
        if is_within(place, folder) and not is_within(real, folder):
            return folder
    return None


def _caches() -> Iterator[str]:
    yield from filter(os.path.isabs, (os.environ.get(name, "") for name in ("XDG_CACHE_HOME", "UV_CACHE_DIR")))
    home = home_folder()
    if home:
        yield from (os.path.join(home, *parts) for parts in ((".cache",), ("Library", "Caches")))
        yield from (os.path.join(home, ".local", *parts, ".cache") for parts in (("pipx",), ("share", "pipx")))


def _tagged(environment: str) -> Iterator[str]:
    """Yield the tagged folders above an environment, which may have a tag of its own."""
    folder = os.path.dirname(environment)
    while folder != os.path.dirname(folder):
        if os.path.isfile(os.path.join(folder, TAG)):
            yield folder
        folder = os.path.dirname(folder)
