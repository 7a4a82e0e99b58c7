"""The start of a process that does one thing and ends: no garbage collection, no module that it does not use."""

import gc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Final

UNUSED: Final = frozenset({"attr.converters", "attr.validators", "attrs.converters", "attrs.validators"})
"""Modules that attrs imports and few of our classes need. They declare classes, which takes time at every start."""


class LazyFinder:
    """A finder that delays the code of an unused module until something reads an attribute of it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of an unused module; None for any other."""
        spec = PathFinder.find_spec(name, path, target) if name in UNUSED else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def short_process() -> None:
    """Prepare this process, before it imports attrs, to do one thing and end."""
    gc.disable()  # collections would scan all imported modules
    if "attr" not in sys.modules:
        sys.meta_path.insert(0, LazyFinder)
