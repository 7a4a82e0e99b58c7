"""The packages with workflows: installed ones, and the project's own skills."""

from typing import Final

from ...state.own_skills import admitted
from .installed import added

GROUP: Final = "stepscript.skills"
"""Entry point group of packages with workflows: any name = the package."""
OWN: Final = "stepscript"


def packages() -> tuple[str, ...]:
    """Return every package with workflows: ours, the other installed ones by name, and the project's own skills.

    The project's own skills are left out until the user has agreed to them.
    """
    named = added(GROUP)
    installed = (named[name] for name in sorted(named, key=lambda name: (name != OWN, name)))
    return tuple(dict.fromkeys((*installed, *admitted())))
