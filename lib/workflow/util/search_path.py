"""The user's programs by name. Relative parts of the search path are skipped: they may lie in a repository."""

import errno
import os
from collections.abc import Iterator, Mapping


def which(name: str, environment: Mapping[str, str] | None = None) -> str | None:
    """Return the path of a program; None if it is not installed. A name with a folder is a path.

    Args:
        name: The program.
        environment: The environment with the search path; None for that of this process.
    """
    paths = (name,) if os.path.dirname(name) else _paths(name, environment)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), None)


def program_path(name: str, environment: Mapping[str, str] | None = None) -> str:
    """Return what `which` returns, also for a path without a program. Raises FileNotFoundError for any other name."""
    found = name if os.path.dirname(name) else which(name, environment)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return found


def _paths(name: str, environment: Mapping[str, str] | None) -> Iterator[str]:
    for folder in filter(os.path.isabs, os.get_exec_path(environment)):
        yield os.path.join(folder, name)
        if os.name == "nt":
            yield os.path.join(folder, f"{name}.exe")
