"""What a state directory tells people: the document that the skill makes of it to which it belongs."""

import importlib
import os
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ..discovery import candidates
from ..errors import UsageError
from ..state import consent
from ..state.consent import Wish
from .packages import packages

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ..ast.nodes import Document

REPORTING: Final = "reporting"
"""The module in a skill's package. Its functions take a state directory, and return None where it is another skill's.

`report` and `brief` return a Document, the whole and where the run stands; `is_over`, whether the run is finished or
the user has ended it. `wish` returns a consent.Wish, what the run would do if it went on; `adopt` marks the run as
agreed to. A skill may leave out the last three.
"""


@frozen
class Ending:
    """Whose run a folder holds, and whether nobody is to go on with it."""

    skill: str
    over: bool


def report_of(state_dir: str) -> "Document":
    """The document of the first skill that knows the folder. Raises UsageError where none does."""
    return _made("report", state_dir)


def brief_of(state_dir: str) -> "Document":
    """Where the run in a folder stands, as its skill tells it. Raises UsageError where none knows it."""
    return _made("brief", state_dir)


def ending(state_dir: str) -> Ending | None:
    """Of the run in a folder; None where no skill knows it. Raises RefusedError for one that is broken."""
    for skill in _skills(packages()):
        function: Callable[[str], bool | None] | None = getattr(_module(skill), "is_over", None)
        over = function(state_dir) if function else None
        if over is not None:
            return Ending(skill.rpartition(".")[2], over)
    return None


def wish_of(state_dir: str) -> Wish | None:
    """What the run in a folder would do if it went on; None if no skill knows it.

    Raises RefusedError for a run that is broken.
    """
    for skill in _skills(packages()):
        function: Callable[[str], Wish | None] | None = getattr(_module(skill), "wish", None)
        found = function(state_dir) if function else None
        if found is not None:
            return found
    return None


def adopt(state_dir: str) -> None:
    """Mark the run in a folder as agreed to by this user. Raises RefusedError if that cannot be."""
    for skill in _skills(packages()):
        module = _module(skill)
        if hasattr(module, "adopt") and module.wish(state_dir) is not None:
            module.adopt(state_dir)
            return
    consent.mark(state_dir)


def _made(part: str, state_dir: str) -> "Document":
    if not os.path.isdir(state_dir):
        raise UsageError(f"{state_dir!r:.200} is no folder; name the state directory of a run")
    for skill in _skills(packages()):
        function: Callable[[str], Document | None] = getattr(_module(skill), part)
        made = function(state_dir)
        if made is not None:
            return made
    raise UsageError(f"{state_dir!r:.200} holds no run that a skill can report on; name the state directory of one")


def _module(skill: str) -> "ModuleType":
    return importlib.import_module(f"{skill}.{REPORTING}")


@cache
def _skills(packages: tuple[str, ...]) -> tuple[str, ...]:
    """The packages of skills that have a report; `runs` asks for each run."""
    homes = (home for package in packages for home in candidates(package))
    names = dict.fromkeys(".".join(home.split(".")[:2]) for home in homes)
    return tuple(name for name in names if "." in name and _has_report(name))


def _has_report(skill: str) -> bool:
    try:
        return find_spec(f"{skill}.{REPORTING}") is not None
    except ModuleNotFoundError:  # the skill is one module
        return False
