"""Imports of our packages `lib` and `skills`, whose names a project or another distribution may use too."""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Final

NAMES: Final = ("lib", "skills")
ROOT: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""Folder that holds our packages: site-packages, or a checkout."""


class NameTakenError(ImportError):
    """Raised if another package holds a name below `lib` or `skills` that we need."""


def ignore_pythonpath() -> None:
    """Move the folders of PYTHONPATH to the end of the import path, so that nothing in them hides a module of ours."""
    folders = [os.path.abspath(folder) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.path.sort(key=folders.__contains__)  # stable: False comes first


def claim() -> None:
    """Import our `lib` and `skills` from ROOT, in a process that has imported neither.

    Their `__init__` is empty, so it is not run: another distribution may have replaced it.
    """
    for name in NAMES:
        spec = PathFinder.find_spec(name, [ROOT])
        if spec is not None and name not in sys.modules:
            sys.modules[name] = module_from_spec(spec)


def graft() -> None:
    """Make our `lib.workflow` and `skills` importable beside a project's own packages of those names.

    A name keeps its meaning: the project's own package comes first, and ours is searched after it.

    Raises:
        NameTakenError: If the project has its own `lib.workflow`.
    """
    for name in NAMES:
        folder = os.path.join(ROOT, name)
        package = _imported(name)
        searched = list(getattr(package, "__path__", ()))
        if folder not in map(os.path.abspath, searched):
            package.__path__ = [*searched, folder]
    spec = find_spec("lib.workflow")
    found = os.path.abspath(spec.origin) if spec and spec.origin else ""
    if not found.startswith(os.path.join(ROOT, "lib", "")):
        raise NameTakenError(
            f"{found or 'lib.workflow'} hides the library of stepscript: rename the project's `lib.workflow`, or prove "
            "the skills in a process of their own: stepscript validate PACKAGE"
        )


def _imported(name: str) -> ModuleType:
    """Return the package that this process finds; ours if it finds none, or if its import fails."""
    try:
        __import__(name)
    except Exception:
        claim()
    return sys.modules[name]
