"""The installed packages with workflows."""

from typing import Final

from .installed import added

GROUP: Final = "stepscript.skills"
"""Entry point group of packages with workflows: any name = the package."""
OWN: Final = "stepscript"


def packages() -> tuple[str, ...]:
    """Return every installed package with workflows: our own first, the others by name."""
    named = added(GROUP)
    return tuple(dict.fromkeys(named[name] for name in sorted(named, key=lambda name: (name != OWN, name))))
