"""The start of a process that does one thing and ends: no garbage collection, no module that it does not use."""

import gc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Final, NoReturn

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


class LaterInspect(ModuleType):
    """The module `inspect` as attrs sees it: imported at the first use. Its import takes a third of a bare start."""

    def __getattr__(self, name: str) -> object:
        """Return the value of a name of `inspect`."""
        if name.startswith("__"):
            raise AttributeError(name)
        import inspect

        value: object = getattr(inspect, name)
        return value


class NoSignatures(ModuleType):
    """The module `inspect` for the part of attrs that copies annotations of converters, which nobody reads."""

    @staticmethod
    def signature(_: object) -> NoReturn:
        """Raise ValueError: attrs then copies no annotations."""
        raise ValueError


def short_process() -> None:
    """Prepare this process, before it imports attrs, to do one thing and end."""
    gc.disable()  # collections would scan all imported modules
    if "attr" in sys.modules:
        return
    sys.meta_path.insert(0, LazyFinder)
    if "inspect" in sys.modules:
        return
    sys.modules["inspect"] = LaterInspect("inspect")
    try:
        import attr._compat
    finally:
        del sys.modules["inspect"]
    vars(attr._compat)["inspect"] = NoSignatures("inspect")
