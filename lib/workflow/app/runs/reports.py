"""Reports on a state directory, made by the skill that it belongs to."""

import importlib
import os
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ...discovery import candidates
from ...errors import UsageError
from ...state import consent
from ...state.consent import Wish
from ..skills.packages import packages

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ...ast.nodes import Document

REPORTING: Final = "reporting"
"""Module in a skill's package. Its functions take a state directory, and return None if it belongs to another skill.

`report` and `brief` return a Document: the whole run, and its status. `is_over` returns True if the run is finished or
the user has ended it, and `about` the task of a run that `is_over` knows. `wish` returns a consent.Wish, what the run
would do if it went on; `adopt` marks the run as agreed to. All but the first two are optional.
"""


@frozen
class Ending:
    """The skill of a folder's run, and whether the run is over."""

    skill: str
    over: bool
    about: str = ""
    """Task of the run, in the user's words."""


def report_of(state_dir: str) -> "Document":
    """Return the report of the first skill that knows the folder. Raises UsageError if none does."""
    return _made("report", state_dir)


def report_or_none(state_dir: str) -> "Document | None":
    """Return the report of the first skill that knows the folder, or None."""
    return _first("report", state_dir)


def brief_of(state_dir: str) -> "Document":
    """Return the status of the run in a folder, from its skill. Raises UsageError if no skill knows it."""
    return _made("brief", state_dir)


def ending(state_dir: str) -> Ending | None:
    """Return the ending of the run in a folder; None if no skill knows it. Raises RefusedError for a broken run."""
    for skill in _skills(packages()):
        function: Callable[[str], bool | None] | None = getattr(_module(skill), "is_over", None)
        over = function(state_dir) if function else None
        if over is not None:
            about: Callable[[str], str] | None = getattr(_module(skill), "about", None)
            return Ending(skill.rpartition(".")[2], over, about(state_dir) if about else "")
    return None


def wish_of(state_dir: str) -> Wish | None:
    """Return what the run in a folder would do if it went on; None if no skill knows it.

    Raises RefusedError for a broken run.
    """
    for skill in _skills(packages()):
        function: Callable[[str], Wish | None] | None = getattr(_module(skill), "wish", None)
        found = function(state_dir) if function else None
        if found is not None:
            return found
    return None


def adopt(state_dir: str) -> None:
    """Mark the run in a folder as agreed to by this user. Raises RefusedError if that is impossible."""
    for skill in _skills(packages()):
        module = _module(skill)
        if hasattr(module, "adopt") and module.wish(state_dir) is not None:
            module.adopt(state_dir)
            return
    consent.mark(state_dir)


def _made(part: str, state_dir: str) -> "Document":
    if not os.path.isdir(state_dir):
        raise UsageError(f"{state_dir!r:.200} is not a folder; name a run directory")
    made = _first(part, state_dir)
    if made is not None:
        return made
    raise UsageError(f"{state_dir!r:.200} holds no run that a skill can report on; name a run directory")


def _first(part: str, state_dir: str) -> "Document | None":
    for skill in _skills(packages()):
        function: Callable[[str], Document | None] = getattr(_module(skill), part)
        made = function(state_dir)
        if made is not None:
            return made
    return None


def _module(skill: str) -> "ModuleType":
    return importlib.import_module(f"{skill}.{REPORTING}")


@cache
def _skills(packages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the packages of skills that have a report; cached, because `runs` asks for each run."""
    homes = (home for package in packages for home in candidates(package))
    names = dict.fromkeys(".".join(home.split(".")[:2]) for home in homes)
    return tuple(name for name in names if "." in name and _has_report(name))


def _has_report(skill: str) -> bool:
    try:
        return find_spec(f"{skill}.{REPORTING}") is not None
    except ModuleNotFoundError:  # the skill is one module
        return False
