"""Which installed packages have workflows."""

from typing import Final

from .installed import added

GROUP: Final = "stepscript.skills"
"""The entry point group of packages with workflows: any name = the package."""
OWN: Final = "stepscript"


def packages() -> tuple[str, ...]:
    """Every installed package that says it has workflows: our own first, the others by name."""
    named = added(GROUP)
    return tuple(dict.fromkeys(named[name] for name in sorted(named, key=lambda name: (name != OWN, name))))
