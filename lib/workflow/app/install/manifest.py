"""The manifest of an installation, which shows if an installed file was changed later."""

import re
from typing import Final

from attrs import field, frozen

from ...codec import codec
from ...errors import RefusedError
from ...state.files import PRIVATE
from .clients import PLACES, Agent, Scope
from .sources import is_name
from .tree import Tree
from .wanted import MANIFEST

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@frozen
class Written:
    """A file with the hash of its installed content; with two hashes while it is being replaced."""

    path: str
    hashes: tuple[str, ...]
    base: str = ""
    """The installed content, which a merge needs; empty if it is not known."""


@frozen
class Joined:
    """Our entries in a settings file."""

    path: str
    rules: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    made: bool = False
    """True if the installation created the file."""

    def with_old(self, old: "Joined") -> "Joined":
        """Return these entries and the old ones."""
        rules, hooks = dict.fromkeys((*old.rules, *self.rules)), dict.fromkeys((*old.hooks, *self.hooks))
        return Joined(self.path, tuple(rules), tuple(hooks), self.made)


@frozen
class Manifest:
    """One installation."""

    agents: tuple[Agent, ...] = ()
    files: tuple[Written, ...] = ()
    entries: tuple[Joined, ...] = ()
    folders: tuple[str, ...] = ()
    """Folders created for it, parents first."""
    skills: tuple[str, ...] = ()
    """Chosen skills; all, if empty."""
    prefix: str = ""
    form: int = field(default=1)

    def hashes(self, path: str) -> tuple[str, ...]:
        """Return the hashes of our content of a path; empty if it is not ours."""
        return next((item.hashes for item in self.files if item.path == path), ())

    def base(self, path: str) -> str:
        """Return our installed content of a path; empty if it is not known."""
        return next((item.base for item in self.files if item.path == path), "")

    def joined(self, path: str) -> Joined:
        """Return our entries of a settings file."""
        return next((item for item in self.entries if item.path == path), Joined(path))


def load(tree: Tree) -> Manifest | None:
    """Return the manifest of a tree, or None. Raises RefusedError for a manifest that is not ours."""
    data = tree.read(MANIFEST)
    if data is None:
        return None
    try:
        manifest = codec(Manifest).loads(data)
        _check(manifest)
    except ValueError as error:
        fix = "nothing was changed; move the file away and install again"
        raise RefusedError("corrupt-manifest", tree.place(MANIFEST), str(error), fix) from None
    return manifest


def save(tree: Tree, manifest: Manifest) -> None:
    """Write the manifest. Its folder exists and is ignored by git."""
    tree.write(MANIFEST, f"{codec(Manifest).dumps(manifest)}\n".encode(), PRIVATE)


def _check(manifest: Manifest) -> None:
    """Check that the manifest names only files that an installation writes, because anyone may have written it."""
    for item in manifest.files:
        if not _is_ours(item.path):
            raise ValueError(f"files: {item.path!r:.80} is not an installed file")
        if not all(map(_DIGEST.fullmatch, item.hashes)):
            raise ValueError(f"files: {item.path!r:.80}: the hash is not a hexadecimal SHA-256")
    for name in (*manifest.skills, *([f"{manifest.prefix}x"] if manifest.prefix else ())):
        if not is_name(name):
            raise ValueError(f"{name!r:.80} is not a name of a skill")
    settings = {path for places in PLACES.values() for path in places.settings.values()}
    for joined in manifest.entries:
        if joined.path not in settings:
            raise ValueError(f"entries: {joined.path!r:.80} is not a settings file")


def _is_ours(path: str) -> bool:
    skills = {places.skills for places in PLACES.values()}
    roles = {places.roles[scope] for places in PLACES.values() for scope in Scope}
    patterns = [f"{re.escape(folder)}/[a-z0-9-]+/[\\w-]+\\.md" for folder in skills]
    patterns += [re.escape(role).replace(r"\{\}", "[a-z0-9-]+") for role in roles]
    patterns += [re.escape(path) for places in PLACES.values() for path in places.policy.values()]
    return any(re.fullmatch(pattern, path) for pattern in patterns)
