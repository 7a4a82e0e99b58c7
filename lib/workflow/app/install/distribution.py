"""Checks for files of the installed distribution that another one has overwritten, or shares with it."""

import hashlib
import json
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from importlib.metadata import Distribution, PackagePath, distribution, distributions
from typing import Final

from ..skills.packages import GROUP, packages

DISTRIBUTION: Final = "stepscript"
PACKAGES: Final = ("lib", "skills", "stepscript")
"""Packages of the distribution."""


def sources() -> tuple[str, ...]:
    """Return what pip installs this installation from: stepscript, and the other distributions with skills."""
    return tuple(map(origin, (DISTRIBUTION, *others())))


def others() -> tuple[str, ...]:
    """Return the names of the other distributions with skills."""
    return tuple(sorted({*by_package().values()} - {DISTRIBUTION}))


def by_package() -> dict[str, str]:
    """Return the distribution that declares each installed package with skills."""
    declared: dict[str, str] = {}
    for held in distributions():
        for point in held.entry_points.select(group=GROUP):
            declared.setdefault(point.value, held.name)
    return {package: declared[package] for package in packages() if package in declared}


def origin(name: str = DISTRIBUTION) -> str:
    """Return the source of a distribution for pip (PEP 610): an address, a folder, or name and version."""
    held = installed(name)
    direct_url = held.read_text("direct_url.json")
    direct = json.loads(direct_url) if direct_url else {}
    url, version = direct.get("url", ""), direct.get("vcs_info", {})
    if version:
        return f"{version['vcs']}+{url}@{version['commit_id']}"
    return url or f"{name}=={held.version}"


def installed(name: str = DISTRIBUTION) -> Distribution:
    """Return a distribution by the record of its installation.

    A build leaves an `*.egg-info` beside the source. It can be found first, and has no licence, origin or file list.
    """
    recorded = (held for held in distributions(name=name) if held.read_text("RECORD") is not None)
    return next(recorded, None) or distribution(name)


def changed_files() -> tuple[str, ...]:
    """Return the files of our packages that are missing or changed; empty for an editable installation."""
    return tuple(str(path) for path in _files(installed()) if not _as_recorded(path))


def sharing() -> dict[str, tuple[str, ...]]:
    """Return the files of our packages that other distributions also list, by distribution."""
    own = installed()
    place, ours = _place(own), set(map(str, _files(own)))
    found: dict[str, tuple[str, ...]] = {}
    for other in distributions():
        if other.name != own.name and _place(other) == place:
            shared = ours.intersection(map(str, _files(other)))
            if shared:
                found[f"{other.name} {other.version}"] = tuple(sorted(shared))
    return found


def _files(held: Distribution) -> Iterator[PackagePath]:
    return (path for path in held.files or () if path.parts[0] in PACKAGES and path.suffix != ".pyc")


def _place(held: Distribution) -> str:
    """Return the folder to which the file list of a distribution is relative."""
    return os.path.realpath(str(held.locate_file("")))


def _as_recorded(path: PackagePath) -> bool:
    if path.hash is None:  # files that are made later, such as caches
        return True
    try:
        digest = hashlib.new(path.hash.mode, path.read_binary()).digest()
    except OSError:
        return False
    return urlsafe_b64encode(digest).rstrip(b"=").decode() == path.hash.value
