"""The folders of packages, and those that an interpreter finds without PYTHONPATH."""

import os
import site
import sys
from collections.abc import Iterable, Iterator


def origins(package: str) -> tuple[str, ...]:
    """Return the absolute folders that hold a top-level package; empty for an unknown package."""
    module = sys.modules.get(package)
    inner = _of_spec(package) if module is None else [*getattr(module, "__path__", [getattr(module, "__file__", None)])]
    return tuple(dict.fromkeys(os.path.dirname(os.path.abspath(path)) for path in filter(None, inner)))


def _of_spec(package: str) -> list[str | None]:
    from importlib.util import find_spec  # packages that are not imported are rarely looked up

    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return []
    return [*(spec.submodule_search_locations or (spec.origin,))] if spec else []


def needs_pythonpath(package: str, pythonpath: str) -> bool:
    """Return True if only PYTHONPATH leads to a package from any folder, so an interpreter that ignores it fails."""
    named = {os.path.normpath(folder) for folder in pythonpath.split(os.pathsep) if os.path.isabs(folder)}
    return bool(origins(package)) and named.issuperset(origins(package)) and not _installed(origins(package))


def _installed(folders: Iterable[str]) -> bool:
    """Return True if a folder is a site directory or is named by a `.pth` file in one."""
    sites = [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
    return not {*sites, *_named_by_pth(sites)}.isdisjoint(folders)


def _named_by_pth(sites: Iterable[str]) -> Iterator[str]:
    for folder in filter(os.path.isdir, sites):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".pth"):
                with open(os.path.join(folder, name), encoding="utf-8", errors="surrogateescape") as file:
                    yield from (os.path.abspath(os.path.join(folder, line.rstrip())) for line in file)
